/**
 * The available moves, each with its chance of success, cost and worth, and those ruled out with the reason. Invariant:
 * sorted by worth, ties in the order of MOVES; ruled-out moves are listed separately.
 */
import { defined } from "../defined.ts";
import { hasTrait } from "../kinds.ts";
import { RECOVERIES, type Recovery, type RecoveryName } from "../recovery.ts";
import type { PastAttempt, Possibility, Situation } from "../policy/situation.ts";
import { cellKey, type LearnedCounts } from "../learning/counts.ts";
import { posterior, withinOdds } from "../learning/posterior.ts";
import { expected, type JointBelief } from "./belief.ts";
import { failedBefore, inContextNow, moveOf, successOf, type Ground } from "./believed.ts";
import { weightOf } from "./exploratory.ts";
import { oddsOf, shifted } from "../odds.ts";
import { otherWordsFor } from "./other-words.ts";
import { leftNow, priceOf, roomFor } from "./room.ts";
import { broughtNews, classOf } from "./symptoms.ts";
import { MOVES, type Move, type Tables } from "./tables.ts";
import { usualChance } from "./usual-chance.ts";

export interface Option {
  readonly move: Move;
  readonly recovery: Recovery;
  readonly success: number;
  readonly cost: number;
  /** What it counts for beside the others. */
  readonly weight: number;
  /** What was passed over for it. */
  readonly note?: string;
}

export interface RuledOut {
  readonly move: Move;
  readonly why: string;
}

/** Tables, and what is believed of the cause by them. */
export interface Reading {
  readonly tables: Tables;
  readonly belief: JointBelief;
}

/** What was counted, and the reading with it. */
export interface CountedReading extends Reading {
  readonly counts: LearnedCounts;
  /** Moves that were counted by cause. */
  readonly moves: ReadonlySet<Move>;
}

export interface Weighing {
  /** By the tables as they are. */
  readonly usual: Reading;
  readonly counted?: CountedReading | undefined;
  readonly personPrice: number;
}

export interface Weighed {
  /** Best first; never empty. */
  readonly options: readonly Option[];
  readonly ruledOut: readonly RuledOut[];
}

/** The best there is first. */
export function optionsFor(
  situation: Situation,
  past: readonly PastAttempt[],
  weighing: Weighing,
): Weighed {
  const { tables, belief } = weighing.counted ?? weighing.usual;
  const options: Option[] = [];
  const ruledOut: RuledOut[] = [];
  const left = leftNow(situation, past, tables);
  for (const move of MOVES) {
    const out = outright(move, situation, past);
    const can = out === undefined ? possibleAs(move, situation, belief) : undefined;
    if (can?.ok === true) {
      const { recovery, note } = can;
      const step = stepOf(recovery, past);
      const attempts = attemptsFor(move, recovery, tables);
      const money = attempts * priceOf(tables.tierPrices, step);
      const { timeShare } = tables;
      const cost =
        move === "ask" ? weighing.personPrice : (1 - timeShare) * money + timeShare * attempts;
      const chance = chanceOf(move, recovery, step, past, weighing);
      const success = move === "ask" ? chance : chance * roomFor(money, left);
      const weight = weightOf(move, situation.exploratory);
      options.push({ move, recovery, success, cost, weight, ...defined({ note }) });
    } else if (can !== undefined) ruledOut.push({ move, why: can.why });
    else if (out !== undefined && out !== "") ruledOut.push({ move, why: out });
  }
  return { options: options.toSorted((a, b) => worth(b) - worth(a)), ruledOut };
}

/** Chance of success for its cost. */
export const worth = ({
  success,
  cost,
  weight,
}: Pick<Option, "success" | "cost" | "weight">): number => (weight * success) / cost;

/** Each use of these is another one: another wording, strategy or model. */
const VARIES: readonly Move[] = ["mutate", "repair", "sidegrade", "escalate", "ask"];

