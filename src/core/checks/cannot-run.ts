/**
 * Tells a check that could not run from one that ran and failed: by the shell's exit codes, by the signal, else by
 * a table of messages that tools print when they never came to run a test. `cannotRun` is asked only when no
 * failing item was read, `sharesBadly` always. Invariant: only whole messages at the start of a line count,
 * because tests print anything.
 */
import { stripEscapes, tameLine } from "../foreign-text.ts";
import { MESSAGES, saysPortInUse } from "./cannot-run-messages.ts";
import type { CannotRunWhy } from "./cannot-run-messages.ts";

interface CannotRun {
  readonly why: CannotRunWhy;
  readonly detail: string;
}

const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);
const EXIT_BY_SIGNAL = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);
const LINES = 400;
const LINE = 1200;

type Ended =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string };

/** Undefined: it did run, so its failure is a failure. */
export function cannotRun(end: Ended, stdout: string, stderr: string): CannotRun | undefined {
  const signal = end.kind === "signalled" ? end.signal : EXIT_BY_SIGNAL.get(end.code);
  if (signal !== undefined && OUTSIDE_SIGNALS.has(signal))
    return { why: "killed", detail: `ended by ${signal}, which this check did not ask for` };
  if (end.kind === "exited" && (end.code === 127 || end.code === 126))
    return {
      why: end.code === 127 ? "command-not-found" : "not-executable",
      detail: lastLine(stderr) ?? lastLine(stdout) ?? `exit code ${end.code}`,
    };
  for (const text of [stderr, stdout])
    for (const line of lastLines(text))
      for (const { why, pattern } of MESSAGES)
        if (pattern.test(line)) return { why, detail: tameLine(line) };
  const taken = sharesBadly(stdout, stderr);
  return taken === undefined ? undefined : { why: "port-in-use", detail: taken };
}

/** The line that says that a port was taken: the check cannot run beside others. Asked even when failing items were read. */
export function sharesBadly(stdout: string, stderr: string): string | undefined {
  for (const text of [stderr, stdout]) {
    const line = stripEscapes(text)
      .split("\n")
      .find((each) => saysPortInUse(each.slice(0, LINE).trimEnd()));
    if (line !== undefined) return tameLine(line);
  }
  return undefined;
}

const lastLines = (text: string): readonly string[] =>
  stripEscapes(text)
    .split("\n")
    .slice(-LINES)
    .map((line) => line.slice(0, LINE).trimEnd());

function lastLine(text: string): string | undefined {
  const line = tameLine(lastLines(text).findLast((candidate) => candidate !== "") ?? "");
  return line === "" ? undefined : line;
}
