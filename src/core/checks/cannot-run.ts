/**
 * Tells a check that could not run from one that ran and failed: by the shell's exit codes, by the signal, else by
 * the messages that tools print when they never came to run a test. Invariants: each pattern is linear and anchored
 * at the start of a line, because tests print anything; this machine's own addresses are no network, nor is a
 * refused connection, which somebody answered.
 */
import { stripEscapes, cleanLine } from "../foreign-text.ts";
import { sharesBadly, LINE, isQuoted } from "./shared-machine.ts";

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

/** A name that is looked up elsewhere. */
const HOST = "(?!localhost\\b|127\\.|\\[?::1)";

const NO_NETWORK: readonly RegExp[] = [
  /^npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENETUNREACH)$/,
  // npm error network request to https://… failed, reason: getaddrinfo ENOTFOUND registry.example
  new RegExp(
    `^(?:npm (?:error|ERR!) |error |\\s?ERR_PNPM_[A-Z_]{1,40} {1,3}|\\s{0,8}(?:[A-Za-z]{0,40}Error: ){0,2}(?:fetch failed: |cause: )?)(?:.{0,300}[:'] )?getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
  ),
  // Error: connect ENETUNREACH 192.0.2.1:443
  /^\s{0,8}(?:[A-Za-z]{0,40}Error: )?connect ENETUNREACH \S/,
  // curl: (6) Could not resolve host: example.org, also as git and ssh say it
  new RegExp(
    `^(?:curl: \\(\\d{1,2}\\) |fatal: unable to access '[^']{1,300}': |ssh: |error: |\\s{0,8}curl error \\d{1,2} while downloading \\S{1,300}: )?Could not resolve host(?:name)?:? ${HOST}`,
    "i",
  ),
  /^wget: unable to resolve host address\b/,
  // socket.gaierror: [Errno -3] Temporary failure in name resolution
  /^(?:E {1,10}|\s{0,8})(?:[\w.]{1,80}: ){0,3}(?:\[Errno -\d{1,2}\] |<urlopen error \[Errno -\d{1,2}\] )?Temporary failure in name resolution>?$/,
  /^(?:Err:\d{1,4} \S.{0,200}|\s{0,8})Temporary failure resolving '/,
  /^(?:E {1,10}|\s{0,8})[\w.]{0,80}gaierror: \[Errno -\d{1,2}\] /,
  // ping: connect: Network is unreachable
  /^\s{0,8}(?:\S{1,100}: ){0,4}(?:errno=|\[Errno 101\] )?Network is unreachable(?: \(os error 101\))?$/i,
  // WARNING: Retrying (Retry(total=4, …)) after … Failed to establish a new connection: [Errno -3] Temporary failure …
  /^(?:WARNING: Retrying \(Retry\(|ERROR: |pip\._vendor\.|(?:[\w.]{1,80}: )?HTTPSConnectionPool\(host=').{0,700}Failed to establish a new connection: \[Errno (?:-\d{1,2}|101|110|113)\]/,
  // go: example.org/mod@v1.2.0: Get "https://proxy.example/…": dial tcp: lookup proxy.example on 192.0.2.1:53: no such host
  new RegExp(
    `^(?:go: |\\s{0,8})(?:[^\\s"]{1,200}: ){0,3}(?:(?:Get|Post|Head) "https?://[^\\s"]{1,300}": )?dial tcp: lookup ${HOST}\\S`,
  ),
  new RegExp(
    `^(?:go: |\\s{0,8})(?:[^\\s"]{1,200}: ){0,3}lookup ${HOST}\\S{1,200}.{0,60}: no such host$`,
  ),
  // error: failed to download `serde v1.0.0`
  /^(?:error: |\s{2})failed to download (?:from )?`/,
  /^warning: spurious network error \(/,
  // Caused by: dns error: failed to lookup address information: …
  /^\s{0,8}(?:\d{1,2}: |Caused by: )?(?:[a-z ]{1,60}: ){0,3}dns error: failed to lookup address information/,
  // [ERROR] … Could not transfer artifact a:b:pom:1 from/to central (https://…): repo.example: Unknown host …
  /^(?:\[(?:ERROR|WARNING|FATAL)\] )?.{0,300}Could not transfer artifact \S{1,200} from\/to .{1,300}(?:Unknown host|Name or service not known|Network is unreachable|Connection timed out)/i,
  new RegExp(
    `^(?:\\s{0,40}|\\[ERROR\\] |> )(?:Caused by: )?java\\.net\\.UnknownHostException: ${HOST}\\S`,
  ),
];

const MESSAGES: { readonly [why in CannotRunWhy]?: readonly RegExp[] } = {
  "no-such-script": [
    // npm error Missing script: "test"
    /^(?:npm (?:error|ERR!) |\s?ERR_PNPM_NO_SCRIPT\s{1,3})missing script:/i,
    // Usage Error: Couldn't find a script named "test".
    /^(?:Usage Error: Couldn't find a script named|error Command "[^"]{1,80}" not found\.)/,
    // npm error enoent Could not read package.json: Error: ENOENT
    /^npm (?:error|ERR!) enoent Could not read package\.json/,
    // make: *** No rule to make target 'test'.  Stop.
    /^g?make(?:\[\d{1,3}\])?: \*\*\* No (?:rule to make target|targets specified)/,
    // python: can't open file '/repo/run.py': [Errno 2] No such file or directory
    /^\S{0,200}python[\d.]{0,8}(?:\.exe)?: can't open file /,
    /^error: could not find `Cargo\.toml` in /,
    /^go: (?:go\.mod file not found|cannot find main module)/,
  ],
  // make: *** [Makefile:3: test] Error 127
  "command-not-found": [/^g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}\] Error 127$/],
  "not-executable": [/^g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}\] Error 126$/],
  "missing-tool": [
    // /usr/bin/python3: No module named pytest
    /^\S{0,200}python[\d.]{0,8}(?:\.exe)?: No module named [\w.]{1,80}/,
    // error: no such command: `nextest`
    /^error: no such (?:sub)?command: [`']/,
    /^npm (?:error|ERR!) could not determine executable to run/,
    /^(?:ERROR: |error during connect: )?Cannot connect to the Docker daemon/,
    /^bundler: command not found: /,
  ],
  "nothing-to-run": [
    // No test files found, exiting with code 1
    /^No test(?: file)?s found, exiting with code \d{1,3}/,
    // ==== no tests ran in 0.01s ====
    /^(?:=+ )?no tests ran in [\d.]{1,12}s/,
    /^Error: No test files found: /,
  ],
  "disk-full": [
    /^[^:]{1,80}: (?:[^:]{1,200}: ){0,3}No space left on device$/,
    /^(?:Error: |npm (?:error|ERR!) (?:nospc )?)ENOSPC: no space left on device/,
  ],
};

/** What this line says of why nothing ran. */
function whyOf(line: string): CannotRunWhy | undefined {
  for (const why of Object.keys(MESSAGES) as CannotRunWhy[])
    if (MESSAGES[why]?.some((pattern) => pattern.test(line))) return why;
  return !isQuoted(line) && NO_NETWORK.some((pattern) => pattern.test(line))
    ? "no-network"
    : undefined;
}

/** Signals that come from outside, by the exit code a shell makes of each. */
const OUTSIDE_SIGNALS = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

const LINES = 400;

export type EndedByItself =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string };

/** Asked only when no failing item was read. Undefined: it did run, so its failure is a failure. */
export function cannotRun(
  end: EndedByItself,
  stdout: string,
  stderr: string,
): { readonly why: CannotRunWhy; readonly detail: string } | undefined {
  const signal = end.kind === "signalled" ? end.signal : OUTSIDE_SIGNALS.get(end.code);
  if (signal !== undefined && [...OUTSIDE_SIGNALS.values()].includes(signal))
    return { why: "killed", detail: `ended by ${signal}, which this check did not ask for` };
  if (end.kind === "exited" && (end.code === 127 || end.code === 126))
    return {
      why: end.code === 127 ? "command-not-found" : "not-executable",
      detail: lastLine(stderr) ?? lastLine(stdout) ?? `exit code ${end.code}`,
    };
  for (const text of [stderr, stdout])
    for (const line of lastLines(text)) {
      const why = whyOf(line);
      if (why !== undefined) return { why, detail: cleanLine(line) };
    }
  const taken = sharesBadly(stdout, stderr);
  return taken === undefined ? undefined : { why: "port-in-use", detail: taken };
}

const lastLines = (text: string): readonly string[] =>
  stripEscapes(text)
    .split("\n")
    .slice(-LINES)
    .map((line) => line.slice(0, LINE).trimEnd());

function lastLine(text: string): string | undefined {
  const line = cleanLine(lastLines(text).findLast((candidate) => candidate !== "") ?? "");
  return line === "" ? undefined : line;
}
