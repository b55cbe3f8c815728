/**
 * Work that leaves fewer failures than the base had and brings none is worth keeping, even where the rest does not
 * move (U11). Invariants: only an attempt whose every failure is the base's is kept; it ends unverified, never
 * verified; what it left failing is named; the presets count attempts as their sources do, so only policies with
 * structure rules end by it.
 */
import type { AttemptRecord } from "./attempt.ts";
import { emit, placeAt } from "./draft.ts";
import type { Draft } from "./draft.ts";

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
export function finishKept(draft: Draft, index: number, kept: AttemptRecord): void {
  const { id: subtask } = placeAt(draft, index);
  const { attempt, fixed = 0, failing: items } = kept;
  const notes = [{ kind: "failed-before", fixed, items }] as const;
  emit(draft, { kind: "merge-queued", subtask, attempt, notes });
}
