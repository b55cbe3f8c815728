/** Merges a verified attempt into the result, with its checks run on the merged tree. Imports ports and core. */
import type { Command } from "../core/run/command.ts";
import { checkTree, treeOf } from "./checks.ts";
import { untilDead, withRoom } from "./patience.ts";
import type { Reply, Supervised } from "./supervised.ts";

type Merge = Extract<Command, { readonly kind: "merge" }>;

export async function mergeAttempt(
  supervised: Supervised,
  command: Merge,
  again: boolean,
): Promise<Reply | undefined> {
  const { subtask, attempt } = command;
  // Checks of an earlier owner may still run on its merged tree.
  const id = `${supervised.run}/${subtask}/${attempt}`;
  if (again && !(await untilDead(supervised, id, undefined))) return undefined;
  const place = treeOf(supervised, subtask, attempt);
  if (place === undefined) throw new Error(`broken invariant: ${subtask} has no tree to merge`);
  const answer = await withRoom(supervised, () =>
    supervised.ports.workspace.merge(place, (tree) => checkTree(supervised, place, tree)),
  );
  if (supervised.stop.aborted) return undefined;
  const about = { kind: "merge-ended", subtask, attempt } as const;
  if (!answer.ok) {
    const message = answer.failure.because[0] ?? "the merge could not be made";
    return {
      ...about,
      result: { kind: "red", failing: [], evidence: { origin: "workspace", message } },
    };
  }
  const { value } = answer;
  switch (value.kind) {
    case "merged":
      return { ...about, result: value };
    case "conflict":
      return {
        ...about,
        result: {
          kind: "conflict",
          evidence: { message: conflictWords(value.files) },
        },
      };
    case "red": {
      const { result } = value;
      const failing = result.kind === "failed" ? result.failing : [];
      return { ...about, result: { kind: "red", failing, evidence: result.evidence } };
    }
  }
}

const FILES_NAMED = 30;

const conflictWords = (files: readonly string[]): string => {
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  return (
    `Other subtasks changed the same places: ${files.slice(0, FILES_NAMED).join(", ")}${more}. ` +
    "The working tree now holds both sides, between conflict markers; keep what both are for."
  );
};
