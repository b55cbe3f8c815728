// proves: J3, J8, U5
// The kind of a failed check ("Settled" 15): by what the check is and shows, never by what its text speaks of.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/core/evidence.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";
import { checkFailure, couldNotRunFailure } from "../../../src/core/run/decide/attempt-failure.ts";

const out = (...lines: readonly string[]): string => lines.join("\n");

/** Code that does not compile or load, under any runner. */
const BROKEN: { readonly [name: string]: Evidence } = {
  "node --test, spec: syntax": {
    command: "node --test",
    stdout: out(
      "/repo/src/cart.js:3",
      "exports.total = (a, b => a;",
      "                      ^^",
      "",
      "SyntaxError: Malformed arrow function parameter list",
      "    at wrapSafe (node:internal/modules/cjs/loader:1620:18)",
      "✖ test/cart.test.js (43.1ms)",
      "ℹ fail 1",
    ),
  },
  "node --test, TAP: a module that is not there": {
    command: "npm test",
    stdout: out(
      "# node:internal/modules/esm/resolve:275",
      "# Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/repo/src/tax.js' imported from /repo/test/tax.test.js",
      "not ok 1 - test/tax.test.js",
      "  ---",
      "  error: 'test failed'",
      "  ...",
    ),
  },
  "node: an export that is not there": {
    command: "node --test",
    stderr: out(
      "file:///repo/test/a.test.js:1",
      'import { total } from "../src/cart.js";',
      "         ^^^^^",
      "SyntaxError: The requested module '../src/cart.js' does not provide an export named 'total'",
    ),
  },
  "pytest: collection": {
    command: "pytest",
    stdout: out(
      "==================================== ERRORS ====================================",
      "_____________________ ERROR collecting tests/test_cart.py ______________________",
      "tests/test_cart.py:1: in <module>",
      "    from shop.cart import total",
      'E     File "/repo/shop/cart.py", line 3',
      "E       def total(:",
      "E                 ^",
      "E   SyntaxError: invalid syntax",
      "=========================== short test summary info ============================",
      "ERROR tests/test_cart.py",
    ),
  },
  "pytest: an import that fails": {
    command: "python3 -m pytest",
    stdout: out(
      "_____________________ ERROR collecting tests/test_cart.py ______________________",
      "ImportError while importing test module '/repo/tests/test_cart.py'.",
      "E   ModuleNotFoundError: No module named 'shop.tax'",
    ),
  },
  "jest: a suite that does not run": {
    command: "npx jest",
    stderr: out(
      "FAIL test/cart.test.js",
      "  ● Test suite failed to run",
      "",
      "    SyntaxError: /repo/src/cart.js: Unexpected token (3:12)",
    ),
  },
  "vitest: a file that is not transformed": {
    command: "npx vitest run",
    stderr: out(
      " FAIL  test/cart.test.ts [ test/cart.test.ts ]",
      "Error: Transform failed with 1 error:",
      '/repo/src/cart.ts:2:41: ERROR: Expected ")" but found ";"',
    ),
  },
  "unittest: a test file that is not imported": {
    command: "python3 -m unittest",
    stderr: out(
      "ERROR: test_cart (unittest.loader._FailedTest.test_cart)",
      "ImportError: Failed to import test module: test_cart",
      "ModuleNotFoundError: No module named 'cart'",
    ),
  },
  tsc: {
    command: "npx tsc --noEmit",
    stdout: "src/cart.ts(3,7): error TS2304: Cannot find name 'totl'.",
  },
  "tsc, pretty": {
    command: "npm run check",
    stdout: "src/cart.ts:3:7 - error TS2304: Cannot find name 'totl'.",
  },
  gcc: { command: "make", stderr: "src/cart.c:3:7: error: expected ';' before 'return'" },
  javac: { command: "mvn test", stdout: "[ERROR] /repo/src/Cart.java:[14,20] cannot find symbol" },
  "rustc under cargo test": {
    command: "cargo test",
    stderr: out(
      "error[E0425]: cannot find value `totl` in this scope",
      " --> src/lib.rs:3:5",
      "error: could not compile `shop` (lib test) due to 1 previous error",
    ),
  },
  "go build under go test": {
    command: "go test ./...",
    stdout: out(
      "# example.org/shop",
      "./cart.go:14:9: undefined: totl",
      "FAIL\tshop [build failed]",
    ),
  },
  "a linker": { command: "make", stderr: "main.c:(.text+0x15): undefined reference to `total'" },
  ruby: {
    command: "rspec",
    stdout: out(
      "An error occurred while loading ./spec/cart_spec.rb.",
      "LoadError:",
      "  cannot load such file -- /repo/lib/tax",
    ),
  },
  "a bundler": {
    command: "npm run bundle",
    stderr: '✘ [ERROR] Could not resolve "./tax"\n\n    src/index.js:1:22:',
  },
  "a shell script": {
    command: "sh check.sh",
    stderr: "scripts/release.sh: line 8: syntax error: unexpected end of file",
  },
  "a build that says nothing": { command: "npm run build", stdout: "it did not work" },
};

