/**
 * Random worlds around the one that ships: every chance of success is shifted by noise on the log-odds scale, and the
 * causes' shares are drawn anew. Generator and seeds were fixed before any policy was tuned: claims are about worlds 1
 * to 200 as drawn here.
 */
import { dirichlet, normal, streamOf } from "../random.ts";
import { BASE_WORLD, shifted } from "./base-world.ts";
import { ROOT_CAUSES, type RootCause } from "../../core/adaptive/causes.ts";
import { MOVES, type Move, type World } from "./world.ts";

/** The seeds that claims are made about. */
export const CLAIMED_SEEDS = { first: 1, last: 200 } as const;

const NOISE = 1;

/** How firmly the drawn shares hold to those of the base: with 12, a share of 0.2 has a deviation of 0.11. */
const SHARES_WEIGHT = 12;

const OF_WORLD = 0x77_6f_72;

/** What random worlds become half-way where they are to change: sending back what failed helps less, a stronger model more. */
export const USUAL_CHANGE = { after: 0.5, odds: { feedback: 0.4, escalate: 1.4 } } as const;

/** What a world with a change becomes. */
export function changedWorld(world: World): World {
  const odds = world.change?.odds ?? {};
  const success = mapSuccess(world, (chances, _cause, move) =>
    chances.map((chance) => shifted(chance, Math.log(odds[move] ?? 1))),
  );
  return { ...world, success };
}

function mapSuccess(
  { success }: World,
  of: (chances: readonly number[], cause: RootCause, move: Move) => number[],
): World["success"] {
  const rows = ROOT_CAUSES.map((cause) => [
    cause,
    Object.fromEntries(MOVES.map((move) => [move, of(success[cause][move], cause, move)])),
  ]);
  return Object.fromEntries(rows) as World["success"];
}

/** One noise for each cause and move, the same on every tier: a stronger model never becomes the weaker one. */
export function randomWorld(seed: number, base: World = BASE_WORLD): World {
  const next = streamOf(seed, OF_WORLD);
  const causes = dirichlet(next, base.causes, SHARES_WEIGHT);
  const success = mapSuccess(base, (chances) => {
    const by = NOISE * normal(next);
    return chances.map((chance) => shifted(chance, by));
  });
  return { ...base, name: `random ${seed}`, causes, success };
}
