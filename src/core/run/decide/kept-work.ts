/**
 * What of a subtask's work is worth keeping. The best tree it came to (U9) is what giving up keeps and a person's
 * retry starts from. Work that leaves fewer failures than the base had and brings none is merged even where the
 * rest does not move (U11): it ends unverified, never verified, and what it left failing is named; only policies
 * with structure rules end by it.
 */
import type { AttemptRecord } from "../attempt.ts";
import { emit, subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";

/** The attempt that came furthest without breaking anything, if one fixed some of what failed on the base. */
export function keptAttempt(attempts: readonly AttemptRecord[]): AttemptRecord | undefined {
  let best: AttemptRecord | undefined;
  for (const record of attempts) {
    if ((record.fixed ?? 0) === 0 || record.unmerged === true) continue;
    if (best === undefined || record.failing.length < best.failing.length) best = record;
  }
  return best;
}

/** Whether an attempt left less of it failing than the one that is kept, and broke nothing. */
export const restMoved = (
  kept: AttemptRecord,
  { fixed, failing }: { readonly fixed?: number; readonly failing: readonly string[] },
): boolean => fixed !== undefined && failing.length < kept.failing.length;

/** Merges what is kept, with what it left failing said. */
export function finishKept(draft: DecisionDraft, index: number, kept: AttemptRecord): void {
  const { id: subtask } = subtaskNowAt(draft, index);
  const { attempt, fixed = 0, failing: items } = kept;
  const notes = [{ kind: "failed-before", fixed, items }] as const;
  emit(draft, { kind: "merge-queued", subtask, attempt, notes });
}

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
