/**
 * What a subtask remembers of an attempt: that it ended, why it failed, how it was scored. It involves only one
 * subtask, so a run and `createRecovery` share it.
 */
import { defined } from "../../defined.ts";
import { hasTrait } from "../../kinds.ts";
import type { AttemptRecord, AttemptSpec } from "../attempt.ts";
import type { DecisionOf } from "../decision.ts";
import type { InputOf } from "../input.ts";
import type { SubtaskState } from "../subtask-state.ts";

/** How many attempts a subtask's state keeps; the journal keeps all. */
const RECORDS_KEPT = 40;

export const withRecord = (
  { attempts }: SubtaskState,
  record: AttemptRecord,
): readonly AttemptRecord[] => [...attempts, record].slice(-RECORDS_KEPT);

export const recordOf = (
  { attempt, at, remains }: Pick<InputOf<"attempt-ended">, "attempt" | "at" | "remains">,
  { entry, recovery, prompt }: AttemptSpec,
): AttemptRecord => {
  const { approach, treeBefore, treeAfter, files, signals, observed = [] } = remains;
  const { asks, lacks, closing, refused } = remains;
  return {
    ...{ attempt, at, entry, counted: true, approach, success: true, failing: [] },
    ...{ treeBefore, treeAfter, signals },
    ...defined({ recovery, branch: prompt.branch?.id, files }),
    ...defined({ wording: recovery === "mutate" ? undefined : prompt.mutation }),
    ...defined({ asks, lacks, closing, refused }),
    ...(observed.length > 0 ? { sawNew: true } : {}),
  };
};

/** A verdict on the work ends the validity of a person's words, and ends an outage. */
export function afterFailure(
  subtask: SubtaskState,
  event: Omit<DecisionOf<"failure-classified">, "kind" | "subtask">,
): Partial<SubtaskState> {
  const { attempt, failure, counted, verdict, error, failing, ...rest } = event;
  const { unmerged, onBase, fixed, failures, shown, call } = rest;
  const { kind, signature } = failure;
  return {
    attempts: amended(subtask.attempts, attempt, {
      ...{ success: false, counted, kind, signature, error, failing },
      ...defined({ unmerged, onBase, fixed, failures, shown, call }),
    }),
    errors: subtask.errors + 1,
    counted: subtask.counted + (counted ? 1 : 0),
    cutOffs: hasTrait(kind, "cut-off") ? subtask.cutOffs + 1 : 0,
    ...(verdict ? { words: undefined, outage: undefined } : {}),
  };
}

export function afterScore(
  subtask: SubtaskState,
  event: Omit<DecisionOf<"progress-scored">, "kind" | "subtask">,
): Partial<SubtaskState> {
  const { attempt, state: progress, score, recovered } = event;
  return {
    progress,
    attempts: amended(subtask.attempts, attempt, { score }),
    ...(recovered ? { uses: {}, mutationsTried: [], rung: undefined } : {}),
  };
}

export const amended = <T extends { readonly attempt: number }>(
  records: readonly T[],
  attempt: number,
  change: Partial<T>,
): readonly T[] =>
  records.map((record) => (record.attempt === attempt ? { ...record, ...change } : record));
