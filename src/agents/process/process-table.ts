/**
 * The processes of this machine as rows: from /proc if it exists (Linux), otherwise from `ps`. Invariants: never throws
 * for a process that vanishes while it is read; a row is marked only if UNSTUCK_ATTEMPT in its environment is the given
 * id, or a part of it (`id:part`); in `ps` output, a mark counts only in the environment part of a line. Whatever an
 * attempt starts is younger than its guard, so the environments of processes older than `since` are not read.
 */
import { readdirSync } from "node:fs";
import { ps, readStat, HAS_PROC, MARK, readEnvironment } from "./proc-files.ts";
import type { Unmarked, ProcessRow } from "./proc-files.ts";

export function readProcesses(attemptId: string, since = "0"): readonly ProcessRow[] {
  if (!HAS_PROC) return readPs(attemptId);
  const bytes = Buffer.from(attemptId).toString("latin1");
  return readStats().map((row) => ({
    ...row,
    marked:
      !row.ended &&
      !(Number(row.startTime) < Number(since)) &&
      isMarked(`\0${readEnvironment(row.pid)}\0`, "\0", bytes),
  }));
}

/** Without reading any environment. */
export const readUnmarked = (): readonly Unmarked[] => (HAS_PROC ? readStats() : readPs(""));

function readStats(): readonly Unmarked[] {
  return readdirSync("/proc").flatMap((entry) => {
    const pid = Number(entry);
    return Number.isInteger(pid) ? (readStat(pid) ?? []) : [];
  });
}

export function readPs(
  attemptId: string,
  withEnvironment: readonly string[] = ["-A", "-E", "-ww"],
): readonly ProcessRow[] {
  const columns = "pid=,ppid=,pgid=,tty=,stat=,time=,lstart=,command=";
  const rows = ps(["-A", "-ww", "-o", columns]);
  return parsePs(rows, ps([...withEnvironment, "-o", "pid=,command="]), attemptId);
}

/** The separator comes before and after every variable; after an attempt's id, `:` introduces a part of the attempt. */
const isMarked = (environment: string, separator: string, attemptId: string): boolean =>
  [separator, ":"].some((end) => environment.includes(`${separator}${MARK}${attemptId}${end}`));

/**
 * Rows: pid ppid pgid tty stat time lstart (five words) command. Environments: pid, command followed by its
 * environment.
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
