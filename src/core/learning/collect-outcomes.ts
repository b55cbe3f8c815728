/**
 * Extracts from a run's recorded events which moves got a subtask going again and which did not. A move is judged by
 * the attempt that carries it out: verified counts as won, a failure of the work as lost. An attempt cut off by an
 * outage or a pause says nothing; its replacement is judged instead. Invariants: uses recorded events only; each
 * attempt is judged once, the branches of one exploration together; unknown kinds of events change nothing.
 */
import { defined } from "../defined.ts";
import type { OutcomeByCause } from "../adaptive/outcome-by-cause.ts";
import type { RecoveryName } from "../recovery.ts";
import type { AttemptSpec } from "../run/attempt.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";
import type { Outcome } from "./counts.ts";

export interface ObservedOutcome extends Outcome {
  /** How likely the policy said it was to work, where it said so. */
  readonly expected?: number;
}

interface OutcomeCollector {
  /** What this event decides. */
  add(event: RunEvent): readonly ObservedOutcome[];
}

interface Move extends Omit<ObservedOutcome, "won" | "byCause"> {
  readonly outcome?: OutcomeByCause;
}

interface Seen {
  readonly plannedTier: number;
  readonly moves: Map<number, readonly Move[]>;
  /** What the next recovery is for. */
  symptom?: string;
  expected?: number | undefined;
  outcome?: OutcomeByCause | undefined;
  /** Tier of the last attempt. */
  tier: number;
  /** Of an attempt that was cut off: the next one does the same again. */
  carried?: readonly Move[];
  exploring?: readonly Move[];
}

interface Begun {
  readonly spec: AttemptSpec;
  readonly symptom: string;
  readonly recovery: RecoveryName;
  readonly tier: number;
}

type Seeing = Map<string, Seen>;

export function outcomeCollector(): OutcomeCollector {
  const seeing: Seeing = new Map();
  return {
    add(event) {
      const see = SEE[event.kind as Decision["kind"]] as
        ((seeing: Seeing, event: RunEvent) => readonly ObservedOutcome[]) | undefined;
      return see?.(seeing, event) ?? [];
    },
  };
}

const SEE: {
  readonly [K in Decision["kind"]]?: (
    seeing: Seeing,
    event: DecisionOf<K>,
  ) => readonly ObservedOutcome[];
} = {
  "recovery-chosen": (seeing, { subtask, considered, chosenBy, outcome }) => {
    const seen = seeing.get(subtask);
    const expected = considered.find(({ rung }) => rung === chosenBy.id)?.success;
    if (seen !== undefined) Object.assign(seen, { expected, outcome });
    return [];
  },
  "attempt-dispatched": dispatched,
  "attempt-cut-off": (seeing, { subtask, attempt }) => {
    const seen = seeing.get(subtask);
    if (seen !== undefined) carry(seen, attempt);
    return [];
  },
  "failure-classified": (seeing, { subtask, attempt, failure, verdict }) => {
    const seen = seeing.get(subtask);
    if (seen === undefined) return [];
    if (!verdict) {
      carry(seen, attempt);
      return [];
    }
    seen.symptom = failure.kind;
    return judged(seen, attempt, false);
  },
  "exploration-ended": (seeing, { subtask, winner }) => {
    const seen = seeing.get(subtask);
    const { exploring } = seen ?? {};
    if (seen === undefined || exploring === undefined || winner?.verified === true) return [];
    delete seen.exploring;
    return exploring.map((move) => ended(move, false));
  },
  "subtask-done": (seeing, { subtask, attempt, phase, unanswered }) => {
    const seen = seeing.get(subtask);
    if (seen === undefined) return [];
    seeing.delete(subtask);
    if (phase === "unverified" || unanswered !== undefined) return [];
    return seen.exploring === undefined
      ? judged(seen, attempt, true)
      : seen.exploring.map((move) => ended(move, true));
  },
};

function dispatched(
  seeing: Seeing,
  { subtask, attempt, spec }: DecisionOf<"attempt-dispatched">,
): readonly ObservedOutcome[] {
  const { entry, recovery } = spec;
  const seen: Seen = seeing.get(subtask) ?? {
    ...{ plannedTier: entry.tier, tier: entry.tier, moves: new Map() },
  };
  seeing.set(subtask, seen);
  const { carried, symptom, tier } = seen;
  delete seen.carried;
  seen.tier = entry.tier;
  if (carried !== undefined) seen.moves.set(attempt, carried);
  else if (symptom !== undefined && recovery !== undefined && recovery !== "wait")
    began(seen, attempt, { spec, symptom, recovery, tier });
  return [];
}

/** An attempt that carries out a recovery for the first time. `tier`: of the attempt before. */
function began(
  seen: Seen,
  attempt: number,
  { spec: { entry, prompt }, symptom, recovery, tier }: Begun,
): void {
  const common = {
    ...{ symptom, tierStep: entry.tier - seen.plannedTier, agent: entry.agent },
    ...defined({ expected: seen.expected, outcome: seen.outcome }),
  };
  // No stronger model was left: the same one, told to think longer.
  const move = recovery === "escalate" && entry.tier === tier ? "think" : recovery;
  const moves = [{ ...common, move }, ...strategyOf(common, prompt.strategy)];
  if (recovery !== "explore") seen.moves.set(attempt, moves);
  else if (prompt.branch !== undefined) seen.exploring ??= moves;
}

/** A strategy of a repair chain has a cell of its own beside the repair's. */
function strategyOf(common: Omit<Move, "move">, named: string | undefined): readonly Move[] {
  const [, strategy] = named?.split("/") ?? [];
  const { expected: _, outcome: __, ...cell } = common;
  return strategy === undefined ? [] : [{ ...cell, move: strategyMove(strategy) }];
}

/** The move that one strategy of a repair chain is counted as. */
const strategyMove = (strategy: string): string => `repair/${strategy}`;

function carry(seen: Seen, attempt: number): void {
  const moves = seen.moves.get(attempt);
  seen.moves.delete(attempt);
  if (moves !== undefined) seen.carried = moves;
}

function judged({ moves }: Seen, attempt: number, won: boolean): readonly ObservedOutcome[] {
  const made = moves.get(attempt) ?? [];
  moves.delete(attempt);
  return made.map((move) => ended(move, won));
}

function ended({ outcome, ...move }: Move, won: boolean): ObservedOutcome {
  const byCause = won ? outcome?.worked : outcome?.failed;
  return { ...move, won, ...defined({ byCause }) };
}
