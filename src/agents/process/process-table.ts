/**
 * The processes of this machine as rows: from /proc where there is one (Linux), else from `ps`. Invariants: never
 * throws for a process that vanishes while it is read; a row is marked only if UNSTUCK_ATTEMPT in its environment
 * is the asked id, or a part of it (`id:part`).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { ProcessRow } from "./process-row.ts";
import { parsePs } from "./ps-text.ts";

const MARK = "UNSTUCK_ATTEMPT=";
/** `:`, after which an attempt's id may name a part of the attempt. */
const PART_SIGN = 0x3a;
const HAS_PROC = existsSync("/proc/self/stat");
/** USER_HZ, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

export function readProcesses(attemptId: string): readonly ProcessRow[] {
  if (!HAS_PROC) return readPs(attemptId);
  return readStats().map((row) => ({
    ...row,
    marked: !row.ended && isMarked(readEnvironment(row.pid), attemptId),
  }));
}

/** Without a look at anybody's environment. */
export const readUnmarked = (): readonly Unmarked[] => (HAS_PROC ? readStats() : readPs(""));

export type Unmarked = Omit<ProcessRow, "marked">;

/** What UNSTUCK_ATTEMPT is in the environment that a process was started with, where the system shows it. */
export function attemptMarkOf(pid: number): string | undefined {
  const lines = HAS_PROC ? (readEnvironment(pid)?.toString("latin1").split("\0") ?? []) : [];
  return lines.find((line) => line.startsWith(MARK))?.slice(MARK.length);
}

function readStats(): readonly Unmarked[] {
  return readdirSync("/proc").flatMap((entry) => {
    const pid = Number(entry);
    return Number.isInteger(pid) ? (readStat(pid) ?? []) : [];
  });
}

/** The start time of one process; undefined when there is no such process. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return readStat(pid)?.startTime;
  try {
    return ps(["-o", "lstart=", "-p", String(pid)]).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Different after each start of the machine. */
export function readBootId(): string {
  if (HAS_PROC) return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
}

export function readPs(
  attemptId: string,
  withEnvironment: readonly string[] = ["-A", "-E", "-ww"],
): readonly ProcessRow[] {
  const columns = "pid=,ppid=,pgid=,tty=,stat=,time=,lstart=,command=";
  const rows = ps(["-A", "-ww", "-o", columns]);
  return parsePs(rows, ps([...withEnvironment, "-o", "pid=,command="]), attemptId);
}

function ps(args: readonly string[]): string {
  return execFileSync("ps", args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function readStat(pid: number): Unmarked | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  const [state, parent, group, session, terminal] = fields;
  const startTime = fields[19];
  if (nameEnd < 0 || startTime === undefined) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: terminal !== "0",
    startTime,
    cpuMs: ticks * MS_PER_TICK,
    ended: state === "Z" || state === "X",
    name: text.slice(text.indexOf("(") + 1, nameEnd),
  };
}

function readEnvironment(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}

function isMarked(environment: Buffer | undefined, attemptId: string): boolean {
  if (environment === undefined) return false;
  const mark = Buffer.from(`${MARK}${attemptId}`);
  for (let at = environment.indexOf(mark); at >= 0; at = environment.indexOf(mark, at + 1)) {
    const after = environment[at + mark.length];
    const ends = after === undefined || after === 0 || after === PART_SIGN;
    if (ends && (at === 0 || environment[at - 1] === 0)) return true;
  }
  return false;
}
