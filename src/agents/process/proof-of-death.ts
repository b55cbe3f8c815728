/**
 * Proof of death: ends every process of an attempt and returns only once a look at the whole process table finds none;
 * otherwise names those it could not end. Invariants: only processes proven to be ours are signalled, each checked
 * again by start time right before; another boot id means dead by definition; never throws.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessIdentity, ProcessTrace } from "../../runtime/agent-result.ts";
import { membersOf, type Suspect } from "./attempt-members.ts";
import { readProcesses } from "./process-table.ts";
import { readBootId, startTimeOf, type ProcessRow } from "./proc-files.ts";

interface DeathProof {
  readonly dead: boolean;
  readonly because: "other-boot" | "none-found" | "ended" | "survivors";
  /** How many processes were found alive. */
  readonly found: number;
  readonly survivors: readonly ProcessTrace[];
}

/** After SIGKILL: a process in an uninterruptible state, or another user's, may survive longer. */
const KILL_MS = 8000;
const LOOK_AGAIN_MS = 20;
/** Two looks, because one may miss a process in the middle of fork or exec. */
const CLEAN_LOOKS = 2;

/** Undefined if there is no such process, which is impossible for a child that has not been reaped. */
export function identify(groupId: number, attemptId: string): ProcessIdentity | undefined {
  const startTime = startTimeOf(groupId);
  return startTime === undefined
    ? undefined
    : { attemptId, groupId, startTime, bootId: readBootId() };
}

/** `graceMs`: from SIGTERM to SIGKILL. */
export async function proveDead(
  suspect: Suspect,
  { graceMs }: { readonly graceMs: number },
): Promise<DeathProof> {
  if (suspect.bootId !== undefined && suspect.bootId !== readBootId())
    return { dead: true, because: "other-boot", found: 0, survivors: [] };
  const found = new Set<string>();
  const refused = new Set<number>();
  const asked = new Set<string>();
  const started = performance.now();
  for (let cleanLooks = 0; ;) {
    const { ours, above, unproven } = findMembers(suspect);
    const elapsed = performance.now() - started;
    cleanLooks = ours.length === 0 ? cleanLooks + 1 : 0;
    for (const row of ours) found.add(nameOf(row));
    if (cleanLooks >= CLEAN_LOOKS || elapsed > graceMs + KILL_MS)
      return verdict(found.size, [
        ...ours.map((row) => trace(row, refused.has(row.pid) ? "not-permitted" : "still-alive")),
        ...above.map((row) => trace(row, "still-alive")),
        ...unproven.map((row) => trace(row, "not-proven-ours")),
      ]);
    for (const row of ours) {
      if (elapsed >= graceMs) signalProcess(row, "SIGKILL", refused);
      else if (!asked.has(nameOf(row))) signalProcess(row, "SIGTERM", refused);
      asked.add(nameOf(row));
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The living processes of the attempt, without the asking process and its ancestors. */
export function findMembers(suspect: Suspect): ReturnType<typeof membersOf> {
  return membersOf(readProcesses(suspect.attemptId, suspect.startTime), suspect, process.pid);
}

/** Signals a process if it is still the one that was seen. */
export function signalProcess(
  row: ProcessRow,
  signal: NodeJS.Signals,
  refused?: Set<number>,
): void {
  if (startTimeOf(row.pid) !== row.startTime) return;
  try {
    process.kill(row.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPERM") refused?.add(row.pid);
  }
}

const nameOf = (row: ProcessRow): string => `${row.pid} ${row.startTime}`;

const trace = (row: ProcessRow, why: ProcessTrace["why"]): ProcessTrace => ({
  pid: row.pid,
  name: row.name,
  why,
});

function verdict(found: number, survivors: readonly ProcessTrace[]): DeathProof {
  if (survivors.length > 0) return { dead: false, because: "survivors", found, survivors };
  return { dead: true, because: found > 0 ? "ended" : "none-found", found, survivors };
}
