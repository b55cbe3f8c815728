/**
 * Which calls were made before and what they brought: tells news from what is known already, and counts a call
 * that comes back with other calls between. Invariants: O(1) an event; at most 512 calls are remembered.
 */
import type { CallEvent, Origin } from "./event.ts";
import type { Recent } from "./recent.ts";
import { createRecent } from "./recent.ts";

interface Seen {
  mark: number;
  world: number;
  /** Number of the context this was last seen in: a compaction begins a new one. */
  context: number;
  sequence: number;
  gap: number;
  count: number;
  /** Since the count began: other calls stood between; never more than one. */
  apart: boolean;
  dense: boolean;
  origin: Origin;
  error: string | undefined;
  readonly tool: string;
  poll: boolean;
}

export interface Memory {
  readonly calls: Recent<Seen>;
  sequence: number;
  /** The call that comes back again and again just now. */
  spread: Seen | undefined;
}

/** More calls apart than this, and coming back is no loop; further where results are not seen. */
const LONGEST_GAP = 8;
const LONGEST_UNSEEN_GAP = 16;

export const createMemory = (): Memory => ({
  calls: createRecent(512),
  sequence: 0,
  spread: undefined,
});

export interface Recollection {
  /** Never called before. */
  readonly first: boolean;
  /** The result is another one than last time. */
  readonly changed: boolean;
  /** The world is another one than last time. */
  readonly moved: boolean;
  /** Known, but from before the context was cut: the agent has a right to look again. */
  readonly forgotten: boolean;
}

const FIRST: Recollection = { first: true, changed: true, moved: true, forgotten: false };

export function recall(
  memory: Memory,
  event: CallEvent,
  world: number,
  context: number,
): Recollection {
  memory.sequence += 1;
  const { key } = event.call;
  const seen = memory.calls.get(key);
  if (seen === undefined) {
    memory.calls.set(key, firstSeen(memory, event, world, context));
    forgetOldSpread(memory);
    return FIRST;
  }
  const gap = memory.sequence - seen.sequence;
  const changed = seen.mark !== event.mark;
  const moved = seen.world !== world;
  const forgotten = seen.context !== context;
  const longest = event.outcome === "unseen" ? LONGEST_UNSEEN_GAP : LONGEST_GAP;
  if (changed || moved || forgotten || gap > longest) {
    seen.count = 1;
    seen.apart = false;
    seen.dense = true;
    seen.origin = event.origin;
    seen.error = event.failure?.line;
  } else {
    seen.count += 1;
    seen.apart ||= gap > 1;
    seen.dense &&= gap <= 2;
  }
  seen.mark = event.mark;
  seen.world = world;
  seen.context = context;
  seen.sequence = memory.sequence;
  seen.gap = gap;
  seen.poll = event.poll;
  // a plan is looked at again between steps
  const counts = seen.apart && event.call.kind !== "plan";
  if (counts && seen.count >= (memory.spread?.count ?? 0)) memory.spread = seen;
  forgetOldSpread(memory);
  return { first: false, changed, moved, forgotten };
}

function firstSeen(memory: Memory, event: CallEvent, world: number, context: number): Seen {
  return {
    mark: event.mark,
    world,
    context,
    sequence: memory.sequence,
    gap: 0,
    count: 1,
    apart: false,
    dense: true,
    origin: event.origin,
    error: event.failure?.line,
    tool: event.call.tool.name,
    poll: event.poll,
  };
}

/** It is over when the call stays away as long as it did before. */
function forgetOldSpread(memory: Memory): void {
  const { spread } = memory;
  if (
    spread !== undefined &&
    spread.sequence !== memory.sequence &&
    memory.sequence - spread.sequence >= spread.gap
  )
    memory.spread = undefined;
}

/** What the call brought last; nothing where it was never made. */
export const lastMarkOf = (memory: Memory, key: number): number | undefined =>
  memory.calls.get(key)?.mark;

/** A call changed the world: it finds it as it left it, and what came back before is over. */
export function settle(memory: Memory, key: number, world: number): void {
  const seen = memory.calls.get(key);
  if (seen !== undefined) seen.world = world;
  memory.spread = undefined;
}
