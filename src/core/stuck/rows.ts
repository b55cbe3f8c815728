/**
 * Equal events in a row, and two to eight events that come round in turn. Invariants: O(1) an event; remembers the
 * last eight events only.
 */
import type { ToolKind } from "./config.ts";
import type { CallEvent, Origin } from "./event.ts";
import { hashPair } from "../hash.ts";

const LONGEST = 8;

interface Past {
  readonly id: number;
  readonly key: number;
  readonly origin: Origin;
  readonly poll: boolean;
  readonly error: string | undefined;
}

interface Run {
  count: number;
  tool: string;
  origin: Origin | undefined;
  error: string | undefined;
}

export interface Rows {
  /** Newest last; at most LONGEST. */
  readonly past: Past[];
  readonly same: Run;
  /** Same call, failing each time, whatever the error. */
  readonly failing: Run & { key: number };
  /** Same event of a tool that acts, with nothing but looking around between. */
  readonly acting: Run & { id: number; kind: ToolKind };
  /** For each period: how many events equal the one a period before, and where that began. */
  readonly matches: number[];
  readonly starts: (Origin | undefined)[];
}

const emptyRun = (): Run => ({ count: 0, tool: "", origin: undefined, error: undefined });

export const createRows = (): Rows => ({
  past: [],
  same: emptyRun(),
  failing: { ...emptyRun(), key: 0 },
  acting: { ...emptyRun(), id: 0, kind: "other" },
  matches: new Array<number>(LONGEST + 1).fill(0),
  starts: new Array<Origin | undefined>(LONGEST + 1).fill(undefined),
});

/** `world` is a version of the tree: an event after a change is another event. */
export function noteInRows(rows: Rows, event: CallEvent, world: number): void {
  const { call, origin, failure } = event;
  const id = hashPair(hashPair(call.key, event.mark), world);
  const { past, same, failing, acting } = rows;
  const last = past.at(-1);
  const error = failure?.line;
  if (last?.id === id) {
    same.count += 1;
    same.error ??= error;
  } else restart(same, event);
  if (event.outcome !== "failed" || event.alone) failing.count = 0;
  else if (failing.count > 0 && failing.key === call.key) failing.count += 1;
  else {
    restart(failing, event);
    failing.key = call.key;
  }
  if (!looksAround(event)) {
    if (acting.count > 0 && acting.id === id) acting.count += 1;
    else {
      restart(acting, event);
      acting.id = id;
      acting.kind = call.kind;
    }
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

function restart(run: Run, { call, origin, failure }: CallEvent): void {
  run.count = 1;
  run.tool = call.tool.name;
  run.origin = origin;
  run.error = failure?.line;
}

export interface Cycle {
  readonly period: number;
  /** Full times round. */
  readonly count: number;
  readonly origin: Origin;
  readonly polls: boolean;
  readonly error: string | undefined;
}

/** The shortest cycle that came round at least twice; equal events in a row are none. */
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

/** Would a call with this key go on with the row or the cycle? */
export function goesOn(rows: Rows, key: number, period: number): boolean {
  return rows.past[rows.past.length - period]?.key === key;
}
