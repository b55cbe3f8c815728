// proves: U11, U13
// Messages of tools that never came to run a test, each with what a test might print that looks
// like it; and which files judge the work.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  cannotRun,
  portInUseLine,
  type CannotRunWhy,
} from "../../../src/core/checks/cannot-run.ts";

const why = (line: string): string | undefined =>
  cannotRun({ kind: "exited", code: 1 }, "", line)?.why;

const TAKEN: readonly string[] = [
  "Error: listen EADDRINUSE: address already in use :::3000",
  "     Uncaught Error: listen EADDRINUSE: address already in use 127.0.0.1:3000",
  "    listen EADDRINUSE: address already in use :::3000",
  "  error: 'listen EADDRINUSE: address already in use 127.0.0.1:3000'",
  "[web] Error: listen EADDRINUSE: address already in use :::3000",
  "Error: bind EADDRINUSE 0.0.0.0:53",
  "OSError: [Errno 98] Address already in use",
  "E       OSError: [Errno 48] Address already in use",
  "ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
  "    server_test.go:12: listen tcp 127.0.0.1:8080: bind: address already in use",
  "2026/01/01 12:00:00 listen tcp :8080: bind: address already in use",
  "panic: failed to start server: listen tcp :8080: bind: address already in use",
  "    server_test.go:12: unexpected error: listen tcp :8080: bind: Only one usage of each socket address (protocol/network address/port) is normally permitted.",
  "bind: Only one usage of each socket address (protocol/network address/port) is normally permitted.",
  'called `Result::unwrap()` on an `Err` value: Os { code: 98, kind: AddrInUse, message: "Address already in use" }',
  "Error: Address already in use (os error 98)",
  "java.net.BindException: Address already in use (Bind failed)",
  "Caused by: java.net.BindException: Address already in use",
  "Web server failed to start. Port 8080 was already in use.",
  "Error: Port 3000 is already in use",
  "Port 4200 is already in use.",
  "Port 5000 is in use by another program. Either identify and stop that program, or start the server with a different port.",
  "Error: That port is already in use.",
  "Something is already running on port 3000.",
  "Error: http://localhost:3000 is already used, make sure that nothing is running on the port/url or set reuseExistingServer:true in config.webServer.",
  "nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)",
  "server.rb:12:in 'initialize': Address already in use - bind(2) for \"127.0.0.1\" port 3000 (Errno::EADDRINUSE)",
  "Errno::EADDRINUSE: Address already in use - bind(2) for 127.0.0.1:3000",
  "System.IO.IOException: Failed to bind to address http://127.0.0.1:5000: address already in use.",
  "Failed to listen on localhost:8000 (reason: Address already in use)",
  "Error response from daemon: driver failed programming external connectivity: Bind for 0.0.0.0:5432 failed: port is already allocated.",
  "nc: Address already in use",
  "Error: address already in use",
  "Address already in use",
];
const NOT_TAKEN: readonly string[] = [
  "    ✔ retries on EADDRINUSE (2ms)",
  "  ✖ Error: listen EADDRINUSE: address already in use :::3000",
  "ok 3 - listen EADDRINUSE: address already in use",
  "not ok 3 - Port 3000 is already in use",
  "--- PASS: Error: Port 3000 is already in use (0.00s)",
  "  when the address is already in use",
  "  address already in use",
  "AssertionError: expected 'listen EADDRINUSE: address already in use' to equal 'x'",
  'Expected: "listen EADDRINUSE: address already in use"',
  "Received: Error: listen EADDRINUSE: address already in use :::3000",
  "+ Error: listen EADDRINUSE: address already in use :::3000",
  "  > 12 | throw new Error('listen EADDRINUSE: address already in use')",
  "   code: 'EADDRINUSE',",
  "server: mocked EADDRINUSE, going on",
  "Port 3000 is already in use by the docs as an example",
  "Error: connect ECONNREFUSED 127.0.0.1:3000",
  "OSError: [Errno 99] Cannot assign requested address",
  "import { EADDRINUSE } from 'node:constants';",
  "the e-mail address is already in use",
  "Error: e-mail address already in use by another account",
];

