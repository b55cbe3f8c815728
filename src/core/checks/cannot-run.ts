/**
 * Distinguishes a check that could not run from one that ran and failed: by the shell's exit code, by the signal, or by
 * the messages tools print when they never got as far as running a test. Invariants: each pattern is linear and
 * anchored at the start of a line, because tests print anything; a failed lookup of a local address does not count as a
 * missing network, nor does a refused connection, because something answered it.
 */
import { cleanLine, stripEscapes } from "../foreign-text.ts";

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

/** A host name that is not this machine's own. */
const HOST = "(?!localhost\\b|127\\.|\\[?::1)";

const NO_NETWORK: readonly RegExp[] = [
  /^npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENETUNREACH)$/,
  // npm error network request to https://… failed, reason: getaddrinfo ENOTFOUND registry.example
  new RegExp(
    `^(?:npm (?:error|ERR!) |error |\\s?ERR_PNPM_[A-Z_]{1,40} {1,3}|\\s{0,8}(?:[A-Za-z]{0,40}Error: ){0,2}(?:fetch failed: |cause: )?)(?:.{0,300}[:'] )?getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
  ),
  // Error: connect ENETUNREACH 192.0.2.1:443
  /^\s{0,8}(?:[A-Za-z]{0,40}Error: )?connect ENETUNREACH \S/,
  // curl: (6) Could not resolve host: example.org; git and ssh use the same words
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

/** Why nothing ran, if this line says so. */
function whyOf(line: string): CannotRunWhy | undefined {
  if (isQuoted(line)) return undefined;
  for (const why of Object.keys(MESSAGES) as CannotRunWhy[])
    if (MESSAGES[why]?.some((pattern) => pattern.test(line))) return why;
  return NO_NETWORK.some((pattern) => pattern.test(line)) ? "no-network" : undefined;
}

/** Signals sent from outside, by the exit code a shell reports for each. */
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

/** Call it only when no failing item was read. Undefined: the check did run, so its failure is a real one. */
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
  const taken = portInUseLine(stdout, stderr);
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

const SPOKEN_ABOUT = /^\s{0,40}(?:expect|receiv|actual|assert|want)/i;

/** Diffs, code frames, quotes, and the marks and results of test runners. */
const MARKED =
  /^\s{0,40}(?:[-+|"'`✓✔✗✖×√●○]|> {1,5}\d{1,7} ?\||(?:not )?ok \d|--- [A-Z]|(?:FAIL|PASS|FAILED|PASSED)[ :])/;

/** The line quotes a message rather than reporting it: an assertion, a diff, a line of a test. */
const isQuoted = (line: string): boolean => SPOKEN_ABOUT.test(line) || MARKED.test(line);

/** What may come before such a message: indentation, pytest's `E`, or the name of the program that printed it. */
const LEAD = /^(?:E {1,10}|\s{0,40})(?:\[[\w@./:-]{1,40}\] )?(?:Uncaught |Unhandled |Caused by: )?/;

/** A cheap test that every message below passes, so most lines need no further matching. */
const HINT =
  /in use|EADDRINUSE|AddrInUse|already (?:used|allocated|running)|\[Errno (?:98|48|10048)\]|socket address/i;

const PORT_IN_USE: readonly RegExp[] = [
  // Error: listen EADDRINUSE: address already in use :::3000
  /^(?:\[?[A-Za-z]{0,40}(?:Error|Exception): |error: ')?(?:listen|bind) EADDRINUSE\b/,
  // OSError: [Errno 98] Address already in use
  /^(?:[A-Za-z_.]{0,60}(?:error|exception): {1,8})?\[Errno (?:98|48|10048)\] \S/i,
  // server_test.go:12: listen tcp 127.0.0.1:8080: bind: address already in use
  /^(?:[\w./-]{1,200}\.go:\d{1,7}: |\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? )?(?:[A-Za-z][a-z ]{0,60}: ){0,3}listen (?:tcp|udp|unix)[46]? \S{1,200}: bind: (?:address already in use|Only one usage of each socket address)/,
  // called `Result::unwrap()` on an `Err` value: Os { code: 98, kind: AddrInUse, message: "Address already in use" }
  /^(?:thread '[^']{1,100}' panicked at .{0,200}|called .{1,100}|Error: )?Os \{ code: (?:98|48|10048), kind: AddrInUse, /,
  // Error: Address already in use (os error 98)
  /^(?:[A-Za-z][\w ]{0,60}: ){0,3}Address already in use \(os error (?:98|48|10048)\)/,
  // java.net.BindException: Address already in use (Bind failed)
  /^(?:[\w$]{1,40}\.){0,6}BindException: Address already in use\b/,
  // Web server failed to start. Port 8080 was already in use.
  /^Web server failed to start\. Port \d{1,5} was already in use\b/,
  // Error: Port 3000 is already in use
  /^(?:\[?[A-Za-z]{0,40}error\]?:? )?Port \d{1,5} is (?:already )?in use(?: by another (?:program|process))?(?:[.,;!]|$)/i,
  /^(?:Error: )?(?:That port is already in use|Something is already running on port \d{1,5})\b/,
  // Error: http://localhost:3000 is already used, make sure that nothing is running on the port
  /^Error: https?:\/\/\S{1,200} is already used, make sure that nothing is running on the port/,
  // nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)
  /^(?:[\w./-]{1,60}: ){0,2}(?:\[emerg\] )?bind(?:\(\d?\))?(?: to \S{1,100} failed \(\d{1,5})?: (?:address already in use|only one usage of each socket address)/i,
  // server.rb:12:in `initialize': Address already in use - bind(2) for "127.0.0.1" port 3000 (Errno::EADDRINUSE)
  /^(?:Errno::EADDRINUSE: |\S{1,200}:in [`'].{1,80}': )Address already in use - bind\(2\)/,
  // System.IO.IOException: Failed to bind to address http://127.0.0.1:5000: address already in use.
  /^.{0,80}Failed to (?:bind to address|listen on) \S{1,150}(?: \(reason)?: address already in use\b/i,
  // Error response from daemon: … Bind for 0.0.0.0:5432 failed: port is already allocated.
  /^.{0,250}Bind for \S{1,60} failed: port is already allocated\b/,
  // nc: Address already in use
  /^(?:[\w.$()-]{1,60}: ){1,3}address already in use(?:\.| [-:(\d]\S{0,100})?$/i,
  /^Address already in use\.?$/,
];

function saysPortInUse(line: string): boolean {
  if (!HINT.test(line) || isQuoted(line)) return false;
  const [lead = ""] = LEAD.exec(line) ?? [];
  const said = line.slice(lead.length);
  return PORT_IN_USE.some((pattern) => pattern.test(said));
}

const LINE = 1200;

/**
 * The line that reports a port in use, if any: the check cannot run in parallel with others. Call it even when failing
 * items were read.
 */
export function portInUseLine(stdout: string, stderr: string): string | undefined {
  const line = [stderr, stdout]
    .flatMap((text) => stripEscapes(text).split("\n"))
    .find((each) => saysPortInUse(each.slice(0, LINE).trimEnd()));
  return line === undefined ? undefined : cleanLine(line);
}
