/** A task with its hidden properties: its size, why its first attempt fails, whether its tree is polluted. */
import { logNormal, pick, streamOf } from "../random.ts";
import type { RootCause } from "../../core/adaptive/causes.ts";
import type { World } from "../world/world.ts";

export interface Task {
  readonly seed: number;
  readonly index: number;
  /** Of the typical size; scales length and cost of each attempt. */
  readonly size: number;
  readonly firstSucceeds: boolean;
  readonly cause: RootCause;
  readonly startsPolluted: boolean;
}

const OF_TASK = 0x74_61_73;

export function drawTask(world: World, seed: number, index: number): Task {
  const next = streamOf(seed, index, OF_TASK);
  const size = logNormal(next, world.difficulty);
  const firstSucceeds = next() < world.firstSuccess;
  const cause = pick(world.causes, next());
  const startsPolluted = next() < world.pollution.start && cause !== "transient";
  return { seed, index, size, firstSucceeds, cause, startsPolluted };
}
