/**
 * Describes what an attempt's working tree contains of earlier attempts: rolled back, kept, taken from one of them, or
 * merged. Invariant: states only recorded facts, and nothing before the first attempt.
 */
import { escapeInline } from "./quoted.ts";
import type { AttemptRecord, AttemptSpec } from "../run/attempt.ts";
import type { SubtaskState } from "../run/subtask-state.ts";

const FILES_NAMED = 20;

export function treeDescription(
  { attempts, branches }: Pick<SubtaskState, "attempts" | "branches">,
  { tree, prompt }: Pick<AttemptSpec, "tree" | "prompt">,
): string {
  if (attempts.length === 0) return "";
  const branch = branches.find(({ id }) => id === prompt.branch?.id)?.id;
  const inTree = sinceRollback(attempts.filter((record) => record.branch === branch));
  const files = filesOf(inTree);
  switch (tree.kind) {
    case "good":
      return rolledBack(`to commit ${tree.commit.slice(0, 10)}`, files);
    case "start":
      return rolledBack("to where this subtask began", files);
    case "attempt":
      return `The working tree is as attempt ${tree.attempt} left it, the one that came furthest.`;
    case "rebased":
      return `The working tree holds the work of attempt ${tree.attempt} together with what others have finished since. Where the two conflict, the files have conflict markers: settle them first.`;
    case "keep":
      return branch !== undefined && inTree.length === 0
        ? "You work in a tree of your own, as this subtask found it: nothing of the earlier attempts is in it."
        : kept(inTree, files);
  }
}

const rolledBack = (where: string, files: string): string =>
  [
    `The working tree was rolled back ${where}, from before the attempts that broke it: nothing of what they changed is in it.`,
    ...(files === "" ? [] : [`Gone with it are their changes to ${files}.`]),
  ].join(" ");

const kept = (inTree: readonly AttemptRecord[], files: string): string =>
  inTree.length === 0
    ? ""
    : files !== ""
      ? `The working tree still holds what was changed so far, in ${files}.`
      : inTree.every(({ treeBefore, treeAfter }) => treeBefore === treeAfter)
        ? "No attempt has changed a file so far: the working tree is as this subtask found it."
        : "The working tree still holds what was changed so far.";

/** The attempts whose work is in the tree: those since the last roll-back. */
function sinceRollback(records: readonly AttemptRecord[]): readonly AttemptRecord[] {
  const last = records.findLastIndex(({ recovery }) => recovery === "fresh");
  return records.slice(Math.max(0, last));
}

function filesOf(records: readonly AttemptRecord[]): string {
  const files = [...new Set(records.flatMap((record) => record.files ?? []))];
  const more = files.length - FILES_NAMED;
  const named = files.slice(0, FILES_NAMED).map(escapeInline).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}