/** Each: why, lines that say so, and lines that do not. */
const ROWS: readonly (readonly [CannotRunWhy, readonly string[], readonly string[]])[] = [
  [
    "no-such-script",
    [
      "npm error Missing script: x",
      "ERR_PNPM_NO_SCRIPT  Missing script: x",
      " ERR_PNPM_NO_SCRIPT  Missing script: x",
      'Usage Error: Couldn\'t find a script named "x".',
      "make[12]: *** No rule to make target 'x'.  Stop.",
      "gmake: *** No targets specified and no makefile found.  Stop.",
      "python3.12: can't open file '/w/run.py': [Errno 2] No such file or directory",
      "error: could not find `Cargo.toml` in `/w` or any parent directory",
      "go: cannot find main module, but found .git/config in /w",
    ],
    [
      "the log: npm error Missing script: x",
      "see make: *** No rule to make target 'x'.",
      "got go: go.mod file not found",
      "make: *** Nothing to do",
      "pythonista: can't open file",
    ],
  ],
  [
    "not-executable",
    ["make: *** [Makefile:3: x] Error 126", "make[11]: *** [a:3: x] Error 126"],
    ["make: *** [Makefile:3: x] Error 1260", "> make: *** [Makefile:3: x] Error 126"],
  ],
  [
    "command-not-found",
    ["gmake[1]: *** [a:3: x] Error 127", "make: *** [a:3: x] Error 127"],
    ["make: *** [a:3: x] Error 127 times", "a make: *** [a:3: x] Error 127"],
  ],
  [
    "missing-tool",
    [
      "/usr/bin/python3: No module named pytest.x",
      "python.exe: No module named tox",
      "error: no such subcommand: 'nextest'",
      "npm ERR! could not determine executable to run",
      "ERROR: Cannot connect to the Docker daemon at x",
      "error during connect: Cannot connect to the Docker daemon",
      "bundler: command not found: rspec",
    ],
    [
      "a python3: No module named x",
      "an error: no such command: `x`",
      "see bundler: command not found: x",
    ],
  ],
  [
    "no-network",
    [
      "npm error code ENOTFOUND",
      "npm ERR! code ECONNREFUSED",
      "npm error network request to https://registry.invalid/a failed, reason: getaddrinfo ENOTFOUND registry.invalid",
      'error An unexpected error occurred: "https://registry.invalid/a: getaddrinfo EAI_AGAIN registry.invalid".',
      " ERR_PNPM_META_FETCH_FAIL  GET https://r.invalid/a: request to https://r.invalid/a failed, reason: getaddrinfo EAI_AGAIN r.invalid",
      "Error: getaddrinfo ENOTFOUND api.invalid",
      "  cause: Error: getaddrinfo EAI_AGAIN api.invalid",
      "Error: connect ENETUNREACH 192.0.2.1:443 - Local (0.0.0.0:0)",
      "curl: (6) Could not resolve host: example.invalid",
      "fatal: unable to access 'https://git.invalid/a.git/': Could not resolve host: git.invalid",
      "ssh: Could not resolve hostname git.invalid: Temporary failure in name resolution",
      "  curl error 6 while downloading https://p.invalid/p.json: Could not resolve host: p.invalid",
      "wget: unable to resolve host address 'example.invalid'",
      "socket.gaierror: [Errno -3] Temporary failure in name resolution",
      "E   socket.gaierror: [Errno -2] Name or service not known",
      "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
      "Err:1 http://deb.invalid stable InRelease Temporary failure resolving 'deb.invalid'",
      "ping: connect: Network is unreachable",
      "OSError: [Errno 101] Network is unreachable",
      "git.invalid[0: 192.0.2.1]: errno=Network is unreachable",
      "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnectionError('<pip.Connection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/a/",
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.invalid', port=443): Max retries exceeded with url: / (Caused by NewConnectionError('<C object>: Failed to establish a new connection: [Errno 101] Network is unreachable'))",
      'go: m.invalid/a@v1.2.0: Get "https://proxy.invalid/m.invalid/a": dial tcp: lookup proxy.invalid on 192.0.2.53:53: no such host',
      "dial tcp: lookup proxy.invalid: no such host",
      "lookup proxy.invalid on 192.0.2.53:53: no such host",
      "error: failed to download `serde v1.0.0`",
      "  failed to download from `https://crates.invalid/serde`",
      "warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name",
      "  Caused by: dns error: failed to lookup address information: Name or service not known",
      "[ERROR] Failed to execute goal on project a: Could not resolve dependencies: Could not transfer artifact g:a:pom:1.0 from/to central (https://repo.invalid/maven2): repo.invalid: Unknown host repo.invalid -> [Help 1]",
      "Caused by: java.net.UnknownHostException: repo.invalid",
    ],
    [
      "npm error code ENOTFOUND2",
      "x npm error code ENOTFOUND",
      "npm error code E404",
      "✔ retries after getaddrinfo ENOTFOUND api.invalid (1ms)",
      "    ✓ Error: getaddrinfo ENOTFOUND api.invalid is shown",
      "not ok 3 - Error: getaddrinfo ENOTFOUND api.invalid",
      "AssertionError: expected 'getaddrinfo ENOTFOUND api.invalid' to equal 'x'",
      "  + 'Error: getaddrinfo ENOTFOUND api.invalid'",
      "Expected: Network is unreachable",
      "the user sees: Could not resolve host: example.invalid",
      "Error: getaddrinfo ENOTFOUND localhost",
      "Error: connect ECONNREFUSED 127.0.0.1:5432",
      "connect ECONNREFUSED ::1:3000",
      "dial tcp 127.0.0.1:5432: connect: connection refused",
      "dial tcp: lookup localhost: no such host",
      "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8000): Max retries exceeded with url: / (Caused by NewConnectionError('<C object>: Failed to establish a new connection: [Errno 111] Connection refused'))",
      "curl: (7) Failed to connect to localhost port 3000",
      "error: failed to download the report in the test",
      "java.net.ConnectException: Connection refused",
    ],
  ],
  ["port-in-use", TAKEN, NOT_TAKEN],
  [
    "nothing-to-run",
    [
      "No tests found, exiting with code 1",
      "No test files found, exiting with code 12",
      "no tests ran in 0.01s",
      "=== no tests ran in 1.20s ===",
      'Error: No test files found: "spec"',
    ],
    ["there were no tests ran in 0.01s", "No tests found", "An Error: No test files found: x"],
  ],
  [
    "disk-full",
    [
      "cp: error writing 'a': No space left on device",
      "npm error nospc ENOSPC: no space left on device, write",
      "Error: ENOSPC: no space left on device, write",
    ],
    ["AnError: ENOSPC: no space left on device", "a: No space left on device, he said"],
  ],
];

