/**
 * What a run's owner remembers about processes below its attempts, in a file that commands read: a process that left
 * its parent, session and environment behind is still recognised by id and start time. Invariants: a guard is in the
 * file before what it guards starts; a process once seen stays in it while it lives; bounded; a disk error loses the
 * memory, not the run.
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

/** Call it for each guard before the guarded process can start. */
export function announceGuard(identity: ProcessIdentity): void {
  for (const listener of listeners) listener(identity);
}

/** Reports each guard to the listener until the returned function is called. */
export function onGuard(listener: (guard: ProcessIdentity) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Remembers processes until the returned function is called. */
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

/** The processes seen since this boot. */
export function seenIn(file: string): readonly SeenProcess[] {
  try {
    const { bootId, processes } = parseFields(readFileSync(file, "utf8")) ?? {};
    return bootId === readBootId() ? listOf(processes).filter(isSeen) : [];
  } catch {
    return [];
  }
}

/** Ids of the seen processes and all that follow them, except ids that now belong to other processes. */
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

/** It is alive, or a living group or session has its id. */
const isNeeded = (rows: readonly Unmarked[], id: number): boolean =>
  rows.some(({ pid, group, session }) => pid === id || group === id || session === id);

function isSeen(value: unknown): value is SeenProcess {
  const { pid, startTime, isGuard } = fieldsOf(value);
  return typeof pid === "number" && typeof startTime === "string" && typeof isGuard === "boolean";
}

/** `orphan`: its origin cannot be determined. Prevents accidents and shortcuts; a program that wants to hide can. */
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

/** Programs that adopt processes whose parent is gone, and start services. */
const REAPERS: ReadonlySet<string> = new Set(["systemd", "launchd", "init"]);

/** No terminal, and the process that started its session is gone or is the system itself. */
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
