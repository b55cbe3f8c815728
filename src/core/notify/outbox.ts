/**
 * The outbox of notices, as data that survives a crash: what to send through which channel, when it was tried and when
 * it is due. Invariants: a notice is queued once, however often its event is read; for each cause and channel, at most
 * one message a minute is sent, with everything that is waiting; a message being sent is leased, so no other process
 * sends it until the lease ends; bounded.
 */
import * as z from "zod";
import { OUTSIDE_ANSWERS, SEVERITIES, type Notice } from "./notice.ts";

export const CHANNELS = ["desktop", "webhook", "slack", "ntfy"] as const;
export type ChannelName = (typeof CHANNELS)[number];

const notice = z.object({
  ...{ id: z.string(), run: z.string(), repository: z.string(), severity: z.enum(SEVERITIES) },
  ...{ cause: z.string(), words: z.string(), question: z.string().exactOptional() },
  answers: z.array(z.enum(OUTSIDE_ANSWERS)).readonly().exactOptional(),
  details: z.string().exactOptional(),
  at: z.number(),
});

const schema = z.object({
  waiting: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      notice,
      /** The earliest time to send it. */
      due: z.number(),
      tries: z.number(),
    }),
  ),
  /** By run: the last event that was read. */
  seen: z.array(z.tuple([z.string(), z.number()])),
  /** By channel and cause: when sending of the last message began. */
  sent: z.array(z.tuple([z.string(), z.number()])),
  /** By channel: why it last failed. */
  problems: z.array(z.tuple([z.enum(CHANNELS), z.string()])),
});

export type Outbox = z.infer<typeof schema>;
export type Waiting = Outbox["waiting"][number];

export const EMPTY: Outbox = { waiting: [], seen: [], sent: [], problems: [] };

/** Empty if the text is not an outbox; what it contained is still visible on the page and in `unstuck inbox`. */
export function readOutbox(text: string | undefined): Outbox {
  if (text === undefined) return EMPTY;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return EMPTY;
  }
}

const WAITING_MAX = 300;
const RUNS_MAX = 200;
const CAUSES_MAX = 200;

const seenOf = ({ seen }: Outbox, run: string): number => seen.find(([id]) => id === run)?.[1] ?? 0;

/** `upTo`: the last event of the run that was read. If there are too many items, the oldest are dropped. */
export function queued(
  outbox: Outbox,
  { run, upTo, items }: { run: string; upTo: number; items: readonly Waiting[] },
): Outbox {
  const known = seenOf(outbox, run);
  const fresh = items.filter(({ notice: { id } }) => Number(id.split("/").at(-1)) > known);
  const others = outbox.seen.filter(([id]) => id !== run);
  return {
    ...outbox,
    waiting: [...outbox.waiting, ...fresh].slice(-WAITING_MAX),
    seen: [...others, [run, Math.max(known, upTo)] as [string, number]].slice(-RUNS_MAX),
  };
}

/** Queues a notice again for a person who snoozed it. */
export const requeued = (outbox: Outbox, items: readonly Waiting[]): Outbox => ({
  ...outbox,
  waiting: [...outbox.waiting, ...items].slice(-WAITING_MAX),
});

const APART_MS = 60_000;
const LEASE_MS = 60_000;

const causeKey = ({ channel, notice: { cause } }: Waiting): string => `${channel} ${cause}`;
const isSame = (a: Waiting, b: Waiting): boolean =>
  a.channel === b.channel && a.notice.id === b.notice.id;

/** When the next message can be sent; undefined if none is waiting. */
export function nextDue(outbox: Outbox): number | undefined {
  const times = outbox.waiting.map((item) => dueAt(outbox, item));
  return times.length === 0 ? undefined : Math.min(...times);
}

const dueAt = ({ sent }: Outbox, item: Waiting): number => {
  const last = sent.find(([key]) => key === causeKey(item))?.[1];
  return Math.max(item.due, last === undefined ? 0 : last + APART_MS);
};

/** Postpones items due during quiet hours until these end. */
export const quieted = (
  outbox: Outbox,
  now: number,
  quietMs: (severity: Notice["severity"]) => number,
): Outbox => ({
  ...outbox,
  waiting: outbox.waiting.map((item) => {
    const wait = item.due > now ? 0 : quietMs(item.notice.severity);
    return wait === 0 ? item : { ...item, due: now + wait };
  }),
});

/**
 * Takes the next due message, with all items of its cause and channel; it belongs to the caller until the lease ends.
 */
export function leased(
  outbox: Outbox,
  now: number,
): { readonly outbox: Outbox; readonly items: readonly Waiting[] } {
  const first = outbox.waiting.find((item) => dueAt(outbox, item) <= now);
  if (first === undefined) return { outbox, items: [] };
  const key = causeKey(first);
  const items = outbox.waiting.filter((item) => causeKey(item) === key && item.due <= now);
  const others = outbox.sent.filter(([cause]) => cause !== key);
  return {
    items,
    outbox: {
      ...outbox,
      waiting: outbox.waiting.map((item) =>
        items.includes(item) ? { ...item, due: now + LEASE_MS } : item,
      ),
      sent: [...others, [key, now] as [string, number]].slice(-CAUSES_MAX),
    },
  };
}

export const delivered = (outbox: Outbox, items: readonly Waiting[]): Outbox => ({
  ...outbox,
  waiting: outbox.waiting.filter((item) => !items.some((one) => isSame(one, item))),
  problems: outbox.problems.filter(([channel]) => channel !== items[0]?.channel),
});

const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 3_600_000;
const TRIES_MAX = 20;

/**
 * Schedules another try with increasing delays; gives up if the receiver rejects it permanently, or after many tries.
 */
export function failed(
  outbox: Outbox,
  items: readonly Waiting[],
  { now, problem, forGood }: { now: number; problem: string; forGood: boolean },
): Outbox {
  const channel = items[0]?.channel;
  if (channel === undefined) return outbox;
  const others = outbox.problems.filter(([name]) => name !== channel);
  return {
    ...outbox,
    problems: [...others, [channel, problem]],
    // Nothing was sent, so the limit of one message a minute does not apply.
    sent: outbox.sent.filter(([key]) => !items.some((item) => causeKey(item) === key)),
    waiting: outbox.waiting.flatMap((item) => {
      if (!items.some((one) => isSame(one, item))) return [item];
      const tries = item.tries + 1;
      if (forGood || tries >= TRIES_MAX) return [];
      const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** item.tries);
      return [{ ...item, tries, due: now + wait }];
    }),
  };
}
