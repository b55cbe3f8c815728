/** Policies that look at the last symptom: a fixed map from symptom to move, and bandits that learn one. */
import { beta, streamOf } from "../random.ts";
import { ROOT_CAUSES } from "../../core/adaptive/causes.ts";
import { symptomShares, chanceOf, type Move, type Symptom, type World } from "../world/world.ts";
import { BASE_WORLD } from "../world/base-world.ts";
import type { View } from "../play/view.ts";
import type { Contestant } from "./contestant.ts";
import { best, choosing, optionsIn, UNRULED } from "./options.ts";

/** What a sane engineer would do, knowing only how the last attempt failed. */
const MAP: Readonly<Record<Symptom, readonly Move[]>> = {
  crash: ["retry"],
  "fewer-failing": ["feedback"],
  "same-failing": ["escalate", "fresh"],
  "other-failing": ["mutate", "fresh"],
  "more-failing": ["fresh"],
  "broken-build": ["fresh"],
  looping: ["fresh"],
  unchanged: ["mutate", "fresh"],
  "missing-program": ["repair", "feedback"],
};

const lastSymptom = ({ past }: View): Symptom => past.at(-1)?.symptom ?? "other-failing";
export const tierOf = ({ past }: View): number => past.at(-1)?.tierStep ?? 0;

const symptomMap: Contestant = {
  id: "symptom-map",
  words: "one move for each symptom",
  enter: () => ({
    playerFor: (view) => ({
      policy: choosing("symptom-map", UNRULED, (situation) => {
        const options = optionsIn(situation, view.world, tierOf(view));
        for (const move of MAP[lastSymptom(view)]) {
          const found = options.find((option) => option.move === move);
          if (found !== undefined) return found;
        }
        return options.find(({ move }) => move === "fresh");
      }),
    }),
  }),
};

interface Count {
  won: number;
  lost: number;
}

const PRIOR_WEIGHT = 4;
const OF_BANDIT = 0x62_61_6e;

/** The chance of a move after a symptom, as the shipped tables have it. */
function priorChance(world: World, symptom: Symptom, move: Move, tierStep: number): number {
  let weight = 0;
  let sum = 0;
  for (const cause of ROOT_CAUSES) {
    const share = world.causes[cause] * (symptomShares(world, cause)[symptom] ?? 0);
    weight += share;
    sum += share * chanceOf(world, cause, move, tierStep);
  }
  return weight === 0 ? 0.5 : sum / weight;
}

const thompson = (id: string, words: string, withPrior: boolean): Contestant => ({
  ...{ id, words },
  enter: (_world, seed) => {
    const counts = new Map<string, Count>();
    const countOf = (symptom: Symptom, move: Move, tierStep: number): Count => {
      const key = `${symptom}|${move}|${tierStep}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const prior = withPrior ? priorChance(BASE_WORLD, symptom, move, tierStep) : 0.5;
      const weight = withPrior ? PRIOR_WEIGHT : 2;
      const made = { won: prior * weight, lost: (1 - prior) * weight };
      counts.set(key, made);
      return made;
    };
    return {
      playerFor: (view) => ({
        policy: choosing(id, UNRULED, (situation) => {
          const next = streamOf(seed, view.hidden.task.index, view.past.length, OF_BANDIT);
          const options = optionsIn(situation, view.world, tierOf(view));
          return best(options, ({ move, start, cost }) => {
            const { won, lost } = countOf(lastSymptom(view), move, start.tierStep);
            return beta(next, won, lost) / cost;
          });
        }),
      }),
      learn: ({ attempts }) => {
        for (const [index, { move, tierStep, solved }] of attempts.entries()) {
          const symptom = attempts[index - 1]?.symptom;
          if (move === undefined || symptom === undefined) continue;
          countOf(symptom, move, tierStep)[solved ? "won" : "lost"] += 1;
        }
      },
    };
  },
});

export const BY_SYMPTOM: readonly Contestant[] = [
  symptomMap,
  thompson("thompson", "a bandit over symptoms and moves that starts from nothing", false),
  thompson("thompson-prior", "the same, starting from the shipped tables", true),
];
