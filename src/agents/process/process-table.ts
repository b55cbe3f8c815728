/**
 * The processes of this machine as rows: from /proc where there is one (Linux), else from `ps`. Invariants: never
 * throws for a process that vanishes while it is read; a row is marked only if UNSTUCK_ATTEMPT in its environment
 * is the asked id, or a part of it (`id:part`); in what `ps` prints, a mark counts only in the environment part of
 * a line, never in a command's arguments.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";

/** One process as the system shows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Has a controlling terminal. */
  readonly terminal: boolean;
  /** Opaque; equal for one process at all times, different for a later one with the same pid. */
  readonly startTime: string;
  /** User and system time of the process and of its ended children. */
  readonly cpuMs: number;
  /** Dead, only not yet collected by its parent. */
  readonly ended: boolean;
  /** UNSTUCK_ATTEMPT in its environment is the asked id, or a part of it (`id:part`). */
  readonly marked: boolean;
  readonly name: string;
}

const MARK = "UNSTUCK_ATTEMPT=";
const HAS_PROC = existsSync("/proc/self/stat");
/** USER_HZ, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

export function readProcesses(attemptId: string): readonly ProcessRow[] {
  if (!HAS_PROC) return readPs(attemptId);
  const bytes = Buffer.from(attemptId).toString("latin1");
  return readStats().map((row) => ({
    ...row,
    marked: !row.ended && isMarked(`\0${readEnvironment(row.pid)}\0`, "\0", bytes),
  }));
}

/** Without a look at anybody's environment. */
export const readUnmarked = (): readonly Unmarked[] => (HAS_PROC ? readStats() : readPs(""));

export type Unmarked = Omit<ProcessRow, "marked">;

/** What UNSTUCK_ATTEMPT is in the environment that a process was started with, where the system shows it. */
export function attemptMarkOf(pid: number): string | undefined {
  const lines = HAS_PROC ? readEnvironment(pid).split("\0") : [];
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

/** Its bytes as latin1; empty where it may not be read. */
function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

/** The separator stands before and behind every variable; behind `:` an attempt's id names a part of the attempt. */
const isMarked = (environment: string, separator: string, attemptId: string): boolean =>
  [separator, ":"].some((end) => environment.includes(`${separator}${MARK}${attemptId}${end}`));

/**
 * `rowsText`: pid ppid pgid tty stat time lstart (five words) command.
 * `environmentText`: pid and command with the environment after it.
 */
export function parsePs(
  rowsText: string,
  environmentText: string,
  attemptId: string,
): readonly ProcessRow[] {
  const environments = new Map<number, string>();
  for (const line of environmentText.split("\n")) {
    const [pid, rest] = cutWords(line, 1);
    if (pid !== undefined) environments.set(Number(pid[0]), rest);
  }
  const rows: ProcessRow[] = [];
  for (const line of rowsText.split("\n")) {
    const [words, command] = cutWords(line, 11);
    if (words === undefined) continue;
    const [pid, parent, group, terminal = "", state = "", time = "", ...start] = words;
    const withEnvironment = environments.get(Number(pid)) ?? "";
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      terminal: !terminal.startsWith("?"),
      startTime: start.join(" "),
      cpuMs: readTime(time),
      ended: state.startsWith("Z"),
      marked:
        withEnvironment.startsWith(command) &&
        isMarked(`${withEnvironment.slice(command.length)} `, " ", attemptId),
      name: command.slice(0, 200),
    });
  }
  return rows;
}

/** The first `count` words of a line and the text after them, or no words if there are fewer. */
function cutWords(line: string, count: number): [string[] | undefined, string] {
  const words: string[] = [];
  let at = 0;
  while (words.length < count) {
    while (line[at] === " ") at += 1;
    const end = line.indexOf(" ", at);
    const word = line.slice(at, end < 0 ? line.length : end);
    if (word === "") return [undefined, ""];
    words.push(word);
    at += word.length;
  }
  return [words, line.slice(at).trimStart()];
}

/** `1-02:03:04`, `02:03:04` or `2:03.45`, in milliseconds. */
function readTime(text: string): number {
  const [clock = "", days = "0"] = text.split("-").reverse();
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const total = (Number(days) * 86_400 + seconds) * 1000;
  return Number.isFinite(total) ? Math.round(total) : 0;
}
