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
      "jest: the test, not the file and the suite above it",
      [
        "FAIL test/cart.test.js",
        "  cart",
        "    ✕ adds tax (3 ms)",
        "",
        "  ● cart › adds tax",
        "",
        "    expect(received).toBe(expected) // Object.is equality",
        "",
        "    Expected: 2",
        "    Received: 1",
      ],
      "● cart › adds tax | expect(received).toBe(expected) // Object.is equality | expected 2, got 1",
    ],
    [
      "jest: a file that cannot be read has no test to name",
      ["FAIL test/cart.test.js", "  SyntaxError: Unexpected token ')'"],
      "FAIL test/cart.test.js | SyntaxError: Unexpected token ')'",
    ],
    [
      "pytest: the message once, and whole",
      [
        "_________ test_tax _________",
        "",
        "    def test_tax():",
        ">       assert tax('1,000') == 190",
        "E       ValueError: could not convert string to float: '1,000'",
        "",
        "tests/test_cart.py:3: ValueError",
        "FAILED tests/test_cart.py::test_tax - ValueError: could not conv...",
      ],
      "FAILED tests/test_cart.py::test_tax | ValueError: could not convert string to float: '1,000'",
    ],
    [
      "pytest: a name with a dash stays whole where another message follows",
      ["FAILED tests/test_cart.py::test_tax[a - b]", "E       assert 1 == 2"],
      "FAILED tests/test_cart.py::test_tax[a - b] | assert 1 == 2",
    ],
    [
      "meson: the test, not its exit status",
      [
        "1/2 cart:total        OK              0.01s",
        "2/2 cart:tax          FAIL            0.01s   exit status 1",
      ],
      "2/2 cart:tax FAIL 0.01s exit status 1",
    ],
    [
      "phpstan: the finding in the table, not the count below it",
      [
        " ------ ---------------------------------------------",
        "  Line   src/Cart.php",
        " ------ ---------------------------------------------",
        "  12     Method Cart::total() should return int but returns string.",
        " ------ ---------------------------------------------",
        "",
        " [ERROR] Found 1 error",
      ],
      "12 Method Cart::total() should return int but returns string.",
    ],
    [
      "a sentence about an operator names no values",
      ["FAIL cart.sql", "  Got 4 results, configured to fail if != 0"],
      "FAIL cart.sql | Got 4 results, configured to fail if != 0",
    ],
    [
      "TAP: a test's name stays, even where the message begins with it",
      ["not ok 1 - 3", "  3 !== 2"],
      "not ok 1 - 3 | 3 !== 2",
    ],
    [
      "ctest: what the test printed, not the test that started next",
      [
        "2/3 Test #2: cart_tax ....................***Failed    0.01 sec",
        "    Start 3: cart_total",
        "tax(2): expected 4, got 5 (cart.cpp:11)",
      ],
      "2/3 Test #2: cart_tax ....................***Failed 0.01 sec | tax(2): expected 4, got 5 (cart.cpp:11)",
    ],
    [
      "biome: rule and message, without the line drawn between them",
      [
        "src/cart.js:4:5 lint/suspicious/noDebugger ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "",
        "  × This is an unexpected use of the debugger statement.",
      ],
      "src/cart.js:4:5 lint/suspicious/noDebugger | × This is an unexpected use of the debugger statement.",
    ],
    [
      "googletest: what was compared",
      [
        "cart/cart_test.cc:14: Failure",
        "Expected equality of these values:",
        "  tax(100)",
        "    Which is: 18",
        "  19",
        "[  FAILED  ] CartTest.HasTax (0 ms)",
      ],
      "cart/cart_test.cc:14: Failure | Expected equality of these values: tax(100)",
    ],
    [
      "shellcheck: the finding under the line it is about",
      [
        "In run.sh line 7:",
        "if [ $x = 1 ]; then",
        "     ^-- SC2086 (info): Double quote to prevent globbing and word splitting.",
      ],
      "^-- SC2086 (info): Double quote to prevent globbing and word splitting.",
    ],
    [
      "scalatest: the values beside their place",
      ["- adds tax *** FAILED ***", "  18 did not equal 19 (CartSpec.scala:12)"],
      "- adds tax *** FAILED *** | 18 did not equal 19 (CartSpec.scala:12)",
    ],
    [
      "bats: what failed, not where",
      ["✗ adds tax", "  (in test file cart.bats, line 9)", '    `[ "$output" = 19 ]\' failed'],
      '✗ adds tax | `[ "$output" = 19 ]\' failed',
    ],
    [
      "a sentence about equality names no values",
      ["Failure → spec/cart_spec.lua @ 5", "spec/cart_spec.lua:6: Expected objects to be equal."],
      "Failure → spec/cart_spec.lua @ 5 | spec/cart_spec.lua:6: Expected objects to be equal.",
    ],
    [
      "yamllint: the rule's name is no part of the value",
      ["  3:1       error    wrong indentation: expected 2 but found 1  (indentation)"],
      "3:1 error wrong indentation: expected 2 but found 1 (indentation)",
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

const titles = (output: Parameters<typeof excerptOf>[0]) =>
  excerptOf(output).failures.map(({ title }) => title);

test("U20: a test that is named on one stream and explained on the other is one failure", () => {
  const stdout = " × cart > adds tax 5ms\n   → expected 1 to be 2";
  const stderr = [
    "⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯",
    " FAIL  test/cart.test.ts > cart > adds tax",
    "AssertionError: expected 1 to be 2 // Object.is equality",
    " ❯ test/cart.test.ts:6:25",
    "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯",
  ].join("\n");
  assert.deepEqual(titles({ stdout, stderr }), ["FAIL  test/cart.test.ts > cart > adds tax"]);
  assert.doesNotMatch(excerptOf({ stdout, stderr }).text, /Failed Tests|\[1\/1\]/);
});

test("U20: what repeats a failure is no other: lists at the end, lines of progress, lines of code", () => {
  const stdout = [
    "tests/test_cart.py::test_tax FAILED                         [  8%]",
    "_________ test_tax _________",
    "E       assert 1 == 2",
    "FAILED tests/test_cart.py::test_tax - assert 1 == 2",
  ];
  assert.deepEqual(titles({ stdout: stdout.join("\n") }), [
    "FAILED tests/test_cart.py::test_tax - assert 1 == 2",
  ]);
  const playwright = [
    "  1) e2e/cart.spec.js:4:1 › counts items ──────────",
    "    Error: one item too many",
    "  1 failed",
    "    e2e/cart.spec.js:4:1 › counts items ──────────",
  ];
  assert.equal(titles({ stdout: playwright.join("\n") }).length, 1);
  const prettier = [
    "[error] src/form.jsx: SyntaxError: Expected corresponding JSX closing tag. (3:16)",
    "[error]   2 |   <form>",
    "[error] > 3 |     <label>Name</labl>",
    "[error]     |                ^",
  ];
  assert.equal(titles({ stderr: prettier.join("\n") }).length, 1);
  const scalac = [
    "[error] /repo/Cart.scala:9:18: type mismatch;",
    "[error]  found   : String",
    "[error]  required: Int",
    "[error] /repo/Cart.scala:12:1: not found: value tax",
  ];
  assert.equal(titles({ stderr: scalac.join("\n") }).length, 2);
});

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
