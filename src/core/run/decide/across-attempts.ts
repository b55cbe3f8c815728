/**
 * What the attempts of a subtask say together: the progress score of the last one and whether fixes go in circles.
 * Invariant: reads only what is recorded.
 */
import { circularFix } from "../../progress/circular-fix.ts";
import { progressScore } from "../../progress/progress-score.ts";
import { stuckState } from "../../progress/stuck-state.ts";
import type { StuckState } from "../../progress/stuck-state.ts";
import type { PolicySettings } from "../../policy/policy.ts";
import type { AttemptRecord } from "../attempt.ts";
import type { SubtaskState } from "../state.ts";

export interface Scored {
  readonly score: number;
  readonly state: StuckState;
  readonly progressed: boolean;
  readonly recovered: boolean;
}

/** Nothing for an attempt no agent made: a person's own work is not scored. */
export function scoreOf(
  subtask: SubtaskState,
  attempt: number,
  settings: PolicySettings["progress"],
): Scored | undefined {
  const position = subtask.attempts.findLastIndex((record) => record.attempt === attempt);
  const record = subtask.attempts[position];
  if (record === undefined) return undefined;
  const before = subtask.attempts.slice(0, position).findLast(({ counted }) => counted);
  const checklist = Math.max(record.signals.checklist, newlyPassing(before, record));
  const score = progressScore({ ...record.signals, checklist }, settings.weights);
  const state = stuckState(subtask.progress, score, settings);
  const progressed = score >= settings.threshold;
  return {
    score,
    state,
    progressed,
    recovered: progressed && subtask.progress.status === "recovering",
  };
}

/** The share of what failed before and passes now. */
function newlyPassing(before: AttemptRecord | undefined, now: AttemptRecord): number {
  if (before === undefined || before.failing.length === 0 || now.failing.length === 0) return 0;
  const failing = new Set(now.failing);
  return before.failing.filter((name) => !failing.has(name)).length / before.failing.length;
}

/** Why the last attempt is a circular fix (B10), or nothing. */
export function circularFixOf(subtask: SubtaskState): string | undefined {
  const history = subtask.attempts
    .filter(
      ({ counted, branch, attempt }) =>
        counted && branch === undefined && attempt > subtask.spokenAt,
    )
    .map(({ attempt, success, treeBefore, treeAfter, signature, approach }) => ({
      attempt,
      failed: !success,
      startTree: treeBefore,
      endTree: treeAfter,
      approach,
      ...(signature === undefined ? {} : { signature }),
    }));
  return circularFix(history).because[0];
}
