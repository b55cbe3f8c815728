/**
 * What a run's owner remembers of the processes below its attempts, in a file that commands read: a process that left
 * its parent, its session and its environment behind is still known by its id and start time. Invariants: a guard is in
 * the file before what it guards starts; who was seen once stays in it for as long as it lives; bounded; a disk that
 * refuses costs the memory, not the run.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";
import { fieldsOf, listOf, parseFields } from "../output/json.ts";
import { addFollowers } from "./attempt-members.ts";
import { readUnmarked } from "./process-table.ts";
import { readBootId, type Unmarked } from "./proc-files.ts";

interface SeenProcess {
  readonly pid: number;
  readonly startTime: string;
  /** It leads an attempt or a check. */
  readonly isGuard: boolean;
}

const LOOK_MS = 2000;
const MOST = 2000;

const listeners = new Set<(guard: ProcessIdentity) => void>();

/** To be called for each guard before what it guards can start. */
export function tellOfGuard(identity: ProcessIdentity): void {
  for (const listener of listeners) listener(identity);
}

/** Hears of each guard until it is told to end. */
export function onGuard(listener: (guard: ProcessIdentity) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

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
  const forget = onGuard(({ groupId, startTime }) =>
    keep([...seen, { pid: groupId, startTime, isGuard: true }]),
  );
  return () => {
    clearInterval(looking);
    forget();
    look();
  };
}

/** Those of this start of the machine. */
export function seenIn(file: string): readonly SeenProcess[] {
  try {
    const { bootId, processes } = parseFields(readFileSync(file, "utf8")) ?? {};
    return bootId === readBootId() ? listOf(processes).filter(isSeen) : [];
  } catch {
    return [];
  }
}

/** Ids of what was seen and of all that follows it; a number that another process has by now is not one of them. */
function belowSeen(rows: readonly Unmarked[], seen: readonly SeenProcess[]): ReadonlySet<number> {
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
  const { pid, startTime, isGuard } = fieldsOf(value);
  return typeof pid === "number" && typeof startTime === "string" && typeof isGuard === "boolean";
}

/** `orphan`: nobody can tell. Stops accidents and shortcuts; a program that wants to hide from it can. */
export function relationToAttempts(
  rows: readonly Unmarked[],
  seen: readonly SeenProcess[],
  pid: number,
): "below" | "orphan" | "apart" {
  if (belowSeen(rows, seen).has(pid)) return "below";
  const isLive = ({ isGuard, ...guard }: SeenProcess): boolean =>
    isGuard &&
    rows.some((row) => row.pid === guard.pid && row.startTime === guard.startTime && !row.ended);
  return seen.some(isLive) && isOrphan(rows, pid) ? "orphan" : "apart";
}

/** Programs that take over a process whose parent is gone, and start services. */
const REAPERS: ReadonlySet<string> = new Set(["systemd", "launchd", "init"]);

/** No terminal, and nobody there who started its session: whoever did is gone, or is the system itself. */
function isOrphan(rows: readonly Unmarked[], pid: number): boolean {
  const find = (id: number | undefined): Unmarked | undefined => rows.find((row) => row.pid === id);
  const self = find(pid);
  if (self === undefined || self.terminal) return false;
  const leader = find(self.session === 0 ? self.group : self.session);
  return (
    leader === undefined ||
    leader.ended ||
    leader.parent === 1 ||
    REAPERS.has(find(leader.parent)?.name ?? "")
  );
}
