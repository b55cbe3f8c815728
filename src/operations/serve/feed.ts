/**
 * Changes for any number of listeners at once: the events of a run, and the rows of the list of runs. Invariants: one
 * reader of the journal for all of them, and it never writes; it polls only while there are listeners; data sent to
 * many is built once; a slow listener has each row pending once, however often it changed.
 */
import type { RunEvent } from "../../core/run/decision.ts";
import { defined } from "../operation.ts";
import type { OpenHome } from "../runs/open-run.ts";
import { recordedEvents } from "../runs/recorded.ts";
import type { ListedRun } from "../runs/status.ts";
import { lineOf } from "../follow/run-lines.ts";
import type { Line } from "../text.ts";
import type { KeptList } from "./kept-list.ts";

interface ToldEvent {
  readonly kind: "recorded";
  readonly seq: number;
  readonly event: RunEvent;
  readonly line?: Line;
}

interface ListChange {
  readonly event: "runs" | "inbox";
  /** The time of the newest event it includes. */
  readonly id: number;
  readonly data: ChangedRuns | { readonly questions: number };
}

interface ChangedRuns {
  readonly runs: readonly ListedRun[];
  readonly removed: readonly string[];
}

export interface Feed {
  readonly knows: (run: string) => Promise<boolean>;
  /** Yields events from this one on, until the run ends or the signal aborts. */
  readonly run: (run: string, from: number, until: AbortSignal) => AsyncIterable<ToldEvent>;
  /** Yields what changed in the list since that time, and all further changes. */
  readonly all: (since: number, until: AbortSignal) => AsyncIterable<ListChange>;
}

interface Listener {
  readonly changed: Set<string>;
  ring: () => void;
}

/**
 * A change after a quiet time is sent at once, continuing changes no more often than this. It is shorter than the
 * interval of notices about other processes' writes, so that with many writing runs no change waits for another run's.
 */
const LOOK_MS = 100;
/** With many listeners, sending takes most of the time, so changes are sent less often: up to this interval. */
const LOOK_MS_MAX = 250;
const LISTENERS_PER_MS = 2;
/** The death of a process is not recorded anywhere, so owners are polled. */
const OWNERS_LOOK_MS = 2000;

export function openFeed({ journal }: Pick<OpenHome, "journal">, kept: KeptList): Feed {
  const listeners = new Set<Listener>();
  const made = new Map<string, ChangedRuns>();
  let questions = 0;
  let stop: (() => void) | undefined;

  kept.onChange((ids) => {
    if (listeners.size === 0) return;
    made.clear();
    questions = openQuestions(kept);
    for (const listener of listeners) {
      for (const id of ids) listener.changed.add(id);
      listener.ring();
    }
  });
  /** Most listeners wait for the same rows. */
  const changedRuns = (ids: readonly string[]): ChangedRuns => {
    const key = ids.join(" ");
    const known = made.get(key);
    if (known !== undefined) return known;
    const runs = ids.flatMap((id) => kept.listed(id) ?? []);
    const data = { runs, removed: ids.filter((id) => kept.listed(id) === undefined) };
    made.set(key, data);
    return data;
  };
  const begin = async (): Promise<void> => {
    if (stop !== undefined) return;
    let isLooking = false;
    let isDue = false;
    let looked = 0;
    const lookOnce = (): void => {
      isDue = true;
      if (isLooking) return;
      isLooking = true;
      setTimeout(
        () => {
          isDue = false;
          looked = Date.now();
          // The journal is busy or damaged: the next look, or the next request, will report it.
          void kept
            .look()
            .catch(() => undefined)
            .finally(() => {
              isLooking = false;
              if (isDue && stop !== undefined) lookOnce();
            });
        },
        Math.max(0, looked + lookEveryMs(listeners.size) - Date.now()),
      ).unref();
    };
    const unwatch = journal.watch(lookOnce);
    const owners = setInterval(lookOnce, OWNERS_LOOK_MS).unref();
    stop = () => {
      unwatch();
      clearInterval(owners);
    };
    await kept.look();
    questions = openQuestions(kept);
  };
  return {
    knows: async (run) => (await journal.run(run)) !== undefined,
    async *run(run, from, until) {
      for await (const { seq, event } of recordedEvents(journal, run, { from, until })) {
        if (until.aborted) return;
        yield { kind: "recorded", seq, event, ...defined({ line: lineOf(event) }) };
      }
    },
    async *all(since, until) {
      const listener: Listener = { changed: new Set(), ring: () => undefined };
      await begin();
      listeners.add(listener);
      until.addEventListener("abort", () => listener.ring(), { once: true });
      if (since > 0)
        for (const { id, phase, changed = 0 } of kept.all())
          if (phase !== "ended" || changed >= since) listener.changed.add(id);
      let toldQuestions: number | undefined;
      try {
        for (let isFirst = true; !until.aborted; isFirst = false) {
          if (listener.changed.size === 0 && !isFirst)
            await new Promise<void>((resolve) => (listener.ring = resolve));
          if (until.aborted) return;
          const ids = [...listener.changed];
          listener.changed.clear();
          const data = changedRuns(ids);
          if (ids.length > 0 || isFirst) yield { event: "runs", id: kept.newest(), data };
          if (questions === toldQuestions && !data.runs.some(hasQuestions)) continue;
          toldQuestions = questions;
          yield { event: "inbox", id: kept.newest(), data: { questions } };
        }
      } finally {
        listeners.delete(listener);
        if (listeners.size === 0) {
          stop?.();
          stop = undefined;
        }
      }
    },
  };
}

const lookEveryMs = (listeners: number): number =>
  Math.min(LOOK_MS_MAX, Math.max(LOOK_MS, listeners / LISTENERS_PER_MS));

const hasQuestions = ({ phase, questions }: ListedRun): boolean =>
  phase !== "ended" && questions > 0;

function openQuestions(kept: KeptList): number {
  let open = 0;
  for (const run of kept.all()) if (hasQuestions(run)) open += run.questions;
  return open;
}
