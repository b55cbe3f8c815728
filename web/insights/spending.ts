/** Cost and time of runs by day, in the browser's own time zone. Pure. */
import type { ListedRun } from "../api/operations.ts";

export interface Day {
  /** Its midnight; epoch milliseconds. */
  readonly at: number;
  readonly runs: number;
  readonly usd: number;
  readonly hours: number;
}

type Facts = Pick<ListedRun, "created" | "changed" | "cost">;

const HOUR_MS = 3_600_000;
/** Waiting for a person for days says nothing about work. */
const HOURS_MOST = 24;

const SECONDS = [1, 5, 10, 30, 60, 300, 600, 1800];
const HOURS = [1, 2, 4, 8, 24, 48, 120, 240];

/** Round steps for an axis. */
export const HOUR_STEPS: readonly number[] = [...SECONDS.map((one) => one / 3600), ...HOURS];
export const USD_STEPS: readonly number[] = [0.01, 0.1, 1, 10, 100, 1000].flatMap((one) => [
  ...[one, 2 * one, 5 * one],
]);

export function byDay(runs: readonly Facts[], from: number): readonly Day[] {
  const days = new Map<number, Day>();
  for (const { created, changed = created, cost } of runs) {
    if (created < from) continue;
    const at = new Date(created).setHours(0, 0, 0, 0);
    const known = days.get(at) ?? { at, runs: 0, usd: 0, hours: 0 };
    days.set(at, {
      at,
      runs: known.runs + 1,
      usd: known.usd + (cost?.amount ?? 0),
      hours: known.hours + Math.min(HOURS_MOST, Math.max(0, changed - created) / HOUR_MS),
    });
  }
  return filled(days);
}

const DAYS_LEAST = 14;

/** Fills in the days without runs, up to the last day that has some. */
function filled(days: ReadonlyMap<number, Day>): readonly Day[] {
  const [first, last] = [Math.min(...days.keys()), Math.max(...days.keys())];
  const all: Day[] = [];
  for (let at = last; days.size > 0 && (at >= first || all.length < DAYS_LEAST); at = dayBefore(at))
    all.unshift(days.get(at) ?? { at, runs: 0, usd: 0, hours: 0 });
  return all;
}

/** Noon is safe: some days have an hour more or less. */
const dayBefore = (at: number): number => new Date(at - HOUR_MS * 12).setHours(0, 0, 0, 0);
