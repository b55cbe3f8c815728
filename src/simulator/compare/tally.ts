/** Counts for the tasks that one policy played in one world: sums only, so that worlds can be added up. */
import { isSolvedFrom, type TaskResult } from "../play/result.ts";

/** Points of the curve: what was recovered for this share of the budget. */
export const CURVE_POINTS = 17;
const BINS = 10;

export interface Bin {
  readonly cases: number;
  /** Sum of what was expected, and how often it came true. */
  readonly expected: number;
  readonly came: number;
  /** Sum of squared errors. */
  readonly error: number;
}

export interface Tally {
  /** Those that were played. */
  readonly tasks: number;
  /** Never started, because a task they depend on failed. */
  readonly blocked: number;
  readonly firstFailed: number;
  readonly recovered: number;
  readonly succeeded: number;
  readonly cost: number;
  readonly wasted: number;
  readonly starts: number;
  readonly questions: number;
  readonly falseQuestions: number;
  readonly missedQuestions: number;
  readonly silentlyWrong: number;
  readonly hours: number;
  /** First failures that were recovered within this part of the budget. */
  readonly curve: readonly number[];
  readonly bins: readonly Bin[];
}

const NO_BIN: Bin = { cases: 0, expected: 0, came: 0, error: 0 };

export function tallyOf(results: readonly TaskResult[]): Tally {
  const count = (is: (result: TaskResult) => boolean): number => results.filter(is).length;
  const sum = (of: (result: TaskResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const recovered = results.filter(({ firstFailed, succeeded }) => firstFailed && succeeded);
  return {
    tasks: results.length,
    blocked: 0,
    firstFailed: count(({ firstFailed }) => firstFailed),
    recovered: recovered.length,
    succeeded: count(({ succeeded }) => succeeded),
    cost: sum(({ cost }) => cost),
    wasted: sum(({ cost, succeeded }) => (succeeded ? 0 : cost)),
    starts: sum(({ attempts }) => attempts.length),
    questions: count(({ asked }) => asked),
    falseQuestions: count(({ falselyAsked }) => falselyAsked),
    missedQuestions: count(({ cause, firstFailed, usedShare }) => {
      return firstFailed && cause === "person" && usedShare >= 0.9;
    }),
    silentlyWrong: count(({ silentlyWrong }) => silentlyWrong),
    hours: sum(({ hours }) => hours),
    curve: Array.from(
      { length: CURVE_POINTS },
      (_, point) =>
        recovered.filter(({ usedShare }) => usedShare <= point / (CURVE_POINTS - 1)).length,
    ),
    bins: binsOf(results),
  };
}

function binsOf(results: readonly TaskResult[]): readonly Bin[] {
  const bins = Array.from({ length: BINS }, () => NO_BIN);
  for (const { attempts } of results)
    for (const [index, { expected }] of attempts.entries()) {
      if (expected === undefined) continue;
      const place = Math.min(BINS - 1, Math.floor(expected * BINS));
      const came = isSolvedFrom(attempts, index) ? 1 : 0;
      bins[place] = addedBin(bins[place] ?? NO_BIN, {
        ...{ cases: 1, expected, came, error: (expected - came) ** 2 },
      });
    }
  return bins;
}

const addedBin = (a: Bin, b: Bin): Bin => ({
  cases: a.cases + b.cases,
  expected: a.expected + b.expected,
  came: a.came + b.came,
  error: a.error + b.error,
});

/** What is added up by itself: everything but the lists. */
const SUMS = [
  ...([
    "tasks",
    "blocked",
    "firstFailed",
    "recovered",
    "succeeded",
    "cost",
    "wasted",
    "starts",
  ] as const),
  ...(["questions", "falseQuestions", "missedQuestions", "silentlyWrong", "hours"] as const),
] as const;

export function added(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({
    ...(Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Record<
      (typeof SUMS)[number],
      number
    >),
    curve: a.curve.map((value, point) => value + (b.curve[point] ?? 0)),
    bins: a.bins.map((bin, place) => addedBin(bin, b.bins[place] ?? NO_BIN)),
  }));
}

export const recoveredShare = ({ recovered, firstFailed }: Tally): number =>
  firstFailed === 0 ? 0 : recovered / firstFailed;

export const costPerSuccess = ({ cost, succeeded }: Tally): number => cost / Math.max(1, succeeded);
