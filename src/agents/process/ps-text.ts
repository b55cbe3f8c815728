/**
 * Reads what `ps` prints, for systems without /proc (macOS). Invariant: a mark counts only in the environment part
 * of a line, never in a command's arguments.
 */
import type { ProcessRow } from "./process-row.ts";

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
        isMarked(`${withEnvironment.slice(command.length)} `, attemptId),
      name: command.slice(0, 200),
    });
  }
  return rows;
}

const isMarked = (environment: string, attemptId: string): boolean =>
  [" ", ":"].some((end) => environment.includes(` UNSTUCK_ATTEMPT=${attemptId}${end}`));

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
