/**
 * When the model service is down or its quota is used up: one sequence per seed, the same for all tasks and policies,
 * because they share the service. Tasks of a world start one after the other on its clock.
 */
import { streamOf } from "../random.ts";
import type { World } from "../world/world.ts";

const OF_OUTAGES = 0x6f_75_74;
const OF_QUOTA = 0x71_75_6f;
/** Between the starts of two tasks. */
const TASK_EVERY_MINUTES = 20;

const exponential = (at: number, mean: number): number => -Math.log(1 - at) * mean;

/** Ends of up and down times in turn, in minutes; made as far as they are asked for. */
class Schedule {
  private readonly next;
  private readonly ends: number[] = [];
  private readonly outages: NonNullable<World["outages"]>;

  constructor(seed: number, outages: NonNullable<World["outages"]>) {
    this.next = streamOf(seed, OF_OUTAGES);
    this.outages = outages;
  }

  isDown(minute: number): boolean {
    while ((this.ends.at(-1) ?? 0) <= minute) {
      const isUp = this.ends.length % 2 === 0;
      const mean = isUp ? this.outages.everyHours * 60 : this.outages.minutes;
      this.ends.push((this.ends.at(-1) ?? 0) + exponential(this.next(), mean));
    }
    let low = 0;
    for (let high = this.ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.ends[middle]! > minute) high = middle;
      else low = middle + 1;
    }
    return low % 2 === 1;
  }
}

type OfSeed = { readonly seed: number; readonly index: number };

/** On the clock of the task's world. */
export const worldMinute = ({ index }: Pick<OfSeed, "index">, minutes: number): number =>
  index * TASK_EVERY_MINUTES + minutes;

/** In how many minutes there is quota again; nothing where there is some now. */
export function quotaIn({ quota }: World, task: OfSeed, minutes: number): number | undefined {
  if (quota === undefined) return undefined;
  const length = quota.hours * 60;
  const now = worldMinute(task, minutes);
  const window = Math.floor(now / length);
  const next = streamOf(task.seed, window, OF_QUOTA);
  const [isUsedUp, usedUpAt] = [next() < quota.runsOut, next()];
  const over = (window + 1) * length - now;
  return isUsedUp && over < (1 - usedUpAt) * length ? over : undefined;
}

const schedules = new WeakMap<World, Map<number, Schedule>>();

/** Whether the service is down so many minutes after a task has started. */
export function isDown(world: World, { seed, index }: OfSeed, minutes: number): boolean {
  if (world.outages === undefined) return false;
  const known = schedules.get(world) ?? new Map<number, Schedule>();
  schedules.set(world, known);
  const schedule = known.get(seed) ?? new Schedule(seed, world.outages);
  known.set(seed, schedule);
  return schedule.isDown(worldMinute({ index }, minutes));
}
