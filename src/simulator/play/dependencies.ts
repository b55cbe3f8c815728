/**
 * Dependencies between the tasks of a world: the tasks, in order, form one plan after another. Invariants: a task
 * depends only on earlier tasks of its own plan; drawn from the seed alone, so every policy meets the same plans.
 */
import { streamOf } from "../random.ts";
import type { World } from "../world/world.ts";

const OF_PLAN = 0x70_6c_61;

/** What a random world is given where its tasks are to depend on each other. */
export const USUAL_DEPENDENCIES = { least: 5, most: 30, parents: 3 } as const;

/** For each task the places of those it depends on. */
export function dependenciesOf(
  { dependencies }: Pick<World, "dependencies">,
  seed: number,
  tasks: number,
): readonly (readonly number[])[] {
  if (dependencies === undefined) return [];
  const { least, most, parents } = dependencies;
  const next = streamOf(seed, OF_PLAN);
  const all: (readonly number[])[] = [];
  while (all.length < tasks) {
    const first = all.length;
    const size = least + Math.floor(next() * Math.max(1, most - least + 1));
    for (let place = 0; place < size; place += 1) {
      const many = Math.floor(next() * (parents + 1));
      const drawn = Array.from({ length: many }, () => first + Math.floor(next() * place));
      all.push(place === 0 ? [] : [...new Set(drawn)]);
    }
  }
  return all;
}
