/**
 * The failed attempts of a subtask in the form that a policy sees. Invariants: reads only recorded facts; bounded, as
 * the records are; excludes attempts from before a person's last words, and uncounted ones except the last. The
 * failures of an attempt are compared with those of the last attempt whose checks named any or, if there is none, with
 * the base.
 */
import { defined } from "../defined.ts";
import type { Subtask } from "../plan/plan.ts";
import type { PolicySettings } from "../policy/policy.ts";
import type { RecoveryName } from "../recovery.ts";
import type { PastAttempt } from "../policy/situation.ts";
import type { AttemptRecord, RemainingFailures } from "./attempt.ts";
import type { RunState } from "./state.ts";
import type { SubtaskState } from "./subtask-state.ts";

/**
 * What failed on the base before a subtask's first attempt, by name. Empty if that is unknown: with several checks,
 * some may belong to other subtasks, and a subtask with dependencies starts from their work.
 */
export function failingOnBase(
  { baseline }: Pick<RunState, "baseline">,
  { dependsOn }: Pick<Subtask, "dependsOn">,
): readonly string[] {
  const [outcome, ...more] = Object.values(baseline.outcomes);
  if (outcome?.kind !== "failed" || more.length > 0 || dependsOn.length > 0) return [];
  return outcome.complete ? outcome.items : [];
}

export function pastAttempts(
  subtask: SubtaskState,
  { progress }: Pick<PolicySettings, "progress">,
  baseFailing: readonly string[] = [],
): readonly PastAttempt[] {
  const { attempts, spokenAt, banned } = subtask;
  const planned = attempts[0]?.entry.tier ?? subtask.entry.tier;
  const last = attempts.at(-1);
  const told = attempts.filter(
    (record, index) =>
      record.kind !== undefined &&
      record.attempt > spokenAt &&
      (record.counted || record === last) &&
      !isBranchBefore(record, attempts[index + 1]),
  );
  const recoveries = told.map((record) => recoveryOf(attempts, attempts.indexOf(record)));
  const isFromBase = spokenAt === 0 && recoveries[0] === undefined;
  return told.map((record, index) => {
    const { entry, kind = "unknown", score = 0, closing, refused = [], wording } = record;
    const recovery = recoveries[index];
    const isLast = index === told.length - 1;
    const before = comparedWith(told, index, isFromBase ? baseFailing : []);
    const isStuck = isLast && ["stuck", "recovering"].includes(subtask.progress.status);
    return {
      tierStep: Math.max(0, entry.tier - planned),
      failure: kind,
      progress: score >= progress.threshold,
      // A circle bans moves until a person speaks, so it is reported only once.
      circular: isLast && banned.length > 0,
      refused: refused.length > 0,
      ...{ agent: entry.agent, tier: entry.tier },
      ...defined({ recovery, closing, items: itemsSince(before, record) }),
      ...(wording === undefined ? {} : { reworded: true }),
      ...(kind === "looping" || isStuck ? { stuck: kind } : {}),
    };
  });
}

/** The recovery an attempt carried out; one that repeats or continues a cut-off attempt inherits that attempt's recovery. */
function recoveryOf(attempts: readonly AttemptRecord[], place: number): RecoveryName | undefined {
  const recovery = attempts[place]?.recovery;
  const isCutOff = attempts[place - 1]?.counted === false;
  const isCarriedOn = isCutOff && (recovery === "continue" || recovery === "retry");
  return isCarriedOn ? recoveryOf(attempts, place - 1) : recovery;
}

/** Of the branches of an exploration, only the last attempt counts: together they are one move. */
const isBranchBefore = (record: AttemptRecord, next: AttemptRecord | undefined): boolean =>
  record.branch !== undefined && next?.branch !== undefined;

/** The part of an attempt that is needed to see what has changed since. */
type Before = RemainingFailures & Pick<AttemptRecord, "signature">;

/**
 * The state to compare an attempt with. An attempt that never reached its checks offers no names, so the one before it
 * or the base is used. If the current attempt has no names either, its direct predecessor may still have failed with
 * the same text.
 */
function comparedWith(
  told: readonly AttemptRecord[],
  index: number,
  baseFailing: readonly string[],
): Before | undefined {
  const neighbour = told[index - 1];
  if (told[index]?.failing.length === 0) return neighbour;
  const checked = told.slice(0, index).findLast(({ failing }) => failing.length > 0);
  return checked ?? (baseFailing.length > 0 ? { failing: baseFailing } : neighbour);
}

/** How the failing items changed; undefined if that cannot be determined. */
function itemsSince(before: Before | undefined, now: Before): PastAttempt["items"] {
  if (before === undefined) return undefined;
  const [was, is] = comparable(before, now);
  if (was.length === 0 || is.length === 0)
    return before.signature === now.signature && is.length === was.length ? "same" : undefined;
  const earlier = new Set(was);
  const kept = is.filter((name) => earlier.has(name)).length;
  const isSubset = kept === is.length;
  const isSuperset = kept === was.length;
  if (isSubset && isSuperset) return byCount(before, now);
  return isSubset ? "fewer" : isSuperset ? "more" : "other";
}

/**
 * By the names shown in both outputs, if any: without a reader for the runner, a check is otherwise a single item,
 * whatever it prints.
 */
const comparable = (
  before: RemainingFailures,
  now: RemainingFailures,
): [readonly string[], readonly string[]] =>
  before.shown === undefined || now.shown === undefined
    ? [before.failing, now.failing]
    : [before.shown, now.shown];

/** If the names are equal, the number of failures that the checks report is more precise. */
function byCount(before: RemainingFailures, now: RemainingFailures): PastAttempt["items"] {
  const { failures: was = 0 } = before;
  const { failures: is = 0 } = now;
  if (was === is || was === 0 || is === 0) return "same";
  return is < was ? "fewer" : "more";
}
