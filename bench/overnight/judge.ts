/** The bars of a row, and the summary of several runs of it. Pure. */
import type { Outcome } from "./runners.ts";
import type { NightScenario, OvernightAgent } from "./scenario.ts";

export interface Row {
  readonly agent: OvernightAgent;
  readonly scenario: string;
  readonly what: string;
  readonly unstuck: Outcome;
  readonly loop: Outcome;
  /** The bars it misses, in words. */
  readonly missed: readonly string[];
}

const TIMES = { factor: 1.3, seconds: 3 };
const TOKENS = { usual: 1.1, conflict: 1.6 };

interface Measures {
  /** Time counts too. */
  readonly timed?: boolean;
  /** Tokens of the same work without a fault. */
  readonly work?: number;
}

export function judged(
  agent: OvernightAgent,
  { name, what, bar, ends }: NightScenario,
  unstuck: Outcome,
  loop: Outcome,
  { timed = true, work = 0 }: Measures = {},
): Row {
  // If a person has to be asked, the loop cannot be right.
  const canBeDone = ends === undefined || ends.includes(0);
  const isSolved = loop.right && canBeDone;
  const missed: string[] = [];
  const must = (holds: boolean, words: string): void => {
    if (!holds) missed.push(words);
  };
  must(unstuck.right, `ended wrong (${unstuck.end})`);
  must(unstuck.intact, "the user's files are not as they were");
  must(unstuck.orphans === 0, `${unstuck.orphans} processes are left`);
  if (bar === "short") {
    const allowed = TIMES.factor * loop.seconds + TIMES.seconds;
    must(
      !timed || unstuck.seconds <= allowed,
      `took ${round(unstuck.seconds)} of ${round(allowed)} s`,
    );
    must(unstuck.requests <= loop.requests, `${unstuck.requests} requests, not ${loop.requests}`);
  }
  if (bar === "none") return { agent, scenario: name, what, unstuck, loop, missed };
  const factor = bar === "conflict" ? TOKENS.conflict : TOKENS.usual;
  const tokens = `${unstuck.tokens} tokens, the loop ${loop.tokens}`;
  if (isSolved) must(unstuck.tokens <= factor * loop.tokens, tokens);
  else {
    // A service that refuses bills nothing, so a loop that is refused until it gives up never pays for the work.
    const unpaid = loop.refused > 0 && canBeDone ? TOKENS.usual * work : 0;
    const isLess = unstuck.tokens === 0 || unstuck.tokens < loop.tokens + unpaid;
    // A loop that accepted wrong work stopped too early.
    must(loop.fooled || isLess, tokens);
  }
  return { agent, scenario: name, what, unstuck, loop, missed };
}

/** The median of each figure by itself, or the least time; right only if every run was. */
export function summaryOf(outcomes: readonly Outcome[], time: "median" | "least"): Outcome {
  const ordered = (of: (outcome: Outcome) => number): number[] =>
    outcomes.map(of).sort((a, b) => a - b);
  const middle = (of: (outcome: Outcome) => number): number =>
    ordered(of)[Math.floor(outcomes.length / 2)] ?? 0;
  const seconds = ({ seconds: taken }: Outcome): number => taken;
  const wrong = outcomes.find(({ right }) => !right);
  return {
    right: wrong === undefined,
    requests: middle(({ requests }) => requests),
    refused: middle(({ refused }) => refused),
    tokens: middle(({ tokens }) => tokens),
    seconds: time === "least" ? (ordered(seconds)[0] ?? 0) : middle(seconds),
    intact: outcomes.every(({ intact }) => intact),
    fooled: outcomes.some(({ fooled }) => fooled),
    orphans: Math.max(...outcomes.map(({ orphans }) => orphans)),
    end: (wrong ?? outcomes[0])?.end ?? "",
  };
}

const round = (value: number): string => value.toFixed(1);
