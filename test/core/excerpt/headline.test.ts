// U20: one line that says what failed and why, from outputs in the forms of many tools; no output is without one.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { excerptOf } from "../../../src/core/excerpt/excerpt.ts";

const HEADLINES: readonly (readonly [name: string, output: readonly string[], headline: string])[] =
  [
    [
      "rust: the panic's place, then what it says",
      [
        "---- cart::adds stdout ----",
        "thread 'cart::adds' panicked at src/cart.rs:8:9:",
        "assertion `left == right` failed",
        "  left: 3",
        " right: 4",
      ],
      "cart::adds stdout | thread 'cart::adds' panicked at src/cart.rs:8:9: assertion `left == right` failed | expected 4, got 3",
    ],
    [
      "mocha: suite, test, then the error",
      [
        "  1) Cart",
        "       adds tax:",
        "",
        "      AssertionError: expected 3 to equal 4",
        "      at Context.<anonymous> (test/cart.js:9:3)",
      ],
      "1) Cart | adds tax: AssertionError: expected 3 to equal 4",
    ],
    [
      "unittest: the error, not the line of code above it",
      [
        "FAIL: test_tax (tests.test_cart.CartTest)",
        "----------------------------------------------------------------------",
        "Traceback (most recent call last):",
        '  File "/app/tests/test_cart.py", line 9, in test_tax',
        "    self.assertEqual(tax(1), 2)",
        "AssertionError: 1 != 2",
      ],
      "FAIL: test_tax (tests.test_cart.CartTest) | AssertionError: 1 != 2",
    ],
    [
      "a label alone is followed by what it announces",
      [
        "  Failed Shop.CartTests.Tax [4 ms]",
        "  Error Message:",
        "   Assert.Equal() Failure: Values differ",
      ],
      "Failed Shop.CartTests.Tax | Error Message: Assert.Equal() Failure: Values differ",
    ],
    [
      "an error's code is followed by its words",
      ["src/Cart.hs:4:9: error: [GHC-83865]", "    • Couldn't match expected type ‘Int’"],
      "src/Cart.hs:4:9: error: [GHC-83865] | • Couldn't match expected type ‘Int’",
    ],
    [
      "cmake: the cause before the step that it broke",
      [
        "CMake Error at CMakeLists.txt:7 (add_executable):",
        "  Cannot find source file:",
        "",
        "    src/cart.cpp",
        "",
        "CMake Error: CMAKE_GENERATE step failed.  Build files cannot be regenerated correctly.",
      ],
      "CMake Error at CMakeLists.txt:7 (add_executable): Cannot find source file: src/cart.cpp",
    ],
    [
      "maven: the test, not the heading",
      [
        "[ERROR] Failures: ",
        "[ERROR]   CartTest.tax:33 expected: <2> but was: <1>",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
      ],
      "[ERROR] CartTest.tax:33 expected: <2> but was: <1>",
    ],
    [
      "an address with a port is no place in the code",
      ["  ● loads the cart", "", "    connect ECONNREFUSED 127.0.0.1:3000"],
      "● loads the cart | connect ECONNREFUSED 127.0.0.1:3000",
    ],
    [
      "a table's border says nothing",
      [
        "┌──────────┬────────┐",
        "└──────────┴────────┘",
        "  #  failure         detail",
        " 1.  AssertionError  Status code is 200",
        "                     expected status code 200 but got 500",
      ],
      "1. AssertionError Status code is 200 | expected status code 200 but got 500",
    ],
    [
      "node: the values, without how long it took",
      [
        "✖ adds tax (0.9ms)",
        "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
        "",
        "  3 !== 2",
        "",
        "    code: 'ERR_ASSERTION',",
      ],
      "✖ adds tax | Expected values to be strictly equal: 3 !== 2",
    ],
    [
      "TAP: the values, not the test's place",
      [
        "not ok 1 - adds tax",
        "  ---",
        "  location: '/shop/cart.test.js:2:1'",
        "  failureType: 'testCodeFailure'",
        "  error: |-",
        "    Expected values to be strictly equal:",
        "    3 !== 2",
        "  code: 'ERR_ASSERTION'",
      ],
      "not ok 1 - adds tax | Expected values to be strictly equal: 3 !== 2",
    ],
    [
      "a comparison: both values instead of how they differ",
      [
        "✖ keeps the keys (0.9ms)",
        "  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:",
        "  + actual - expected",
        "",
        "    {",
        "  +   tag: 'y'",
        "  -   tag: 'x'",
        "    }",
        "",
        "    actual: { tag: 'y' },",
        "    expected: { tag: 'x' },",
      ],
      "✖ keeps the keys | Expected values to be strictly deep-equal: expected { tag: 'x' }, got { tag: 'y' }",
    ],
    [
      "playwright: the values, which its first line lacks",
      [
        "  1) e2e/cart.spec.js:4:1 › counts items",
        "",
        "    Error: expect(received).toBe(expected) // Object.is equality",
        "",
        '    Expected: "1 item"',
        '    Received: "1 items"',
      ],
      '1) e2e/cart.spec.js:4:1 › counts items | Error: expect(received).toBe(expected) // Object.is equality | expected "1 item", got "1 items"',
    ],
    [
      "values that are said are not said again",
      [
        "FAIL cart.test.ts > joins",
        "AssertionError: expected 'ab' to be 'ba' // Object.is equality",
        'Expected: "ba"',
        'Received: "ab"',
      ],
      "FAIL cart.test.ts > joins | AssertionError: expected 'ab' to be 'ba' // Object.is equality",
    ],
    [
      "what only warns is told where there is nothing else",
      ["Checking formatting...", "[warn] src/cart.ts", "[warn] Code style issues found."],
      "[warn] src/cart.ts",
    ],
    [
      "so is a summary",
      ["ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with a frozen lockfile"],
      "ERR_PNPM_OUTDATED_LOCKFILE Cannot install with a frozen lockfile",
    ],
  ];

for (const [name, output, headline] of HEADLINES)
  test(`U20: ${name}`, () =>
    assert.equal(excerptOf({ stdout: output.join("\n") }).headline, headline));

test("U20: whatever a failed check says, it is not told as nothing", () => {
  const line = fc.oneof(
    fc.constantFrom("✔ adds tax", "ok 1 - a", "=====", "[warn] a", "Tests: 1 failed", "Done in 3s"),
    fc.constantFrom(
      "make: Nothing to be done",
      "    at node:internal/x:1:1",
      "",
      "+",
      "{",
      "npm fund",
    ),
    fc.string({ minLength: 1, maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean(), (lines, onError) => {
      const output = lines.join("\n");
      const { headline, text } = excerptOf(onError ? { stderr: output } : { stdout: output });
      const said = lines.some((one) => /[a-z]/i.test(one));
      if (said) assert.ok(headline !== "" && text.trim() !== "", JSON.stringify(output));
    }),
  );
});
