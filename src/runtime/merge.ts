/**
 * Merges an attempt into the result, once the merged commit has passed its checks. Invariants: the result moves
 * only to a commit that was judged, a fast-forward too (U5); what failed on the base and is kept may go on
 * failing, nothing else; conflict markers are never merged.
 */
import type { Command } from "../core/run/command.ts";
import type { InputOf } from "../core/run/input.ts";
import { holdsMarkers } from "./check-results.ts";
import { checksOf, treeOf } from "./checks.ts";
import { judge } from "./judge.ts";
import { untilDead, withRoom } from "./patience.ts";
import type { Joined, AttemptTree } from "./ports-workspace.ts";
import { stateOf } from "./ports.ts";
import type { Reply, RunUnderway } from "./ports.ts";

type Merge = Extract<Command, { readonly kind: "merge" }>;
type Result = InputOf<"merge-ended">["result"];

export async function mergeAttempt(
  supervised: RunUnderway,
  command: Merge,
  again: boolean,
): Promise<Reply | undefined> {
  const { subtask, attempt } = command;
  // Checks of an earlier owner may still run on its merged tree.
  const attemptId = `${supervised.run}/${subtask}/${attempt}`;
  if (again && !(await untilDead(supervised, attemptId, undefined))) return undefined;
  const place = treeOf(supervised, subtask, attempt);
  if (place === undefined) throw new Error(`broken invariant: ${subtask} has no tree to merge`);
  const result = await merged(supervised, command, place, attemptId);
  if (supervised.stop.aborted) return undefined;
  const { round } = command;
  return { kind: "merge-ended", subtask, attempt, ...(round > 1 ? { round } : {}), result };
}

async function merged(
  supervised: RunUnderway,
  { subtask, round }: Merge,
  place: AttemptTree,
  attemptId: string,
): Promise<Result> {
  const { commits } = supervised.ports;
  const commit = await withRoom(supervised, () => commits.ofAttempt(place));
  if (!commit.ok) return refused(commit.failure.because[0]);
  if (commit.value.markers.length > 0) return red(holdsMarkers(commit.value.markers));
  const joined = await withRoom(supervised, () => commits.join(place));
  if (!joined.ok) return refused(joined.failure.because[0]);
  if (joined.value.kind === "conflict") return conflict(joined.value);
  if (joined.value.there) return { kind: "merged", commit: joined.value.commit };
  const { checks } = checksOf(supervised, subtask);
  const judging = { subtask, attemptId, checks, fresh: round > 1 };
  const verdict = await judge(supervised, joined.value, judging);
  if (supervised.stop.aborted) return refused("stopped");
  const failing = verdict.kind === "failed" ? verdict.failing : [];
  const accepted = acceptedBy(supervised, place);
  if (verdict.kind !== "passed" && !(failing.length > 0 && failing.every((one) => accepted(one))))
    return red(verdict);
  const moved = joined.value;
  const advanced = await withRoom(supervised, () => commits.advance(moved));
  if (!advanced.ok) return refused(advanced.failure.because[0]);
  return { kind: "merged", commit: moved.commit, ...(failing.length > 0 ? { failing } : {}) };
}

/** What was decided to be kept failing, because it failed before. */
function acceptedBy(supervised: RunUnderway, { subtask, attempt }: AttemptTree) {
  const stage = stateOf(supervised, subtask).stages.find(
    (one) => one.kind === "merge" && one.attempt === attempt,
  );
  const notes = stage?.kind === "merge" ? stage.notes : [];
  const items = new Set(notes.flatMap((note) => (note.kind === "failed-before" ? note.items : [])));
  return (item: string): boolean => items.has(item);
}

type Judged = Awaited<ReturnType<typeof judge>>;

function red(verdict: Judged): Result {
  if (verdict.kind === "passed") throw new Error("broken invariant: what passed is not red");
  const { evidence } = verdict;
  return verdict.kind === "failed"
    ? { kind: "red", failing: verdict.failing, evidence }
    : { kind: "could-not-run", evidence };
}

const refused = (message = "the merge could not be made"): Result => ({
  kind: "red",
  failing: [],
  evidence: { origin: "workspace", message },
});

const FILES_NAMED = 30;

function conflict({ files }: Extract<Joined, { readonly kind: "conflict" }>): Result {
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  const message =
    `Other subtasks changed the same places: ${files.slice(0, FILES_NAMED).join(", ")}${more}. ` +
    "The working tree now holds both sides, between conflict markers; keep what both are for.";
  return { kind: "conflict", evidence: { message } };
}
