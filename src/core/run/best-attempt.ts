/**
 * The best tree a subtask has come to (U9): what giving up keeps, and a person's retry starts from. Order: a tree
 * whose checks failed by the fewest names, then one of which the checks could say no more, then one that was only
 * left behind; the later of equals. A tree without a change is no candidate.
 */
import type { AttemptRecord } from "./attempt.ts";

export function bestAttempt(attempts: readonly AttemptRecord[]): AttemptRecord | undefined {
  let best: AttemptRecord | undefined;
  for (const record of attempts)
    if (isChanged(record) && (best === undefined || rank(record) <= rank(best))) best = record;
  return best;
}

const isChanged = ({ treeBefore, treeAfter }: AttemptRecord): boolean =>
  treeAfter !== "" && treeAfter !== treeBefore;

const NO_NAMES = 1e6;
const NO_CHECKS = 2e6;
const BROKEN = 3e6;

function rank({ failing, kind, success }: AttemptRecord): number {
  if (success) return 0;
  if (kind === "broken_build" || kind === "syntax_error") return BROKEN;
  if (failing.length > 0) return failing.length;
  return kind === "verification_failed" || kind === "merge_conflict" ? NO_NAMES : NO_CHECKS;
}
