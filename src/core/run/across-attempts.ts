/**
 * What the attempts of a subtask show together: the progress of the last one, circular fixes, failures shared with the
 * base, and which work to keep. The best tree is what remains when the subtask is given up and where a person's retry
 * starts. Work that leaves fewer failures than the base had, and adds none, is merged. Invariant: reads only recorded
 * facts.
 */
import { defined } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import type { PolicySettings } from "../policy/policy.ts";
import { circularFix, failureCount } from "../progress/circular-fix.ts";
import { progressScore, scoreWithin } from "../progress/progress-score.ts";
import { stuckState } from "../progress/stuck-state.ts";
import {
  treeChanged,
  type AttemptRecord,
  type RemainingFailures,
  type TriedAttempt,
} from "./attempt.ts";
import type { DecisionOf } from "./decision.ts";
import type { SubtaskState } from "./subtask-state.ts";

export const attemptRecord = (
  { attempts }: SubtaskState,
  attempt: number,
): AttemptRecord | undefined => attempts.findLast((record) => record.attempt === attempt);

const TOLD_CHARS = 300;

export const triedAttempt = (record: AttemptRecord): TriedAttempt => {
  const { attempt, entry, approach, recovery, kind, error } = record;
  return {
    ...{ attempt, tier: entry.tier, approach: cleanLine(approach, TOLD_CHARS) },
    ...defined({ model: entry.model, recovery, kind }),
    ...(error === undefined ? {} : { error: cleanLine(error, TOLD_CHARS) }),
  };
};

/** The progress score of an attempt; undefined for a person's own work, which is not scored. */
export function scoreOf(
  subtask: SubtaskState,
  attempt: number,
  settings: PolicySettings["progress"],
): Omit<DecisionOf<"progress-scored">, "kind" | "subtask" | "attempt"> | undefined {
  const position = subtask.attempts.findLastIndex((record) => record.attempt === attempt);
  const record = subtask.attempts[position];
  if (record === undefined) return undefined;
  const earlier = subtask.attempts.slice(0, position).filter(({ counted }) => counted);
  const before = earlier.findLast((other) => failureCount(other) > 0);
  const passing = newlyPassing(before, record);
  const checklist = Math.max(record.signals.checklist, passing);
  const score = scoreWithin(
    progressScore({ ...record.signals, checklist }, settings.weights),
    settings.threshold,
    {
      fewerFailing: before === undefined ? (record.fixed ?? 0) > 0 : onlyFewer(before, record),
      wordsAlone: !treeChanged(record) && record.sawNew !== true && passing === 0,
    },
  );
  const state = stuckState(subtask.progress, score, settings);
  const progressed = score >= settings.threshold;
  const recovered = progressed && subtask.progress.status === "recovering";
  return { score, state, progressed, recovered };
}

/** Whether some earlier failures are gone and there are no new ones. */
function onlyFewer(before: AttemptRecord, now: AttemptRecord): boolean {
  const known = new Set(before.failing);
  const left = failureCount(now);
  return left > 0 && left < failureCount(before) && now.failing.every((name) => known.has(name));
}

/** The share of the earlier failures that now pass. */
function newlyPassing(before: AttemptRecord | undefined, now: AttemptRecord): number {
  if (before === undefined || before.failing.length === 0 || now.failing.length === 0) return 0;
  const failing = new Set(now.failing);
  return before.failing.filter((name) => !failing.has(name)).length / before.failing.length;
}

/** Why the last attempt is a circular fix; undefined if it is not. */
export function circularFixOf(subtask: SubtaskState): string | undefined {
  const history = subtask.attempts
    .filter(
      ({ counted, branch, attempt }) =>
        counted && branch === undefined && attempt > subtask.spokenAt,
    )
    .map(({ attempt, success, treeBefore, treeAfter, signature, approach, failing, failures }) => ({
      ...{
        attempt,
        failed: !success,
        startTree: treeBefore,
        endTree: treeAfter,
        approach,
        failing,
      },
      ...defined({ signature, failures }),
    }));
  return circularFix(history).because[0];
}

/** Consecutive continuations without net progress, which is a tree not seen before or fewer failures. */
export const continuesWithoutProgress = ({
  attempts,
  continues,
}: Pick<SubtaskState, "attempts" | "continues">): number =>
  hasNetProgress(attempts) ? 0 : continues;

function hasNetProgress(attempts: readonly AttemptRecord[]): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  const earlier = attempts.slice(0, -1);
  const trees = earlier.flatMap(({ treeBefore, treeAfter }) => [treeBefore, treeAfter]);
  if (treeChanged(last) && !trees.includes(last.treeAfter)) return true;
  const fewest = Math.min(...earlier.map(failureCount).filter((count) => count > 0));
  return failureCount(last) > 0 && Number.isFinite(fewest) && failureCount(last) < fewest;
}

const ALIKE_IN_A_ROW = 2;

/** The shared cause, if the last attempts failed in the same way as the base. */
export function baseCause({ attempts }: Pick<SubtaskState, "attempts">): string | undefined {
  const last = attempts.filter(({ counted }) => counted).slice(-ALIKE_IN_A_ROW);
  const signature = last[0]?.signature;
  const alike = last.every((record) => record.onBase === true && record.signature === signature);
  return last.length === ALIKE_IN_A_ROW && alike ? `base ${signature}` : undefined;
}

/** The attempt that came furthest without breaking anything, if it fixed at least one failure of the base. */
export const keptAttempt = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts
    .filter(({ fixed = 0, unmerged }) => fixed !== 0 && unmerged !== true)
    .toSorted((a, b) => a.failing.length - b.failing.length)[0];

/** Whether an attempt left fewer failures than the kept one and broke nothing. */
export const leftFewerFailures = (
  kept: AttemptRecord,
  { fixed, failing }: RemainingFailures,
): boolean => fixed !== undefined && failing.length < kept.failing.length;

/** The attempt with the best tree; the latest among equals. */
export const bestAttempt = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts
    .filter(({ treeBefore, treeAfter }) => treeAfter !== "" && treeAfter !== treeBefore)
    .toSorted((a, b) => rank(b) - rank(a))
    .at(-1);

const NO_NAMES = 1e6;
const NO_CHECKS = 2e6;
const BROKEN = 3e6;

function rank({ failing, kind, success }: AttemptRecord): number {
  if (success) return 0;
  if (kind === "broken_build" || kind === "syntax_error") return BROKEN;
  if (failing.length > 0) return failing.length;
  return kind === "verification_failed" || kind === "merge_conflict" ? NO_NAMES : NO_CHECKS;
}
