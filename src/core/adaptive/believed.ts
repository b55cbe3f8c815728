/**
 * Derives, from a subtask's failed attempts, the belief about their cause and how well each move would do against each
 * cause. It is computed anew for each decision from recorded facts, so nothing besides the journal has to be stored;
 * the cost is bounded by the attempts a subtask remembers.
 */
import { RECOVERIES } from "../recovery.ts";
import type { PastAttempt } from "../policy/situation.ts";
import {
  afterFailedMove,
  afterSymptom,
  cleaned,
  perRootCause,
  polluted,
  startBelief,
} from "./belief.ts";
import type { JointBelief } from "./belief.ts";
import type { RootCause } from "./causes.ts";
import { shifted } from "../odds.ts";
import { classOf, signsOf } from "./symptoms.ts";
import type { FailureClass, Move, Success, Tables } from "./tables.ts";

/** What a move meets. */
export interface Ground {
  /** What failed before it. */
  readonly class: FailureClass;
  /** How many tiers above the planned one it is made with. */
  readonly step: number;
  /** Failed moves in the same context so far. */
  readonly inContext: number;
  /** How often it failed before. */
  readonly failed: number;
}

export function believed(past: readonly PastAttempt[], tables: Tables): JointBelief {
  let belief = startBelief(tables);
  const failures = new Map<Move, number>();
  let inContext = 0;
  for (const [index, attempt] of past.entries()) {
    const before = past[index - 1];
    const move = moveOf(attempt, before);
    if (move !== undefined && before !== undefined) {
      const { tierStep: step } = attempt;
      const failed = failures.get(move) ?? 0;
      const ground = { class: classOf(before.failure), step, inContext, failed };
      belief = afterFailedMove(belief, triedBy(attempt, move, ground, tables));
      failures.set(move, failed + 1);
    }
    if (keepsTree(attempt)) belief = polluted(belief, tables);
    else if (attempt.recovery !== undefined) belief = cleaned(belief);
    belief = afterSigns(belief, attempt, before, tables);
    inContext = failedInContext(move, inContext);
  }
  return belief;
}

function afterSigns(
  belief: JointBelief,
  attempt: PastAttempt,
  before: PastAttempt | undefined,
  tables: Tables,
): JointBelief {
  const known = classOf(attempt.failure);
  const isKnown = before !== undefined && classOf(before.failure) === known;
  const seenBefore = before === undefined ? [] : signsOf(before);
  // Whatever the cause, a recovery may lose its way; that it then stands still is no more news.
  const isLost = known === "loop" && attempt.recovery !== undefined;
  const weight = (isKnown ? tables.repeatWeight : 1) * (isLost ? tables.lostWeight : 1);
  const afterClass = afterSymptom(belief, known, tables, weight);
  if (isLost) return afterClass;
  return signsOf(attempt).reduce(
    (now, sign) =>
      afterSymptom(now, sign, tables, seenBefore.includes(sign) ? tables.repeatWeight : 1),
    afterClass,
  );
}

/** What an attempt that put the task in other words would have cured: all that either move would. */
function triedBy({ reworded }: PastAttempt, move: Move, ground: Ground, tables: Tables): Success {
  const { chance, onSpoiled } = successOf(move, ground, tables);
  if (reworded !== true) return { chance, onSpoiled };
  const other = successOf("mutate", ground, tables).chance;
  return { chance: perRootCause((cause) => Math.max(chance[cause], other[cause])), onSpoiled };
}

/** The move an attempt carried out; nothing for a first attempt, or one after a wait. */
export function moveOf(attempt: PastAttempt, before: PastAttempt | undefined): Move | undefined {
  const { recovery, tierStep } = attempt;
  if (recovery === "escalate" && before !== undefined && tierStep <= before.tierStep)
    return "think";
  return recovery === "wait" || recovery === "skip" ? undefined : recovery;
}

/** Moves that failed in the context there is now; the attempt that a subtask begins with is none. */
export function inContextNow(past: readonly PastAttempt[]): number {
  return past.reduce(
    (failed, attempt, index) => failedInContext(moveOf(attempt, past[index - 1]), failed),
    0,
  );
}

const failedInContext = (move: Move | undefined, before: number): number =>
  move === undefined ? before : keepsContext(move) ? before + 1 : 1;

export const failedBefore = (move: Move, past: readonly PastAttempt[]): number =>
  past.filter((attempt, index) => moveOf(attempt, past[index - 1]) === move).length;

const keepsContext = (move: Move | undefined): boolean =>
  move === "retry" || move === "feedback" || move === "continue";

const keepsTree = ({ recovery }: PastAttempt): boolean =>
  recovery !== undefined && RECOVERIES[recovery].tree === "keep";

/** What a move can do on this ground. */
export function successOf(move: Move, ground: Ground, tables: Tables): Success {
  const wear = wearOf(move, ground, tables);
  const keeps = move === "think" || (move !== "ask" && RECOVERIES[move].tree === "keep");
  return {
    chance: perRootCause((cause) => wear * chanceAt(move, cause, ground.step, tables)),
    onSpoiled: keeps ? tables.spoiled : 1,
  };
}

/** What this ground leaves of a move's chance, whatever the cause. */
export function wearOf(
  move: Move,
  { inContext, failed, class: known }: Ground,
  { decay, again, fit }: Tables,
): number {
  const worn = keepsContext(move) ? decay ** inContext : 1;
  return worn * again ** failed * (fit[known]?.[move] ?? 1);
}

/** The chance of a move against a cause, so many tiers above the planned one, where nothing wears it. */
export function chanceAt(
  move: Move,
  cause: RootCause,
  step: number,
  { success, tierLift }: Tables,
): number {
  const chance = success[move][cause];
  const lifts = Math.max(0, step - (move === "escalate" ? 1 : 0));
  return lifts === 0 || move === "ask"
    ? chance
    : shifted(chance, Math.exp(lifts * tierLift[cause]));
}