for (const [kind, says, near] of ROWS)
  describe(kind, () => {
    for (const line of says) test(line, () => assert.equal(why(line), kind));
    for (const line of near) test(`not: ${line}`, () => assert.equal(why(line), undefined));
  });

/** How a test, a diff or a reporter speaks about a line that a tool would print. */
const ABOUT: readonly ((line: string) => string)[] = [
  (line) => `+ ${line}`,
  (line) => `    "${line}",`,
  (line) => `  ✔ ${line} (2ms)`,
  (line) => `not ok 12 - ${line}`,
  (line) => `      Expected: ${line}`,
  (line) => `received ${line}`,
  (line) => `FAIL: ${line}`,
  (line) => `  > 12 | throw new Error("${line}")`,
];

test("whatever is printed about a message is not that message", () => {
  for (const [, says] of ROWS)
    for (const line of says)
      for (const about of ABOUT) assert.equal(why(about(line.trim())), undefined, about(line));
});

test("a message is seen in colours, with a Windows line end, and as the last of many lines", () => {
  for (const [kind, says] of ROWS)
    for (const line of says) {
      assert.equal(why(`\u001b[31m${line}\u001b[39m\r`), kind, line);
      assert.equal(why(`${"x\n".repeat(600)}${line}\n${"y\n".repeat(300)}`), kind, line);
    }
});

test("a taken port is seen in either stream, in colours, anywhere, beside failing items", () => {
  const line = "Error: listen EADDRINUSE: address already in use :::3000";
  assert.equal(portInUseLine(line, ""), line);
  assert.equal(
    portInUseLine("", `not ok 1 - a\n\u001b[31m${line}\u001b[39m\n${"x\n".repeat(5000)}`),
    line,
  );
  assert.equal(portInUseLine("all is well", "not ok 1 - a"), undefined);
  const end = { kind: "exited", code: 1 } as const;
  assert.deepEqual(cannotRun(end, "", line), { why: "port-in-use", detail: line });
});

test("hostile lines are read in linear time", () => {
  const lines = [
    "a: ".repeat(400_000),
    `${" ".repeat(400)}in use`.repeat(2000),
    "Address already in use ".repeat(40_000),
    `${"Could not transfer artifact a from/to ".repeat(30)}\n`.repeat(2000),
    `${"x".repeat(1100)} in use\n`.repeat(3000),
  ];
  const started = process.cpuUsage().user;
  for (const text of lines) {
    cannotRun({ kind: "exited", code: 1 }, text, text);
    portInUseLine(text, text);
  }
  assert.ok(process.cpuUsage().user - started < 3_000_000);
});

test("either stream counts, the errors first, and only their last lines", () => {
  const end = { kind: "exited", code: 1 } as const;
  const script = 'npm error Missing script: "x"';
  const empty = "No tests found, exiting with code 1";
  assert.equal(cannotRun(end, script, "")?.why, "no-such-script");
  assert.equal(cannotRun(end, script, empty)?.why, "nothing-to-run");
  assert.equal(cannotRun(end, "", `${script}\n${"x\n".repeat(500)}`), undefined);
  assert.deepEqual(cannotRun(end, "", `a\n${script}   \nb`), {
    why: "no-such-script",
    detail: script,
  });
});

test("exit codes of the shell, and signals from outside", () => {
  const exited = (code: number, stdout = "", stderr = "") =>
    cannotRun({ kind: "exited", code }, stdout, stderr);
  assert.deepEqual(exited(127, "out", "a\nsh: x: not found\n\n"), {
    why: "command-not-found",
    detail: "sh: x: not found",
  });
  assert.deepEqual(exited(126, "out\n"), { why: "not-executable", detail: "out" });
  assert.deepEqual(exited(126), { why: "not-executable", detail: "exit code 126" });
  for (const code of [129, 130, 137, 143]) assert.equal(exited(code)?.why, "killed");
  for (const code of [128, 131, 134, 139]) assert.equal(exited(code), undefined);
  for (const signal of ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])
    assert.match(
      cannotRun({ kind: "signalled", signal }, "", "")?.detail ?? "",
      new RegExp(signal),
    );
  assert.equal(cannotRun({ kind: "signalled", signal: "SIGSEGV" }, "", ""), undefined);
});
