/**
 * A world in which only moves are random, so that the best possible result can be computed: no attempt wanders, all
 * have the same length, checks are right, each tier has one model, and nothing is missing on the machine. Random small
 * worlds are drawn around it.
 */
import { ROOT_CAUSES } from "../../core/adaptive/causes.ts";
import { BASE_WORLD } from "./base-world.ts";
import type { World } from "./world.ts";

const { outages: _, ...CALM } = BASE_WORLD;
const NEVER = [0, 0, 0];

export const SMALL_WORLD: World = {
  ...CALM,
  name: "small",
  difficulty: 0,
  length: 0,
  wandering: { ...BASE_WORLD.wandering, chance: 0 },
  checks: { wrongAccepted: 0, rightRefused: 0 },
  tiers: BASE_WORLD.tiers.map(({ price }) => ({ price, models: 1 })),
  causes: { ...BASE_WORLD.causes, environment: 0 },
  success: Object.fromEntries(
    ROOT_CAUSES.map((cause) => [
      cause,
      { ...BASE_WORLD.success[cause], repair: NEVER, explore: NEVER },
    ]),
  ) as World["success"],
};
