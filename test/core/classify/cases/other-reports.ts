/** How the other test runners report a failed test. `{X}` is where each puts the text it compares, names or raises. */

export const OTHER_REPORTS: Readonly<Record<string, string>> = {
  rspec: `Failures:

  1) Carter says {X}
     Failure/Error: expect(take).to eq("{X}")

       expected: "{X}"
            got: "ok"

       (compared using ==)
     # ./spec/cart_spec.rb:5:in 'block (2 levels) in <top (required)>'

Finished in 0.01 seconds (files took 0.1 seconds to load)
1 example, 1 failure`,
  "rspec block": `  1) Carter says it
     Failure/Error: raise ApiError, "{X}"

     ApiError:
       {X}
     # ./lib/cart.rb:5:in 'Carter#take'
     # ./spec/cart_spec.rb:5:in 'block (2 levels) in <top (required)>'`,
  minitest: `  1) Failure:
CartTest#test_says [test/cart_test.rb:7]:
--- expected
+++ actual
@@ -1 +1 @@
-"{X}"
+"ok"

1 runs, 1 assertions, 1 failures, 0 errors, 0 skips`,
  "minitest err": `  1) Error:
CartTest#test_says:
ApiError: {X}
    lib/cart.rb:4:in 'take'
    test/cart_test.rb:7:in 'test_says'

1 runs, 0 assertions, 0 failures, 1 errors, 0 skips`,
  "phpunit block": `1) CartTest::testSays
Failed asserting that exception message 'ok' contains '{X}'.

/repo/tests/CartTest.php:9`,
  "phpunit error": `There was 1 error:

1) CartTest::testSays
RuntimeException: {X}

/repo/src/Cart.php:9
/repo/tests/CartTest.php:9

ERRORS!
Tests: 3, Assertions: 2, Errors: 1.`,
  pest: `   FAIL  Tests\\Unit\\CartTest
  ⨯ it says {X}
  ────────────────────────────────────────
   FAILED  Tests\\Unit\\CartTest > it says
  Failed asserting that two strings are identical.
  -'{X}'
  +'ok'

  Tests:    1 failed (1 assertions)`,
  "exunit block": `  1) test says (CartTest)
     test/cart_test.exs:5
     Assertion with == failed
     code:  assert take() == "{X}"
     left:  "ok"
     right: "{X}"`,
  "exunit raise": `  1) test says (CartTest)
     test/cart_test.exs:5
     ** (RuntimeError) {X}
     stacktrace:
       (cart 0.1.0) lib/cart.ex:3: Cart.take/0

Finished in 0.02 seconds
3 tests, 1 failure`,
  bats: ` ✗ says {X}
   (in test file cart.bats, line 4)
     \`[ "$output" = "{X}" ]' failed
   {X}

1 test, 1 failure`,
  prove: `#   Failed test 'says {X}'
#   at t/cart.t line 5.
#          got: 'ok'
#     expected: '{X}'
# Looks like you failed 1 test of 1.
t/cart.t .. Dubious, test returned 1 (wstat 256, 0x100)
Failed 1/1 subtests`,
  "dart test": `00:01 +0 -1: says {X} [E]
  Expected: '{X}'
    Actual: 'ok'
     Which: is different.

  package:test_api   expect
  test/cart_test.dart 6:5  main.<fn>

00:01 +0 -1: Some tests failed.`,
  hspec: `Failures:

  test/CartSpec.hs:7:5: 
  1) Cart says {X}
       expected: "{X}"
        but got: "ok"

1 example, 1 failure`,
  tasty: `cart
  says {X}: FAIL
    test/Main.hs:9:
    expected: "{X}"
     but got: "ok"

1 out of 1 tests failed (0.00s)`,
  zig: `1/1 cart.test.says {X}...
====== expected this output: =========
{X}␃
======== instead found this: =========
ok␃
First difference occurs on line 1:
FAIL (TestExpectedEqual)
0 passed; 0 skipped; 1 failed.`,
  julia: `says {X}: Test Failed at /repo/test/runtests.jl:4
  Expression: take() == "{X}"
   Evaluated: "ok" == "{X}"

Test Summary: | Fail  Total  Time
cart         |    1      1  0.1s
ERROR: Some tests did not pass: 0 passed, 1 failed, 0 errored, 0 broken.`,
  testthat: `── Failure (test-cart.R:3:3): says {X} ──
take() (\`actual\`) not equal to "{X}" (\`expected\`).

\`actual\`:   "ok"
\`expected\`: "{X}"

[ FAIL 1 | WARN 0 | SKIP 0 | PASS 2 ]`,
  busted: `2 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds

Failure → spec/cart_spec.lua @ 4
carter says {X}
spec/cart_spec.lua:5: Expected objects to be equal.
Passed in:
(string) 'ok'
Expected:
(string) '{X}'`,
  clojure: `FAIL in (says) (cart_test.clj:5)
says {X}
expected: (= "{X}" (take))
  actual: (not (= "{X}" "ok"))

Ran 1 tests containing 1 assertions.
1 failures, 0 errors.`,
  eunit: `cart_test: says_test...*failed*
in function cart_test:says_test/0 (test/cart_test.erl, line 6)
**error:{assertEqual,[{module,cart_test},{line,6},{expression,"take ( )"},{expected,"{X}"},{value,"ok"}]}
=======================================================
  Failed: 1.  Skipped: 0.  Passed: 0.`,
  robot: `Says {X}                                                              | FAIL |
ok != {X}
------------------------------------------------------------------------------
Cart                                                                 | FAIL |
1 test, 0 passed, 1 failed`,
  elm: `↓ Cart
✗ says {X}

    "ok"
    ╷
    │ Expect.equal
    ╵
    "{X}"

TEST RUN FAILED

Duration: 10 ms
Passed:   0
Failed:   1`,
  lit: `FAIL: cart :: says.test (1 of 1)
******************** TEST 'cart :: says.test' FAILED ********************
{X}
********************
Failed Tests (1):
  cart :: says.test

Testing Time: 0.01s
  Failed: 1`,
  meson: `1/1 cart FAIL            0.01s   exit status 1
{X}
Ok:                 0
Fail:               1`,
  bazel: `FAIL: //cart:cart_test (see /root/.cache/bazel/test.log)
{X}
//cart:cart_test                                                       FAILED in 0.3s
Executed 1 out of 1 test: 1 fails locally.`,
  "own script": `test says {X} ... FAIL
  expected: {X}
  got: ok
3 passed, 1 failed`,
  "own script 2": `FAIL: says {X}: want '{X}', got 'ok'
1 of 4 checks failed`,
};
