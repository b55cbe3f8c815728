/**
 * The adaptive policy: estimates why a subtask fails, and takes the move with the highest chance of success for its
 * cost; asking a person is one of the moves and has a price. Invariants: only recoveries that `possible` granted are
 * chosen; the same situation always gives the same choice; a move that just failed without changing anything is not
 * repeated; `ask` is always available.
 */
import { defined } from "../defined.ts";
import type { Choice, Policy, PolicySettings } from "../policy/policy.ts";
import type { PastAttempt, Situation } from "../policy/situation.ts";
import { shownBelief } from "./belief.ts";
import { believed } from "./believed.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import { ADAPTIVE } from "./policy-data.ts";
import { PRIORS } from "./priors.ts";
import type { Tables } from "./tables.ts";
import { firstMoveLeads } from "./first-move.ts";
import { groundOf, optionsFor, stepOf } from "./options.ts";
import type { CountedReading, Option, Reading } from "./options.ts";
import { learnedTables } from "./learned-tables.ts";
import { outcomeByCause, type OutcomeByCause } from "./outcome-by-cause.ts";
import { priceOfAsking } from "./person-price.ts";
import { choiceOf } from "./choice-words.ts";

export interface AdaptiveOptions {
  /** What ships, unless a simulator or a test brings other numbers. */
  readonly tables?: Tables;
  /** Where the situation brings none. */
  readonly learned?: LearnedCounts;
  /** What a person's time is worth, in attempts at the planned tier. */
  readonly personPrice?: number;
  /** When a question waits until later, as `22:00-07:00`. */
  readonly quietHours?: string;
  readonly settings?: PolicySettings;
}

export function adaptive(options: AdaptiveOptions = {}): Policy {
  const { tables = PRIORS, settings = ADAPTIVE, learned, quietHours } = options;
  const price = options.personPrice ?? tables.cost.ask;
  const choose = (situation: Situation): Choice => {
    const past = pastOf(situation);
    const counts = situation.learned ?? learned;
    const usual = { tables, belief: believed(past, tables) };
    const counted = counts === undefined ? undefined : countedReading(past, tables, counts);
    const personPrice = priceOfAsking(price, quietHours, situation.minuteOfDay);
    const weigh = (reading?: CountedReading) =>
      optionsFor(situation, past, { usual, counted: reading, personPrice });
    const weighed = weigh(counted);
    const options =
      past.length > 1
        ? weighed.options
        : firstMoveLeads(weighed.options, () => weigh().options, situation.failure);
    const now = counted ?? usual;
    return {
      ...choiceOf(shownBelief(now.belief), { ...weighed, options }),
      ...defined({ outcome: outcomeOf(options[0], past, now) }),
    };
  };
  return { name: "adaptive", settings, choose };
}

function countedReading(
  past: readonly PastAttempt[],
  from: Tables,
  counts: LearnedCounts,
): CountedReading {
  const { tables, moves } = learnedTables(from, counts);
  return { tables, moves, counts, belief: believed(past, tables) };
}

/** A person's answer says nothing of what agents can do. */
function outcomeOf(
  chosen: Option | undefined,
  past: readonly PastAttempt[],
  { belief, tables }: Reading,
): OutcomeByCause | undefined {
  if (chosen === undefined || chosen.move === "ask") return undefined;
  const { move, recovery } = chosen;
  return outcomeByCause(move, groundOf(move, stepOf(recovery, past), past), belief, tables);
}

/** A caller that keeps no past knows at least what just failed. */
const pastOf = ({ past = [], failure, stuck }: Situation): readonly PastAttempt[] =>
  past.length > 0
    ? past
    : [
        {
          ...{ tierStep: 0, failure: failure.kind, progress: !stuck, circular: false },
          refused: false,
        },
      ];
