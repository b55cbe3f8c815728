/**
 * Tells a check that could not run from one that ran and failed: by the shell's exit codes, by the signal, else by
 * a table of messages that tools print when they never came to run a test. `cannotRun` is asked only when no
 * failing item was read, `sharesBadly` always. Invariant: only whole messages at the start of a line count,
 * because tests print anything.
 */
import { stripEscapes, tameLine } from "../foreign-text.ts";
import { saysNoNetwork } from "./no-network.ts";
import { saysPortInUse } from "./port-in-use.ts";

export type CannotRunWhy =
  | "command-not-found"
  | "not-executable"
  | "no-such-script"
  | "missing-tool"
  | "nothing-to-run"
  | "disk-full"
  | "no-network"
  | "port-in-use"
  | "killed"
  | "stopped"
  | "not-started";

export interface CannotRun {
  readonly why: CannotRunWhy;
  readonly detail: string;
}

interface Message {
  readonly why: CannotRunWhy;
  readonly pattern: Pick<RegExp, "test">;
}

const MESSAGES: readonly Message[] = [
  // npm error Missing script: "test"
  {
    why: "no-such-script",
    pattern: /^(?:npm (?:error|ERR!) |\s?ERR_PNPM_NO_SCRIPT\s{1,3})missing script:/i,
  },
  // Usage Error: Couldn't find a script named "test".
  {
    why: "no-such-script",
    pattern:
      /^(?:Usage Error: Couldn't find a script named|error Command "[^"]{1,80}" not found\.)/,
  },
  // npm error enoent Could not read package.json: Error: ENOENT
  { why: "no-such-script", pattern: /^npm (?:error|ERR!) enoent Could not read package\.json/ },
  // make: *** No rule to make target 'test'.  Stop.
  {
    why: "no-such-script",
    pattern: /^g?make(?:\[\d{1,3}\])?: \*\*\* No (?:rule to make target|targets specified)/,
  },
  // make: *** [Makefile:3: test] Error 127
  {
    why: "command-not-found",
    pattern: /^g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}\] Error 127$/,
  },
  { why: "not-executable", pattern: /^g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}\] Error 126$/ },
  // /usr/bin/python3: No module named pytest
  {
    why: "missing-tool",
    pattern: /^\S{0,200}python[\d.]{0,8}(?:\.exe)?: No module named [\w.]{1,80}/,
  },
  // python: can't open file '/repo/run.py': [Errno 2] No such file or directory
  { why: "no-such-script", pattern: /^\S{0,200}python[\d.]{0,8}(?:\.exe)?: can't open file / },
  // error: no such command: `nextest`
  { why: "missing-tool", pattern: /^error: no such (?:sub)?command: [`']/ },
  { why: "no-such-script", pattern: /^error: could not find `Cargo\.toml` in / },
  { why: "no-such-script", pattern: /^go: (?:go\.mod file not found|cannot find main module)/ },
  // npm error could not determine executable to run
  { why: "missing-tool", pattern: /^npm (?:error|ERR!) could not determine executable to run/ },
  {
    why: "missing-tool",
    pattern: /^(?:ERROR: |error during connect: )?Cannot connect to the Docker daemon/,
  },
  { why: "missing-tool", pattern: /^bundler: command not found: / },
  // No test files found, exiting with code 1
  { why: "nothing-to-run", pattern: /^No test(?: file)?s found, exiting with code \d{1,3}/ },
  // ==== no tests ran in 0.01s ====
  { why: "nothing-to-run", pattern: /^(?:=+ )?no tests ran in [\d.]{1,12}s/ },
  { why: "nothing-to-run", pattern: /^Error: No test files found: / },
  { why: "disk-full", pattern: /^[^:]{1,80}: (?:[^:]{1,200}: ){0,3}No space left on device$/ },
  {
    why: "disk-full",
    pattern: /^(?:Error: |npm (?:error|ERR!) (?:nospc )?)ENOSPC: no space left on device/,
  },
  { why: "no-network", pattern: { test: saysNoNetwork } },
];

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
