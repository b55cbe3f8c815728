/**
 * Plays policies in the same worlds, on the same tasks, with the same luck, and reports how they differ. Invariants:
 * only the settings determine the result; every policy meets all tasks of a world in the same order.
 */
import { dependenciesOf } from "../play/dependencies.ts";
import { play } from "../play/play.ts";
import { drawTask } from "../play/task.ts";
import type { Rules } from "../play/view.ts";
import type { TaskResult } from "../play/result.ts";
import type { Contestant } from "../policies/contestant.ts";
import { changedWorld } from "../world/random-world.ts";
import type { World } from "../world/world.ts";
import { added, costPerSuccess, recoveredShare, tallyOf, type Tally } from "./tally.ts";
import { streamOf } from "../random.ts";

interface Settings extends Rules {
  readonly worlds: readonly { readonly seed: number; readonly world: World }[];
  readonly tasks: number;
  /** So many tasks at the start of each world are played, for those that learn, and not counted. */
  readonly skip: number;
}

export interface Compared {
  readonly contestant: Contestant;
  readonly total: Tally;
  /** To the one they are compared with: share recovered, and cost per success as a part of its. */
  readonly recovered: Interval;
  readonly costPerSuccess: Interval;
}

/** One policy in one world: what a progress bar counts. */
export function playWorld(
  { seed, world }: Settings["worlds"][number],
  contestant: Contestant,
  { tasks, skip, budget, person }: Omit<Settings, "worlds">,
): Tally {
  const { playerFor, learn } = contestant.enter(world, seed);
  const results: TaskResult[] = [];
  const before = dependenciesOf(world, seed, skip + tasks);
  const undone = new Set<number>();
  let blocked = 0;
  const later = world.change === undefined ? world : changedWorld(world);
  const changesAt = (skip + tasks) * (world.change?.after ?? 1);
  // Whoever learns nothing, in a world where tasks are alone, is no other after them.
  const isUntouched = learn === undefined && world.dependencies === undefined;
  for (let index = isUntouched ? skip : 0; index < skip + tasks; index += 1) {
    const now = index < changesAt ? world : later;
    if (before[index]?.some((one) => undone.has(one)) === true) {
      undone.add(index);
      if (index >= skip) blocked += 1;
      continue;
    }
    const result = play(now, drawTask(world, seed, index), playerFor, { budget, person });
    learn?.(result);
    if (!result.succeeded) undone.add(index);
    if (index >= skip) results.push(result);
  }
  return { ...tallyOf(results), blocked };
}

/** From the tallies of each policy, in the order of the worlds; `against`: the id of the one the others are held against. */
export function compared(
  tallies: ReadonlyMap<Contestant, readonly Tally[]>,
  against: string,
): readonly Compared[] {
  const base = [...tallies].find(([{ id }]) => id === against)?.[1] ?? [];
  return [...tallies].map(([contestant, own]) => ({
    contestant,
    total: added(own),
    recovered: bootstrap(own.length, (positions) =>
      difference(positions, own, base, (tally) => recoveredShare(tally)),
    ),
    costPerSuccess: bootstrap(own.length, (positions) => {
      const part = (of: readonly Tally[]): number => ratioOf(positions, of);
      return part(own) / part(base) - 1;
    }),
  }));
}

function difference(
  positions: readonly number[],
  own: readonly Tally[],
  base: readonly Tally[],
  figure: (tally: Tally) => number,
): number {
  const sum = positions.reduce(
    (total, position) => total + figure(own[position]!) - figure(base[position]!),
    0,
  );
  return sum / positions.length;
}

function ratioOf(positions: readonly number[], tallies: readonly Tally[]): number {
  let cost = 0;
  let succeeded = 0;
  for (const position of positions) {
    cost += tallies[position]!.cost;
    succeeded += tallies[position]!.succeeded;
  }
  return costPerSuccess({ cost, succeeded } as Tally);
}

/** Of 95 %: a difference is one only where 0 is outside. */
interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;
const OF_BOOTSTRAP = 0x62_6f_6f;

/**
 * How sure a difference is: paired by world, resampled with a fixed stream. `figure` of the worlds that are named by position, some of them more than once.
 */
export function bootstrap(
  worlds: number,
  figure: (positions: readonly number[]) => number,
): Interval {
  const next = streamOf(OF_BOOTSTRAP, worlds);
  const all = Array.from({ length: worlds }, (_, position) => position);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    figure(all.map(() => Math.floor(next() * worlds))),
  ).sort((a, b) => a - b);
  const at = (share: number): number => drawn[Math.floor(share * (RESAMPLES - 1))] ?? NaN;
  return { mean: figure(all), low: at(0.025), high: at(0.975) };
}
