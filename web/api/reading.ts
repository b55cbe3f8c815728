/**
 * Cached reads: kept while a component shows them, and read again after a change. Invariants: an old value stays on the
 * screen while a newer one is loading or unavailable; after a quiet time a change is read at once, a busy run at most
 * four times a second, and less often if reading it is slow.
 */
import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { problemOf, read, SIGNED_OUT, type Problem } from "./client.ts";
import { onChanged, onListNews, type ListNews } from "./live.ts";
import type { Reads } from "./operations.ts";

export interface Reading<T> {
  readonly value?: T;
  readonly problem?: Problem;
  /** Epoch milliseconds. */
  readonly at?: number;
}

interface Kept {
  readonly signal: Signal<Reading<unknown>>;
  readonly about: readonly string[];
  readonly load: () => Promise<unknown>;
  users: number;
  busy: boolean;
  stale: boolean;
  tookMs: number;
  /** When it was last read, by `performance.now()`. */
  readAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The user is not signed in: the page says so instead of showing content. */
export const signedOut = signal(false);

const PAUSE_MS = 250;
const UNUSED_KEPT = 12;
const ALL_RUNS = { all: true };
const LIST = keyOf("list", ALL_RUNS);
const kept = new Map<string, Kept>();

onChanged((subjects) => {
  for (const one of kept.values())
    if (subjects.has("everything") || one.about.some((subject) => subjects.has(subject)))
      if (one.users > 0) refresh(one);
      else one.stale = true;
});

onListNews((news) => {
  const list = kept.get(LIST)?.signal as Signal<Reading<Reads["list"]["output"]>> | undefined;
  if (list?.value.value === undefined) return;
  list.value = { ...list.value, value: withNews(list.value.value, news), at: Date.now() };
});

function withNews(
  value: Reads["list"]["output"],
  { runs, removed }: ListNews,
): Reads["list"]["output"] {
  const changed = new Map(runs.map((run) => [run.id, run]));
  const gone = new Set(removed);
  const kept = value.runs
    .filter(({ id }) => !gone.has(id))
    .map((run) => {
      const now = changed.get(run.id);
      changed.delete(run.id);
      return now ?? run;
    });
  return { ...value, runs: [...changed.values(), ...kept] };
}

function refresh(one: Kept): void {
  one.stale = true;
  if (one.busy || one.timer !== undefined) return;
  const due = one.readAt + Math.max(PAUSE_MS, 2 * one.tookMs) - performance.now();
  one.timer = setTimeout(() => void load(one), Math.max(0, due));
}

async function load(one: Kept): Promise<void> {
  one.busy = true;
  one.stale = false;
  clearTimeout(one.timer);
  one.timer = undefined;
  const began = performance.now();
  try {
    one.signal.value = { value: await one.load(), at: Date.now() };
    signedOut.value = false;
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === SIGNED_OUT) signedOut.value = true;
    one.signal.value = { ...one.signal.value, problem };
  }
  one.readAt = performance.now();
  one.tookMs = one.readAt - began;
  one.busy = false;
  if (one.stale && one.users > 0) refresh(one);
}

export const readAgain = (): void => {
  for (const one of kept.values()) if (one.users > 0) refresh(one);
};

/** Drops reads that are no longer used, except the last few, so that going back shows something at once. */
function forgetOldest(): void {
  const unused = [...kept].filter(([, { users }]) => users === 0);
  for (const [key] of unused.slice(0, Math.max(0, unused.length - UNUSED_KEPT))) kept.delete(key);
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** Read while the component is mounted; read again whenever one of the subjects changed. */
export function useReading<Name extends keyof Reads>(
  name: Name,
  input: Reads[Name]["input"],
  about: readonly string[] = [],
): ReadonlySignal<Reading<Reads[Name]["output"]>> {
  return useKept(keyOf(name, input), about, () => read(name, input));
}

/** Every run; kept up to date from the stream. */
export const useRuns = (): ReadonlySignal<Reading<Reads["list"]["output"]>> =>
  useReading("list", ALL_RUNS);

function useKept<T>(
  key: string,
  about: readonly string[],
  how: () => Promise<T>,
): ReadonlySignal<Reading<T>> {
  const one = useMemo(() => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const state = { users: 0, busy: false, stale: false, tookMs: 0, readAt: 0, timer: undefined };
    const made: Kept = { signal: signal<Reading<unknown>>({}), about, load: how, ...state };
    kept.set(key, made);
    return made;
  }, [key]);
  useEffect(() => {
    one.users += 1;
    kept.set(key, one);
    if (!one.busy) void load(one);
    return () => {
      one.users -= 1;
      if (one.users > 0) return;
      clearTimeout(one.timer);
      one.timer = undefined;
      forgetOldest();
    };
  }, [one]);
  return one.signal as ReadonlySignal<Reading<T>>;
}
