/**
 * Repeated calls: equal events in a row, two to eight events in rotation, and a call that comes back with others in
 * between. Also tells new results from known ones. Invariants: O(1) per event; remembers the last eight events, and at
 * most 512 calls with their results.
 */
import type { ToolKind } from "./config.ts";
import { Streak, extend, type CallEvent, type Origin } from "./event.ts";
import { hashPair } from "../hash.ts";
import type { CallMemory, Place, SeenCall } from "./call-memory.ts";

const LONGEST = 8;

interface Past {
  readonly id: number;
  readonly key: number;
  readonly origin: Origin;
  readonly poll: boolean;
  readonly error: string | undefined;
}

export class Rows {
  /** Newest last; at most LONGEST. */
  readonly past: Past[] = [];
  readonly same = new Streak();
  /** Same call, failing each time with any error, or reporting an error each time that differs only in numbers. */
  readonly failing = new Streak();
  /** Same event of a tool that acts, with only looking around in between. */
  readonly acting: Streak & { kind: ToolKind } = { ...new Streak(), kind: "other" };
  /** For each period: how many events equal the one a period before, and where that began. */
  readonly matches = new Array<number>(LONGEST + 1).fill(0);
  readonly starts = new Array<Origin | undefined>(LONGEST + 1).fill(undefined);
}

/** `world` is a version of the tree: the same call after a change is a different event. */
export function noteInRows(rows: Rows, event: CallEvent, world: number): void {
  const { call, origin, failure } = event;
  const id = hashPair(hashPair(call.key, event.hash), world);
  const { past, same, failing, acting } = rows;
  const error = failure?.line;
  extend(same, id, event);
  same.error ??= error;
  if (event.alone || (event.outcome !== "failed" && event.complaint === 0)) failing.count = 0;
  else extend(failing, hashPair(call.key, event.complaint), event);
  if (!looksAround(event)) {
    extend(acting, id, event);
    acting.kind = call.kind;
  }
  for (let period = 2; period <= LONGEST; period += 1) {
    const before = past[past.length - period];
    if (before?.id !== id) rows.matches[period] = 0;
    else {
      if (rows.matches[period] === 0) rows.starts[period] = before.origin;
      rows.matches[period]! += 1;
    }
  }
  past.push({ id, key: call.key, origin, poll: event.poll, error });
  if (past.length > LONGEST) past.shift();
}

const looksAround = ({ poll, call, alone }: CallEvent): boolean =>
  poll || alone || call.kind === "read" || call.kind === "search" || call.kind === "plan";

interface Cycle {
  readonly period: number;
  /** Completed rounds. */
  readonly count: number;
  readonly origin: Origin;
  readonly polls: boolean;
  readonly error: string | undefined;
}

/** The shortest cycle completed at least twice; equal events in a row are not a cycle. */
export function cycleOf(rows: Rows): Cycle | undefined {
  for (let period = 2; period <= LONGEST; period += 1) {
    const matches = rows.matches[period]!;
    const origin = rows.starts[period];
    if (matches < period || rows.same.count >= period || origin === undefined) continue;
    const inCycle = rows.past.slice(-period);
    return {
      period,
      count: Math.floor(matches / period) + 1,
      origin,
      polls: inCycle.some((one) => one.poll),
      error: inCycle.find((one) => one.error !== undefined)?.error,
    };
  }
  return undefined;
}

/** Would a call with this key continue the row or the cycle? */
export function continuesCycle(rows: Rows, key: number, period: number): boolean {
  return rows.past[rows.past.length - period]?.key === key;
}

/** A call that comes back after more calls than this is not a loop; the limit is higher if results are not visible. */
const LONGEST_GAP = 8;

const LONGEST_UNSEEN_GAP = 16;

interface Recollection {
  /** Never called before. */
  readonly first: boolean;
  /** The result differs from the last one. */
  readonly changed: boolean;
  /** The world has changed since the last time. */
  readonly moved: boolean;
  /** Known from before the context was compacted: the agent may look again. */
  readonly forgotten: boolean;
}

const FIRST: Recollection = { first: true, changed: true, moved: true, forgotten: false };

export function recall(memory: CallMemory, event: CallEvent, place: Place): Recollection {
  memory.sequence += 1;
  const { key } = event.call;
  const seen = memory.calls.get(key);
  if (seen === undefined) {
    memory.calls.set(key, firstSeen(memory, event, place));
    forgetOldSpread(memory);
    return FIRST;
  }
  const gap = memory.sequence - seen.sequence;
  const changed = seen.hash !== event.hash;
  const moved = seen.world !== place.world;
  const forgotten = seen.context !== place.context;
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
  seen.hash = event.hash;
  seen.world = place.world;
  seen.context = place.context;
  seen.sequence = memory.sequence;
  seen.gap = gap;
  seen.poll = event.poll;
  // Agents look at their plan again between steps.
  const counts = seen.apart && event.call.kind !== "plan";
  if (counts && seen.count >= (memory.spread?.count ?? 0)) memory.spread = seen;
  forgetOldSpread(memory);
  return { first: false, changed, moved, forgotten };
}

function firstSeen(memory: CallMemory, event: CallEvent, place: Place): SeenCall {
  return {
    ...place,
    hash: event.hash,
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

/** The spread ends once the call has stayed away as long as it did before. */
function forgetOldSpread(memory: CallMemory): void {
  const { spread } = memory;
  if (
    spread !== undefined &&
    spread.sequence !== memory.sequence &&
    memory.sequence - spread.sequence >= spread.gap
  )
    memory.spread = undefined;
}

/** The last result of the call; undefined if it was never made. */
export const lastResultOf = (memory: CallMemory, key: number): number | undefined =>
  memory.calls.get(key)?.hash;

/** A call changed the world. It is recorded with the new version, and the spread of earlier calls is over. */
export function noteOwnChange(memory: CallMemory, key: number, world: number): void {
  const seen = memory.calls.get(key);
  if (seen !== undefined) seen.world = world;
  memory.spread = undefined;
}
