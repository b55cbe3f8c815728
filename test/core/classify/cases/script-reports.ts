/** How test runners of JavaScript and Python report a failed test. `{X}` is where each puts the text it compares, names or raises. */

export const SCRIPT_REPORTS: Readonly<Record<string, string>> = {
  "jest block": `  ● api client › reports {X}

    expect(received).toBe(expected) // Object.is equality

    Expected: "{X}"
    Received: "ok"

      10 |   const res = await call();
    > 11 |   expect(res.message).toBe("{X}");
         |                       ^
      12 | });

      at Object.<anonymous> (test/client.test.ts:11:23)`,
  "jest thrown": `FAIL src/client.test.js
  ● client › gives up

    {X}

      14 | async function send() {
      15 |   if (bad)
    > 16 |     throw new Error("{X}");
         |           ^

      at send (src/client.js:16:11)
      at Object.<anonymous> (src/client.test.js:9:3)`,
  "vitest block": ` FAIL  test/cart.test.ts > carter > says {X}
AssertionError: expected 'ok' to be '{X}' // Object.is equality

Expected: "{X}"
Received: "ok"

 ❯ test/cart.test.ts:12:21
     10|   const answer = carter.take();
     11|   expect(answer.text)
     12|     .toBe("{X}");
       |      ^`,
  "vitest error": `⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/cart.test.ts > carter > passes errors on
Error: {X}
 ❯ Carter.take src/cart.ts:8:11`,
  "mocha block": `  1) carter
       says {X}:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
+ actual - expected

+ 'ok'
- '{X}'
      + expected - actual

      -ok
      +{X}

      at Context.<anonymous> (test/cart.test.js:9:14)`,
  "mocha error": `  carter
    1) says it

  0 passing (8ms)
  1 failing

  1) carter
       says it:
     Error: {X}
      at Carter.take (lib/cart.js:3:9)`,
  "node test spec": `✖ says {X} (1.2ms)
ℹ tests 1
ℹ pass 0
ℹ fail 1

✖ failing tests:

test at test/cart.test.js:4:1
✖ says {X} (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  + actual - expected

  + 'ok'
  - '{X}'`,
  "node test tail only": `  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  + actual - expected

  + 'ok'
  - '{X}'

      at TestContext.<anonymous> (file:///repo/test/cart.test.js:6:10) {
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 'ok',
    expected: '{X}',
    operator: 'strictEqual'
  }`,
  tap: `TAP version 13
# Subtest: says {X}
not ok 1 - says {X}
  ---
  duration_ms: 1.1
  error: '{X}'
  code: 'ERR_TEST_FAILURE'
  ...
1..1`,
  ava: `  ✘ [fail]: says {X}
  ─

  says {X}

  test.js:5

   4:   const r = take();
   5:   t.is(r, "{X}");
   6: });

  Difference (- actual, + expected):

  - 'ok'
  + '{X}'
  ─

  1 test failed`,
  "bun test": `cart.test.ts:
4 | test("says", () => {
5 |   expect(take()).toBe("{X}");
                     ^
error: expect(received).toBe(expected)

Expected: "{X}"
Received: "ok"

      at <anonymous> (/repo/cart.test.ts:5:18)
(fail) says {X} [0.12ms]

 0 pass
 1 fail
 1 expect() calls`,
  "deno test": `says {X} ... FAILED (3ms)

 ERRORS 

says {X} => ./cart_test.ts:3:6
error: AssertionError: Values are not equal.

    [Diff] Actual / Expected

-   ok
+   {X}

 FAILURES 

says {X} => ./cart_test.ts:3:6

FAILED | 0 passed | 1 failed (5ms)

error: Test failed`,
  jasmine: `Failures:
1) Carter says {X}
  Message:
    Expected 'ok' to equal '{X}'.
  Stack:
    Error: Expected 'ok' to equal '{X}'.
        at <Jasmine>

1 spec, 1 failure`,
  karma: `Chrome Headless 120.0 (Linux) Carter says {X} FAILED
	Expected 'ok' to equal '{X}'.
	    at UserContext.<anonymous> (spec/cart.spec.js:4:20)
Chrome Headless 120.0 (Linux): Executed 3 of 3 (1 FAILED) (0.01 secs / 0.005 secs)`,
  playwright: `  1) [chromium] › cart.spec.ts:3:5 › says {X} ────────────

    Error: expect(locator).toHaveText(expected) failed

    Locator:  getByRole('alert')
    Expected: "{X}"
    Received: "ok"
    Timeout:  5000ms

  1 failed
    [chromium] › cart.spec.ts:3:5 › says {X}`,
  cypress: `  1) Carter
       says {X}:
     AssertionError: Timed out retrying after 4000ms: expected '<div>' to contain '{X}'
      at Context.eval (webpack:///./cypress/e2e/cart.cy.js:5:20)`,
  newman: `  1.  AssertionError  says {X}
                      expected response to have status code 200 but got 429
                      at assertion:0 in test-script
                      inside "Take"`,
  snapshot: `    - Snapshot  - 1
    + Received  + 1

    - "message": "{X}",
    + "message": "ok",

 › 1 snapshot failed.`,
  "pytest block": `    def test_cart():
>       assert take() == "{X}"
E       AssertionError: assert 'ok' == '{X}'
E         - {X}
E         + ok

tests/test_cart.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_cart - AssertionError: assert 'ok' == '{X}'`,
  "pytest captured": `----------------------------- Captured stderr call -----------------------------
{X}
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_cart - assert 1 == 2
1 failed in 0.02s`,
  unittest: `======================================================================
FAIL: test_says (test_cart.CartTest.test_says)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/test_cart.py", line 7, in test_says
    self.assertEqual(take(), "{X}")
AssertionError: 'ok' != '{X}'
- ok
+ {X}

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)`,
  "unittest no summary": `FAIL: test_says (test_cart.CartTest.test_says)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/test_cart.py", line 7, in test_says
    self.assertEqual(take(), "{X}")
AssertionError: 'ok' != '{X}'`,
  "doctest py": `File "cart.py", line 4, in cart.take
Failed example:
    take()
Expected:
    '{X}'
Got:
    'ok'
**********************************************************************
1 items had failures:
   1 of   1 in cart.take
***Test Failed*** 1 failures.`,
  behave: `  Scenario: says {X}         # features/cart.feature:3
    Then the answer is "{X}"   # features/steps/cart.py:6 0.000s
      Assertion Failed: got ok
Failing scenarios:
  features/cart.feature:3  says {X}

0 features passed, 1 failed, 0 skipped
0 scenarios passed, 1 failed, 0 skipped`,
};
