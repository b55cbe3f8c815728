/**
 * The inputs of one owned run, from the queue to the journal: a serial mailbox that batches what one turn of the event
 * loop adds; the inbox that other processes post to; and the recorder, which decides and writes. Invariants: inputs are
 * decided in order; an item is handled once, unless the handler gives it back, then it stays first in line; an input
 * whose decision throws leaves no trace and affects no other; the state moves only after the commit; writing snapshots
 * costs at most about half as much as writing the events between them, and a restart never reads much more than two
 * snapshots' length.
 */
import type { Policy } from "../core/policy/policy.ts";
import { standardRules } from "../core/rules/standard.ts";
import type { Command } from "../core/run/command.ts";
import { decide } from "../core/run/decide/decide.ts";
import type { RunInput } from "../core/run/input.ts";
import { runSummary } from "../core/run/run-summary.ts";
import type { RunState } from "../core/run/state.ts";
import { JournalError } from "../journal/error.ts";
import { eventText, type RowText } from "../journal/event-text.ts";
import type { Journal } from "../journal/journal.ts";
import type { Claim } from "../journal/owners.ts";
import type { Delivery } from "../runtime/ports.ts";
import { snapshotOf, type RestoredRun } from "./restored.ts";
import type { JournalReader, Posted } from "../journal/reader.ts";

interface Mailbox<T> {
  add(item: T): void;
  /** Continues with items that were given back. */
  wake(): void;
  /** Drops some of the queued items and waits until the others are handled. */
  drain(isDropped: (item: T) => boolean): Promise<void>;
}

/** Items of the mailbox per batch, rows of the inbox per read. */
const AT_ONCE = 256;

/** The handler must not reject; it returns the items it could not handle now. */
export function mailbox<T>(handle: (items: readonly T[]) => Promise<readonly T[]>): Mailbox<T> {
  let queue: T[] = [];
  let running: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    try {
      while (queue.length > 0) {
        await new Promise((resolve) => setImmediate(resolve));
        const back = await handle(queue.splice(0, AT_ONCE));
        if (back.length === 0) continue;
        queue.unshift(...back);
        return;
      }
    } finally {
      running = undefined;
    }
  };
  const wake = (): void => {
    if (queue.length > 0) running ??= work();
  };

  return {
    add(item) {
      queue.push(item);
      wake();
    },
    wake,
    async drain(isDropped) {
      queue = queue.filter((item) => !isDropped(item));
      for (wake(); running !== undefined; wake()) await running;
    },
  };
}

/** Returns the function that reads the inbox; a call during a read makes it read once more. */
export function inbox(
  journal: JournalReader,
  run: string,
  onPosted: (posted: Posted) => void,
): () => Promise<void> {
  let seen = 0;
  let looking: Promise<void> | undefined;
  let again = false;

  const look = async (): Promise<void> => {
    try {
      do {
        again = false;
        const rows = await journal.posted(run, seen, AT_ONCE);
        for (const row of rows) {
          seen = row.id;
          onPosted(row);
        }
        again ||= rows.length === AT_ONCE;
      } while (again);
    } finally {
      looking = undefined;
    }
  };

  return () => {
    again = true;
    return (looking ??= look());
  };
}

export interface Waiting {
  readonly input: RunInput;
  /** Its row in the inbox, if it came from there. */
  readonly posted?: number;
}

export type Outcome<W> = { readonly item: W } & (
  | { readonly delivery: Delivery; readonly commands: readonly Command[] }
  | { readonly error: unknown }
);

interface Recorder {
  readonly state: () => RunState;
  /** Rejects, with nothing changed, if the decision could not be recorded. */
  record<W extends Waiting>(items: readonly W[]): Promise<readonly Outcome<W>[]>;
  /** Writes a snapshot if it is time for one. */
  snapshot(): Promise<void>;
}

interface RecorderOptions {
  readonly journal: Journal;
  readonly claim: Claim;
  readonly policy: Policy;
  readonly restored: RestoredRun;
  readonly onPoint: (point: CrashPoint) => void;
  /** Length of events after which a snapshot is worth its cost, however small it is. */
  readonly snapshotSize: number;
}

/** Length of events before the next snapshot, in lengths of the last one. */
const EVENTS_PER_SNAPSHOT = 2;

export function recorder(options: RecorderOptions): Recorder {
  const { journal, claim, policy, onPoint } = options;
  let { state, seq, sizeSince, snapshotSize } = options.restored;
  return {
    state: () => state,
    async record(items) {
      const { after, events, taken, outcomes, at } = decideAll(state, items, policy);
      const { phase, outcome } = after;
      const ending = outcome === undefined ? {} : { outcome: outcome.kind };
      onPoint("before-append");
      // Even if there is nothing to write: an owner that has lost the run may take a valid input for stale.
      const appended = await journal.append({
        ...{ claim, expected: seq, events, taken, phase, ...ending, at },
        summary: runSummary(after),
      });
      if (!appended.ok)
        throw new JournalError(
          "owner-lost",
          `Run ${claim.run} was taken over by another process. This one must stop working on it.`,
        );
      onPoint("after-append");
      state = after;
      seq = appended.seq;
      sizeSince += events.reduce((sum, { length }) => sum + length, 0);
      return outcomes;
    },
    async snapshot() {
      if (sizeSince < Math.max(options.snapshotSize, EVENTS_PER_SNAPSHOT * snapshotSize)) return;
      const snapshot = snapshotOf(state, seq);
      sizeSince = 0;
      snapshotSize = snapshot.state.length;
      onPoint("snapshot-before");
      await journal.saveSnapshot(claim, snapshot);
      onPoint("snapshot-after");
    },
  };
}

/**
 * Pure except for the policy it is given. `taken`: handled rows of the inbox; `at`: the time of the last recorded
 * input.
 */
export function decideAll<W extends Waiting>(
  before: RunState,
  items: readonly W[],
  policy: Policy,
) {
  const events: RowText[] = [];
  const taken: number[] = [];
  const outcomes: Outcome<W>[] = [];
  let after = before;
  let at = 0;
  const rules = standardRules();
  for (const item of items) {
    const { input, posted } = item;
    try {
      const { decisions, commands, ignored, state } = decide(after, input, policy, rules);
      if (ignored === undefined) {
        events.push(...[{ kind: "received", input } as const, ...decisions].map(eventText));
        after = state;
        at = input.at;
      }
      const delivery: Delivery =
        ignored === undefined ? { recorded: true, state } : { recorded: false, ignored };
      outcomes.push({ item, delivery, commands });
      if (posted !== undefined) taken.push(posted);
    } catch (error) {
      outcomes.push({ item, error });
    }
  }
  return { after, events, taken, outcomes, at };
}

/** Points at which tests kill the process. */
export type CrashPoint =
  | "claimed"
  | "inbox-taken"
  | "timer-fired"
  | "before-append"
  | "after-append"
  | "before-perform"
  | "after-perform"
  | "snapshot-before"
  | "snapshot-after";