/** Why a move is out, whatever it could do; "" where it was never meant for such a failure. */
function outright(
  move: Move,
  { failure }: Situation,
  past: readonly PastAttempt[],
): string | undefined {
  if (move === "continue") {
    const isCutOff = failure.kind === "context_exhausted" || hasTrait(failure.kind, "cut-off");
    return isCutOff ? undefined : "";
  }
  if (failure.kind === "unknown" && RECOVERIES[recoveryOf(move)].destructive)
    return "nothing is thrown away for an error that nobody knows";
  if (move === "think" && past.some((attempt, index) => moveOf(attempt, past[index - 1]) === move))
    return "it has thought longer already";
  const last = past.at(-1);
  if (last === undefined || VARIES.includes(move)) return undefined;
  const isAgain = moveOf(last, past.at(-2)) === move && !broughtNews(last, past.at(-2));
  return isAgain ? "it was just tried, and nothing changed" : undefined;
}

const AT_TOP = { to: "top", thinking: true, budgetFactor: 2 } as const;

/** Up one tier at a time; the last of them thinks. Where there is none above, thinking is a move of its own. */
function possibleAs(
  move: Move,
  { possible, failure }: Situation,
  belief: JointBelief,
): Possibility {
  if (move !== "escalate" && move !== "think")
    return possible(move, defined({ mutations: otherWordsFor(move, failure.kind, belief) }));
  const next = possible("escalate", { to: "tier" });
  if (move === "think")
    return next.ok
      ? { ok: false, why: "a stronger model comes first" }
      : possible("escalate", AT_TOP);
  const top = next.ok ? possible("escalate", AT_TOP) : next;
  return top.ok && next.ok && tierOf(top.recovery) === tierOf(next.recovery) ? top : next;
}

const tierOf = (recovery: Recovery): number | undefined =>
  "entry" in recovery ? recovery.entry.tier : undefined;

/** Tiers above the planned one that a recovery is made with. */
export function stepOf(recovery: Recovery, past: readonly PastAttempt[]): number {
  const { tierStep = 0, tier } = past.at(-1) ?? {};
  if (recovery.kind !== "escalate") return tierStep;
  return tier === undefined ? tierStep + 1 : tierStep + recovery.entry.tier - tier;
}

/** What a move would meet now. */
export function groundOf(move: Move, step: number, past: readonly PastAttempt[]): Ground {
  const last = past.at(-1);
  const known = last === undefined ? "unknown" : classOf(last.failure);
  return { class: known, step, inContext: inContextNow(past), failed: failedBefore(move, past) };
}

/** Whatever was counted, and whatever it makes of the belief: the odds stay within those set for it. */
function chanceOf(
  move: Move,
  recovery: Recovery,
  step: number,
  past: readonly PastAttempt[],
  { usual, counted }: Weighing,
): number {
  const ground = groundOf(move, step, past);
  const chance = ({ belief, tables }: Reading): number =>
    expected(belief, successOf(move, ground, tables));
  const before = chance(usual);
  const last = past.at(-1);
  if (counted === undefined || last === undefined || move === "ask") return before;
  const byKind = counted.moves.has(move) ? 1 : shiftByKind(move, recovery, step, last, counted);
  return shifted(before, withinOdds((byKind * oddsOf(chance(counted))) / oddsOf(before)));
}

/**
 * Where nothing was counted by cause, as under a policy that believes nothing: how much better a move did after such a
 * failure than the tables say of it, whatever this subtask has shown.
 */
function shiftByKind(
  move: Move,
  recovery: Recovery,
  step: number,
  last: PastAttempt,
  { tables, counts }: CountedReading,
): number {
  const agent = "entry" in recovery ? recovery.entry.agent : (last.agent ?? "");
  const usual = usualChance(last.failure, move, step, tables);
  const key = cellKey({ symptom: last.failure, move, tierStep: step, agent });
  return oddsOf(posterior(usual, counts, key)) / oddsOf(usual);
}

/** How many attempts of its model a move is worth; branches may have to wait for each other. */
const attemptsFor = (move: Move, recovery: Recovery, { cost }: Tables): number =>
  cost[move] * (recovery.kind === "explore" ? recovery.branches.length : 1);

/** A move's name among recoveries. */
export const recoveryOf = (move: Move): RecoveryName => (move === "think" ? "escalate" : move);
