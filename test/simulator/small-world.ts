/** Worlds for tests: without luck but the moves', so that what must hold can be worked out. */
import { SMALL_WORLD } from "../../src/simulator/world/small-world.ts";
import { ROOT_CAUSES, type RootCause } from "../../src/core/adaptive/causes.ts";
import { MOVES, type Move, type World } from "../../src/simulator/world/world.ts";

type Success = World["success"];

/** The table with rows replaced by what `of` says of each. */
export const success = (of: (cause: RootCause, move: Move) => number[]): Success =>
  Object.fromEntries(
    ROOT_CAUSES.map((cause) => [
      cause,
      Object.fromEntries(MOVES.map((move) => [move, of(cause, move)])),
    ]),
  ) as Success;

/** One cause, and every move has the same chance whatever came before it. */
export const MEMORYLESS: World = {
  ...SMALL_WORLD,
  name: "memoryless",
  causes: { transient: 0, mistake: 1, misread: 0, capability: 0, environment: 0, person: 0 },
  success: success(() => [0.3]),
  pollution: { start: 0, later: 0, factor: 1, shows: 0 },
  decay: 1,
  moveCost: Object.fromEntries(MOVES.map((move) => [move, 1])) as World["moveCost"],
};
