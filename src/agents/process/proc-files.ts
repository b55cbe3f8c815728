/** What the system reveals about one process: when it started, and the mark of the attempt it belongs to. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 if the system does not provide it. */
  readonly session: number;
  /** Has a controlling terminal. */
  readonly terminal: boolean;
  /** Opaque; constant for one process, different for a later one with the same pid. */
  readonly startTime: string;
  /** User and system time of the process and its ended children. */
  readonly cpuMs: number;
  /** Dead, but not yet reaped by its parent. */
  readonly ended: boolean;
  /** UNSTUCK_ATTEMPT in its environment is the given id, or a part of it (`id:part`). */
  readonly marked: boolean;
  readonly name: string;
}

export const MARK = "UNSTUCK_ATTEMPT=";

export const HAS_PROC = existsSync("/proc/self/stat");

/** USER_HZ, which is 100 on every Linux that Node supports. */
const MS_PER_TICK = 10;

export type Unmarked = Omit<ProcessRow, "marked">;

/** The value of UNSTUCK_ATTEMPT in the environment a process was started with, if the system shows it. */
export function attemptMarkOf(pid: number): string | undefined {
  const lines = HAS_PROC ? readEnvironment(pid).split("\0") : [];
  return lines.find((line) => line.startsWith(MARK))?.slice(MARK.length);
}

/** The start time of one process; undefined if there is no such process. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return readStat(pid)?.startTime;
  try {
    return ps(["-o", "lstart=", "-p", String(pid)]).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Different after each boot. */
export function readBootId(): string {
  if (HAS_PROC) return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
}

export function ps(args: readonly string[]): string {
  return execFileSync("ps", args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export function readStat(pid: number): Unmarked | undefined {
  let text: string;
  try {
    // Node reads a file as UTF-8 in one go; if the name is in another encoding, only the name is garbled.
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
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

/** Its bytes as latin1; empty if it may not be read. */
export function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
