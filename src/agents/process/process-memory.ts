/**
 * What a run's owner remembers of the processes below its attempts, in a small file that commands read: a process
 * that left its parent, its session and its environment behind is still known by its id and start time.
 * Invariants: a guard is in the file before what it guards starts; who was seen once stays in it for as long as it
 * lives; bounded; a disk that refuses costs the memory, not the run.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { addFollowers } from "./belonging.ts";
import { onGuard } from "./guard-start.ts";
import { readBootId, readUnmarked } from "./process-table.ts";
import type { Unmarked } from "./process-table.ts";

export interface SeenProcess {
  readonly pid: number;
  readonly startTime: string;
  /** It leads an attempt or a check. */
  readonly isGuard: boolean;
}

const LOOK_MS = 2000;
const MOST = 2000;

/** Remembers until it is told to end. */
export function rememberProcesses(file: string): () => void {
  const bootId = readBootId();
  let seen: readonly SeenProcess[] = seenIn(file);
  const keep = (next: readonly SeenProcess[]): void => {
    seen = next.slice(-MOST);
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ bootId, processes: seen }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // The next look tries again.
    }
  };
  const look = (): void => {
    if (seen.length === 0) return;
    const rows = readUnmarked();
    const below = belowSeen(rows, seen);
    const known = new Set(seen.map(({ pid, startTime }) => `${pid} ${startTime}`));
    const found = rows.filter(
      ({ pid, startTime }) => below.has(pid) && !known.has(`${pid} ${startTime}`),
    );
    const still = seen.filter(({ pid }) => below.has(pid) && isNeeded(rows, pid));
    if (found.length === 0 && still.length === seen.length) return;
    keep([...still, ...found.map(({ pid, startTime }) => ({ pid, startTime, isGuard: false }))]);
  };
  const looking = setInterval(look, LOOK_MS);
  looking.unref();
  const unhear = onGuard(({ groupId, startTime }) =>
    keep([...seen, { pid: groupId, startTime, isGuard: true }]),
  );
  return () => {
    clearInterval(looking);
    unhear();
    look();
  };
}

/** Those of this start of the machine. */
export function seenIn(file: string): readonly SeenProcess[] {
  try {
    const { bootId, processes } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly bootId?: unknown;
      readonly processes?: unknown;
    };
    return bootId === readBootId() && Array.isArray(processes) ? processes.filter(isSeen) : [];
  } catch {
    return [];
  }
}

/** Ids of what was seen and of all that follows it; a number that another process has by now is not one of them. */
export function belowSeen(
  rows: readonly Unmarked[],
  seen: readonly SeenProcess[],
): ReadonlySet<number> {
  const starts = new Map(rows.map(({ pid, startTime }) => [pid, startTime]));
  const ours = new Set(
    seen
      .filter(({ pid, startTime }) => (starts.get(pid) ?? startTime) === startTime)
      .map(({ pid }) => pid),
  );
  addFollowers(rows, ours);
  return ours;
}

/** It lives, or a group or session that lives has its number. */
const isNeeded = (rows: readonly Unmarked[], id: number): boolean =>
  rows.some(({ pid, group, session }) => pid === id || group === id || session === id);

function isSeen(value: unknown): value is SeenProcess {
  const { pid, startTime, isGuard } = (value ?? {}) as Partial<Record<keyof SeenProcess, unknown>>;
  return typeof pid === "number" && typeof startTime === "string" && typeof isGuard === "boolean";
}
