/**
 * The usual duration of attempts, by agent and tier, used to decide when an attempt has run for far too long. Only
 * attempts that ended on their own count, because a stopped one does not show how long it would have taken. Invariants:
 * plain JSON, bounded; values read from outside are brought within these limits or dropped.
 */
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { RunEvent } from "../run/decision.ts";

/** By `durationKey`: the latest ones in milliseconds, oldest first. */
export type Durations = Readonly<Record<string, readonly number[]>>;

export interface Duration {
  readonly key: string;
  readonly ms: number;
}

const MOST_KEYS = 50;
const MOST_EACH = 31;
/** With fewer of them nothing is known. */
const LEAST = 5;

export const durationKey = ({ agent, tier }: Pick<ModelEntry, "agent" | "tier">): string =>
  `${cleanLine(agent, 60)}|${tier}`;

/** Takes a run's events in order. */
export function durationCollector(): { add(event: RunEvent): readonly Duration[] } {
  const keys = new Map<string, string>();
  return {
    add(event) {
      if (event.kind === "attempt-dispatched")
        keys.set(`${event.subtask}/${event.attempt}`, durationKey(event.spec.entry));
      if (event.kind !== "received" || event.input.kind !== "attempt-ended") return [];
      const { subtask, attempt, observed, outcome, remains } = event.input;
      const key = keys.get(`${subtask}/${attempt}`);
      keys.delete(`${subtask}/${attempt}`);
      const { timeMs = 0 } = remains.used;
      const isWhole = observed === undefined && outcome === "finished" && timeMs > 0;
      return key !== undefined && isWhole ? [{ key, ms: Math.round(timeMs) }] : [];
    },
  };
}

export function withDuration(known: Durations, { key, ms }: Duration): Durations {
  const { [key]: before = [], ...others } = known;
  const kept = Object.entries(others).slice(-(MOST_KEYS - 1));
  return { ...Object.fromEntries(kept), [key]: [...before, ms].slice(-MOST_EACH) };
}

/** The median of each agent and tier that is known well enough. */
export const usualDurations = (known: Durations): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(known).flatMap(([key, all]) => {
      const middle = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
      return middle === undefined || all.length < LEAST ? [] : [[key, middle] as const];
    }),
  );

const DAY_MS = 24 * 3_600_000;

export const readDurations = (value: unknown): Durations =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => /^[^|]{1,60}\|\d$/.test(key))
          .slice(-MOST_KEYS)
          .map(([key, all]) => [key, Array.isArray(all) ? all.filter(isMs).slice(-MOST_EACH) : []]),
      )
    : {};

const isMs = (value: unknown): value is number =>
  typeof value === "number" && value > 0 && value <= DAY_MS;
