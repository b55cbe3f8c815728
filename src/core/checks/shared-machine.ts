/**
 * Checks that failed because they shared the machine: a port in use, a lock held by another.
 */
import { stripEscapes, cleanLine } from "../foreign-text.ts";

const SPOKEN_ABOUT = /^\s{0,40}(?:expect|receiv|actual|assert|want)/i;

/** A diff, a code frame, quotes, a runner's marks and results. */
const MARKED =
  /^\s{0,40}(?:[-+|"'`✓✔✗✖×√●○]|> {1,5}\d{1,7} ?\||(?:not )?ok \d|--- [A-Z]|(?:FAIL|PASS|FAILED|PASSED)[ :])/;

/** Somebody speaks about a message: an assertion, a diff, a line of a test. */
export const isQuoted = (line: string): boolean => SPOKEN_ABOUT.test(line) || MARKED.test(line);

/** Where such a message may begin: indented, quoted by pytest, or after the name of what printed it. */
const LEAD = /^(?:E {1,10}|\s{0,40})(?:\[[\w@./:-]{1,40}\] )?(?:Uncaught |Unhandled |Caused by: )?/;

/** What every message below holds: most lines are not looked at any further. */
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

export const LINE = 1200;

/** The line that says that a port was taken: the check cannot run beside others. Asked even when failing items were read. */
export function sharesBadly(stdout: string, stderr: string): string | undefined {
  const line = [stderr, stdout]
    .flatMap((text) => stripEscapes(text).split("\n"))
    .find((each) => saysPortInUse(each.slice(0, LINE).trimEnd()));
  return line === undefined ? undefined : cleanLine(line);
}
