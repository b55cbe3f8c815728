/**
 * The messages of tools that could not reach the network. Invariants: each pattern is linear and anchored at the
 * start of a line; this machine's own addresses are no network, nor is a refused connection, which somebody
 * answered.
 */
import { isQuoted } from "./quoted-message.ts";

/** A name that is looked up elsewhere. */
const HOST = "(?!localhost\\b|127\\.|\\[?::1)";

const MESSAGES: readonly RegExp[] = [
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

/** Whether this line says that the network could not be reached. */
export const saysNoNetwork = (line: string): boolean =>
  !isQuoted(line) && MESSAGES.some((pattern) => pattern.test(line));