/** A test that failed, or a tool that is no compiler, whatever its words. */
const FAILED: { readonly [name: string]: Evidence } = {
  "a test about rate limits": {
    command: "node --test",
    stdout: out(
      "✖ waits when the service is busy (2ms)",
      "  AssertionError [ERR_ASSERTION]: Error: 429 Too Many Requests: rate limit exceeded, retry after 20 s",
      "  'gave up' !== 'waited'",
    ),
  },
  "a test about an overloaded service": {
    command: "npx jest",
    stderr: out(
      "  ● asks again when overloaded",
      "    Expected: 200",
      "    Received: 529",
      '    {"type":"overloaded_error","message":"Overloaded"}',
    ),
  },
  "a missing file": { command: "grep x a.txt", stderr: "grep: a.txt: No such file or directory" },
  "a test about missing files": {
    command: "pytest",
    stdout: out(
      "______ test_reads ______",
      "E   FileNotFoundError: [Errno 2] No such file or directory: 'state.json'",
      "FAILED tests/test_a.py::test_reads - FileNotFoundError: [Errno 2]",
    ),
  },
  "a test that may not write": {
    command: "npm test",
    stdout: "✖ writes (1ms)\n  Error: EACCES: permission denied, open '/etc/x'",
  },
  "a test that gets a login wrong": {
    command: "npm test",
    stdout: "✖ logs in (1ms)\n  Error: 401 Unauthorized: invalid x-api-key",
  },
  "a test that needs a database": {
    command: "npm test",
    stdout: "✖ stores (1ms)\n  Error: connect ECONNREFUSED 127.0.0.1:5432",
  },
  "a test of a parser": {
    command: "node --test",
    stdout: out(
      "✖ refuses bad input (1ms)",
      "  AssertionError [ERR_ASSERTION]: SyntaxError: Unexpected token } in JSON at position 3",
      "  null !== 'refused'",
    ),
  },
  "a program that reads bad JSON": {
    command: "node check.js",
    stderr: out(
      "undefined:1",
      "{,}",
      " ^",
      "SyntaxError: Expected property name or '}' in JSON at position 1",
    ),
  },
  "a test of a compiler": {
    command: "go test ./...",
    stdout: out(
      "--- FAIL: TestMessages (0.00s)",
      "    parse_test.go:12: got \"src/a.ts(3,7): error TS2304: Cannot find name 'x'.\", want nothing",
    ),
  },
  "a test of an import": {
    command: "npm test",
    stdout: "✖ loads plugins (1ms)\n  Error: Cannot find module './plugins/none'",
  },
  "a suite without tests": {
    command: "npx jest",
    stderr: "  ● Test suite failed to run\n\n    Your test suite must contain at least one test.",
  },
  "a linter": {
    command: "npx eslint .",
    stdout: "/repo/a.js\n  3:17  error  Expected '==='  eqeqeq",
  },
  "a linter of the compiler's kind": {
    command: "cargo clippy",
    stderr: out(
      "error: this loop never actually loops",
      " --> src/lib.rs:3:5",
      "  = note: `#[deny(clippy::never_loop)]` on by default",
    ),
  },
  "an undefined name at run time": {
    command: "node smoke.js",
    stderr: "ReferenceError: startedAt is not defined\n    at boot (/repo/src/boot.js:3:44)",
  },
  "memory that ran out": {
    command: "npm test",
    stderr: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
  },
  nothing: { command: "sh check.sh" },
};

const kindOf = (evidence: Evidence): string =>
  checkFailure({ exitCode: 1, ...evidence }, standardRules()).kind;

for (const [name, evidence] of Object.entries(BROKEN))
  test(`broken build: ${name}`, () => assert.equal(kindOf(evidence), "broken_build"));

for (const [name, evidence] of Object.entries(FAILED))
  test(`a failed check and no more: ${name}`, () =>
    assert.equal(kindOf(evidence), "verification_failed"));

test("one that ran too long is a timeout, with its limit first and what it said after it", () => {
  const message = "timed out: it was ended after 2 min";
  const evidence = { exitCode: 124, command: "npm test", message, stdout: "Error: no answer" };
  const failure = checkFailure(evidence, standardRules());
  assert.deepEqual([failure.kind, failure.because], ["timeout", [message, "Error: no answer"]]);
  const other = checkFailure({ ...evidence, command: "npm run e2e" }, standardRules());
  assert.notEqual(other.signature, failure.signature);
});

test("whatever a check prints, its kind is one of a check's", () => {
  const words = fc.constantFrom(
    ...["429", "rate limit exceeded", "ENOENT", "SyntaxError: x", "401 Unauthorized", "overloaded"],
    ...[
      "Killed",
      "ENOSPC: no space left on device",
      "context length exceeded",
      "✖ a",
      "\n",
      "a:1:2",
    ],
  );
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 12 }),
      fc.integer({ min: 1, max: 255 }),
      (said, code) => {
        const { kind, origin, category } = checkFailure(
          { exitCode: code, stdout: said.join(" ") },
          standardRules(),
        );
        assert.ok(["verification_failed", "broken_build", "timeout"].includes(kind), kind);
        assert.deepEqual([origin, category], ["check", "systematic"]);
      },
    ),
  );
});

test("a check that could not run is known by what is missing, never by a service that its text speaks of", () => {
  const unable = (evidence: Evidence): string => couldNotRunFailure(evidence, standardRules()).kind;
  const missing = { exitCode: 127, stderr: "sh: 1: vitest: not found" };
  assert.equal(unable(missing), "command_not_found");
  assert.equal(unable({ message: "ENOSPC: no space left on device, write" }), "disk_full");
  const busy = "API Error: 429 rate_limit_error: this request would exceed your rate limit";
  assert.equal(unable({ exitCode: 137, stdout: busy }), "verification_failed");
});
