/**
 * The adaptive policy as shipped, as it learns from task to task, and with tables that fit the world exactly. It knows
 * nothing about a task except what a run tells it, and the price of a person only if there is a person.
 */
import { adaptive } from "../../core/adaptive/adaptive.ts";
import { NO_COUNTS, withOutcome, type LearnedCounts } from "../../core/learning/counts.ts";
import { defined } from "../../core/defined.ts";
import { PRIORS } from "../../core/adaptive/priors.ts";
import type { Tables } from "../../core/adaptive/tables.ts";
import { isSolvedFrom, type TaskResult } from "../play/result.ts";
import type { View } from "../play/view.ts";
import { BASE_WORLD } from "../world/base-world.ts";
import type { World } from "../world/world.ts";
import { watchfulCutOff } from "./clairvoyant.ts";
import type { Contestant, Entrant } from "./contestant.ts";
import { tablesOf } from "./true-tables.ts";

/** Where nobody answers, a question comes last: once an attempt would cost sixty times its chance. */
const NOBODY_PRICE = 60;

/** The wait for an answer, as the policy that ships reckons it: eight of the twenty that a person costs. */
const WAIT_PRICE = PRIORS.cost.ask - BASE_WORLD.person.price;

const priceOf = ({ world, rules }: View): number =>
  rules.person ? world.person.price + WAIT_PRICE : NOBODY_PRICE;

function entrant(tables?: Tables, learned?: () => LearnedCounts): Omit<Entrant, "learn"> {
  return {
    playerFor: (view) => ({
      cutOff: watchfulCutOff,
      policy: adaptive({
        personPrice: priceOf(view),
        ...(tables === undefined ? {} : { tables }),
        ...(learned === undefined ? {} : { learned: learned() }),
      }),
    }),
  };
}

function withOutcomes(counts: LearnedCounts, { attempts }: TaskResult): LearnedCounts {
  return attempts.reduce((known, { move, tierStep, solved, agent, outcome }, index) => {
    const before = attempts[index - 1];
    if (move === undefined || before?.failure === undefined) return known;
    const won = outcome === undefined ? solved : isSolvedFrom(attempts, index);
    const byCause = won ? outcome?.worked : outcome?.failed;
    const name = move === "escalate" && tierStep <= before.tierStep ? "think" : move;
    return withOutcome(known, {
      ...{ symptom: before.failure, move: name, tierStep, agent, won },
      ...defined({ byCause }),
    });
  }, counts);
}

function learner(tables?: Tables): Entrant {
  let counts: LearnedCounts = NO_COUNTS;
  return {
    ...entrant(tables, () => counts),
    learn: (result) => {
      counts = withOutcomes(counts, result);
    },
  };
}

/** Each move has the chances of another one. */
const WRONG: Tables = {
  ...PRIORS,
  success: {
    ...PRIORS.success,
    retry: PRIORS.success.fresh,
    fresh: PRIORS.success.feedback,
    feedback: PRIORS.success.mutate,
    mutate: PRIORS.success.retry,
  },
};

export const ADAPTIVE: readonly Contestant[] = [
  {
    id: "adaptive",
    words: "chooses by what it believes of the cause, with the tables that ship",
    enter: () => entrant(),
  },
  {
    id: "adaptive-learned",
    words: "the same, learning from one task to the next",
    enter: () => learner(),
  },
  {
    id: "adaptive-wrong",
    words: "the same, learning too, with tables that are wrong",
    enter: () => learner(WRONG),
  },
  {
    id: "adaptive-true",
    words: "the same, with tables that fit the world exactly",
    enter: (world: World) => entrant(tablesOf(world)),
  },
];
