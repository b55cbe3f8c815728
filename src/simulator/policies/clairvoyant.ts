/** What knowing the hidden state would achieve: at every turn, the move with the best chance for its price. */
import type { View } from "../play/view.ts";
import { trueChance, type CutOff } from "../play/hidden-state.ts";
import type { Contestant } from "./contestant.ts";
import {
  affordable,
  afterWandering,
  best,
  choosing,
  optionsIn,
  UNRULED,
  type Option,
} from "./options.ts";
import { tierOf } from "./symptoms.ts";

/** Attempts without anything new are ended at twice the usual length, as long as there is room for more of them. */
export const watchfulCutOff = ({ left }: View): CutOff | undefined =>
  left <= 3 ? undefined : { times: 2, unlessNew: true };

export const clairvoyant: Contestant = {
  id: "clairvoyant",
  words: "knows the cause: best chance for its price, each time",
  enter: () => ({
    playerFor: (view) => ({
      cutOff: watchfulCutOff,
      policy: choosing("clairvoyant", UNRULED, (situation) => {
        const { world, hidden, rules } = view;
        const options = affordable(optionsIn(situation, world, tierOf(view)), view);
        const chance = ({ start }: Option): number =>
          trueChance(world, hidden, start) * afterWandering(world, hidden.task.cause);
        const found = best(options, (option) => chance(option) / option.cost);
        if (found === undefined) return undefined;
        view.expected = chance(found);
        const isWorthIt = !rules.person || chance(found) / found.cost >= 1 / world.person.price;
        return isWorthIt ? found : undefined;
      }),
    }),
  }),
};
