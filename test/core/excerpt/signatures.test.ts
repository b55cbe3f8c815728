// proves: J23, B10
// Fingerprints of failed checks: two tests in two files are two, the same failure told again is one, under every runner.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkExcerpt } from "../../../src/core/excerpt/check-excerpt.ts";

interface Told {
  readonly file: string;
  readonly name: string;
  readonly got: number;
  readonly line?: number;
  readonly took?: number;
  readonly pid?: number;
}

/** How each runner tells of one test that failed, whole with its banner and its summary. */
const RUNNERS: { readonly [runner: string]: (told: Told) => string } = {
  vitest: ({ file, name, got, line = 4, took = 3 }) => `
 RUN  v3.0.0 /repo

 ❯ test/${file}.test.ts (1 test | 1 failed) ${took}ms
   × ${name} ${took}ms
     → expected ${got} to be 7 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/${file}.test.ts > ${name}
AssertionError: expected ${got} to be 7 // Object.is equality

- Expected
+ Received

- 7
+ ${got}

 ❯ test/${file}.test.ts:${line}:33
      ${line - 1}| it("${name}", () => {
      ${line}|   expect(value()).toBe(7);
       |                   ^

 Test Files  1 failed (1)
      Tests  1 failed (1)
   Duration  ${took}12ms`,
  jest: ({ file, name, got, line = 4, took = 3 }) => `
FAIL test/${file}.test.js
  ✕ ${name} (${took} ms)

  ● ${name}

    expect(received).toBe(expected) // Object.is equality

    Expected: 7
    Received: ${got}

    > ${line} |   expect(value()).toBe(7);
        |                   ^

      at Object.toBe (test/${file}.test.js:${line}:19)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total
Time:        0.${took} s`,
  pytest: ({ file, name, got, line = 4, took = 3 }) => `
============================= test session starts ==============================
collected 1 item

tests/test_${file}.py F                                                  [100%]

=================================== FAILURES ===================================
______________________________ test_${name.replaceAll(" ", "_")} ______________________________

    def test_${name.replaceAll(" ", "_")}():
>       assert value() == 7
E       assert ${got} == 7
E        +  where ${got} = value()

tests/test_${file}.py:${line}: AssertionError
=========================== short test summary info ============================
FAILED tests/test_${file}.py::test_${name.replaceAll(" ", "_")} - assert ${got} == 7
============================== 1 failed in 0.${took}s ===============================`,
  mocha: ({ file, name, got, line = 4, took = 3 }) => `

  1) ${name}

  0 passing (${took}ms)
  1 failing

  1) ${name}:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

${got} !== 7

      + expected - actual

      -${got}
      +7

      at Context.<anonymous> (test/${file}.js:${line}:12)
      at process.processImmediate (node:internal/timers:504:21)`,
  "node:test": ({ file, name, got, line = 4, took = 3 }) => `
✖ ${name} (${took}.85ms)
ℹ tests 1
ℹ fail 1
ℹ duration_ms ${took}7.1

✖ failing tests:

test at test/${file}.test.js:${line}:1
✖ ${name} (${took}.85ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  ${got} !== 7

      at TestContext.<anonymous> (file:///repo/test/${file}.test.js:${line}:10)
      at Test.run (node:internal/test_runner/test:797:25)`,
  go: ({ file, name, got, line = 4, took = 3 }) => `
--- FAIL: Test_${name.replaceAll(" ", "_")} (0.0${took}s)
    ${file}_test.go:${line}: value = ${got}, want 7
FAIL
FAIL	example.org/shop/${file}	0.00${took}s
FAIL`,
  cargo: ({ file, name, got, line = 4, took = 3, pid = 411 }) => `
running 1 test
test ${file}::${name.replaceAll(" ", "_")} ... FAILED

failures:

---- ${file}::${name.replaceAll(" ", "_")} stdout ----

thread '${file}::${name.replaceAll(" ", "_")}' (${pid}) panicked at src/${file}.rs:${line}:9:
assertion \`left == right\` failed
  left: ${got}
 right: 7
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    ${file}::${name.replaceAll(" ", "_")}

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0${took}s

error: test failed, to rerun pass \`--lib\``,
};

const signature = (stdout: string): string =>
  checkExcerpt({ command: "npm test", stdout }).signature;

for (const [runner, output] of Object.entries(RUNNERS)) {
  const told: Told = { file: "cart", name: "has a total", got: 3 };
  const own = signature(output(told));

  test(`${runner}: other tests, other messages, other files are other failures`, () => {
    for (const other of [
      { file: "tax", name: "is rounded", got: 3 },
      { file: "cart", name: "is rounded", got: 3 },
      { file: "tax", name: "has a total", got: 3 },
      { file: "cart", name: "has a total", got: 404 },
    ])
      assert.notEqual(signature(output(other)), own, JSON.stringify(other));
  });

  test(`${runner}: other lines, durations and process ids are the same failure`, () => {
    assert.equal(signature(output({ ...told, line: 90, took: 8, pid: 90_210 })), own);
  });
}

test("the order in which tests fail makes no other failure, and one that is mended does", () => {
  const one = ["✖ a (1ms)", "  Error: no a", "✖ b (2ms)", "  Error: no b"];
  const other = ["✖ b (9ms)", "  Error: no b", "✖ a (4ms)", "  Error: no a"];
  assert.equal(signature(one.join("\n")), signature(other.join("\n")));
  assert.notEqual(signature(one.join("\n")), signature(one.slice(0, 2).join("\n")));
});

test("what only counts is never the failure", () => {
  const [one, other] = ["alpha", "beta"].map((what) =>
    signature(`Error: ${what} is missing\n# tests 1\n# fail 1\n`),
  );
  assert.notEqual(one, other);
  const counts = (command: string): string =>
    checkExcerpt({ command, stdout: "# tests 1\n# fail 1\n" }).signature;
  assert.notEqual(
    counts("npm test -- a"),
    counts("npm test -- b"),
    "then the check tells them apart",
  );
});

test("temporary paths, ids and times are the same failure", () => {
  const said = (path: string, pid: string, time: string): string =>
    `Error: cannot open ${path}/state.db (pid ${pid}) at ${time}`;
  assert.equal(
    signature(said("/tmp/run-a1b2c3", "4711", "2026-01-02T03:04:05Z")),
    signature(said("/tmp/run-ffee99", "15", "2026-05-06T07:08:09Z")),
  );
});

test("any output has a fingerprint, the same each time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (stdout) => {
      assert.equal(signature(stdout), signature(stdout));
      assert.match(signature(stdout), /^\w+$/);
    }),
  );
});
