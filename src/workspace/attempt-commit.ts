/**
 * An attempt's work as a commit: what would be published of it. Invariant: one attempt, one commit, whenever it is
 * asked for.
 */
import type { TreePlace } from "../runtime/ports-workspace.ts";
import { commitMessage } from "./commit-message.ts";
import { goodCommit, lastGood } from "./good-commit.ts";
import { resultTip } from "./merge.ts";
import { valueOf } from "./port-answer.ts";
import { leaseSlot } from "./slot.ts";
import type { GitTrees } from "./tree-plan.ts";
import { readState } from "./view.ts";

export const labelOf = ({ subtask, attempt }: TreePlace, when: "before" | "after"): string =>
  `${subtask}/${attempt}/${when}`;
export const leaseOf = ({ subtask, branch }: TreePlace): string => `${subtask}/${branch ?? ""}`;
/** What the commit of an attempt, or its merge into the result, says. */
export const messageOf = (
  { run, promptOf }: GitTrees,
  { subtask, attempt }: TreePlace,
  merge = false,
): string =>
  commitMessage({ run: run.id, subtask, attempt, prompt: promptOf?.(subtask) ?? "" }, merge);

/** On what the attempt started from; the same one whenever it is asked for. */
export async function commitOfAttempt(trees: GitTrees, place: TreePlace): Promise<string> {
  const { run, control, now } = trees;
  const subtask = `${leaseOf(place)}/${place.attempt}`;
  const known = await lastGood(run, subtask);
  if (known !== null) return known;
  const parent = await startOf(trees, place);
  const snapshot = labelOf(place, "after");
  const plan = { subtask, snapshot, parent, message: messageOf(trees, place), at: now() };
  return valueOf(await goodCommit(run, plan, control)).commit;
}

/** The commit the subtask's tree was leased at: what its work is to be merged from. */
export async function startOf(trees: GitTrees, place: TreePlace): Promise<string> {
  const { run, control, now } = trees;
  const tip = await resultTip(run);
  if (trees.inPlace) return tip;
  const id = leaseOf(place);
  const known = (await readState(run, place.slot))?.lease;
  if (known?.id === id) return known.commit;
  const plan = { slot: place.slot, commit: tip, id, at: now() };
  return valueOf(await leaseSlot(run, plan, control)).commit;
}
