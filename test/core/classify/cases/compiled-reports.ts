/** How test runners of compiled languages report a failed test. `{X}` is where each puts the text it compares, names or raises. */

export const COMPILED_REPORTS: Readonly<Record<string, string>> = {
  go: `--- FAIL: TestCart (0.00s)
    cart_test.go:11: got "ok", want "{X}"
FAIL
FAIL	example.org/cart	0.004s`,
  "go lines only": `    cart_test.go:11: got "ok", want "{X}"
    cart_test.go:15: unexpected error: {X}
FAIL
exit status 1`,
  "testify received": `        	Error Trace:	/repo/cart_test.go:14
        	Error:      	Received unexpected error:
        	            	{X}
        	Test:       	TestCart`,
  ginkgo: `• [FAILED] [0.001 seconds]
Carter [It] says {X}
/repo/cart_test.go:14

  Expected
      <string>: ok
  to equal
      <string>: {X}

Ran 1 of 1 Specs in 0.001 seconds
FAIL! -- 0 Passed | 1 Failed | 0 Pending | 0 Skipped`,
  cargo: `running 1 test
test says_cart ... FAILED

failures:

---- says_cart stdout ----
thread 'says_cart' panicked at tests/cart.rs:5:5:
assertion \`left == right\` failed
  left: "ok"
 right: "{X}"
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`,
  "cargo block": `---- says_cart stdout ----
thread 'says_cart' panicked at tests/cart.rs:5:5:
assertion \`left == right\` failed: {X}
  left: "ok"
 right: "{X}"`,
  "cargo unwrap": `---- says_cart stdout ----
thread 'says_cart' panicked at tests/cart.rs:9:20:
called \`Result::unwrap()\` on an \`Err\` value: ApiError("{X}")`,
  nextest: `        FAIL [   0.005s] carter::cart says_cart
  stdout ───
    thread 'says_cart' panicked at tests/cart.rs:5:5:
    {X}
     Summary [   0.006s] 3 tests run: 2 passed, 1 failed, 0 skipped`,
  "junit maven": `[ERROR] Failures: 
[ERROR]   CartTest.saysCart:14 expected: <{X}> but was: <ok>
[INFO] 
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0`,
  "junit block": `org.opentest4j.AssertionFailedError: expected: <{X}> but was: <ok>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at com.example.CartTest.saysCart(CartTest.java:14)`,
  gradle: `CartTest > says {X}() FAILED
    java.lang.RuntimeException: {X}
        at CartTest.says(CartTest.java:14)

3 tests completed, 1 failed

> Task :test FAILED`,
  scalatest: `[info] CartSpec:
[info] - says {X} *** FAILED ***
[info]   "ok" did not equal "{X}" (CartSpec.scala:6)
[info] *** 1 TEST FAILED ***
[error] Failed tests:
[error] 	CartSpec`,
  munit: `==> X CartSuite.says {X}  0.05s munit.ComparisonFailException: /repo/CartSuite.scala:4
=> Obtained
ok
=> Diff (- obtained, + expected)
-ok
+{X}
[error] Failed: Total 1, Failed 1, Errors 0, Passed 0`,
  kotest: `CartTest > says {X} FAILED
    io.kotest.assertions.AssertionFailedError: expected:<{X}> but was:<ok>`,
  "xunit dotnet": `  Failed Cart.Tests.CartTests.Says [5 ms]
  Error Message:
   Assert.Equal() Failure: Strings differ
Expected: "{X}"
Actual:   "ok"
  Stack Trace:
     at Cart.Tests.CartTests.Says() in /repo/CartTests.cs:line 9

Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms`,
  "nunit block": `  Failed Says [9 ms]
  Error Message:
     Expected string length 10 but was 2. Strings differ at index 0.
  Expected: "{X}"
  But was:  "ok"
  -----------^`,
  "dotnet exc": `  Failed Cart.Tests.CartTests.Says [5 ms]
  Error Message:
   System.InvalidOperationException : {X}
  Stack Trace:
     at Cart.Take() in /repo/Cart.cs:line 9`,
  "gtest cut": `cart_test.cc:9: Failure
Expected equality of these values:
  take()
    Which is: "ok"
  "{X}"`,
  catch2: `-------------------------------------------------------------------------------
says {X}
-------------------------------------------------------------------------------
cart_test.cpp:5
...............................................................................

cart_test.cpp:6: FAILED:
  REQUIRE( take() == "{X}" )
with expansion:
  "ok" == "{X}"

===============================================================================
test cases: 1 | 1 failed
assertions: 1 | 1 failed`,
  doctest: `cart_test.cpp:5:
TEST CASE:  says {X}

cart_test.cpp:6: ERROR: CHECK( take() == "{X}" ) is NOT correct!
  values: CHECK( ok == {X} )

[doctest] test cases: 1 | 0 passed | 1 failed | 0 skipped
[doctest] Status: FAILURE!`,
  boost: `Running 1 test case...
cart_test.cpp(6): error: in "says": check take() == "{X}" has failed [ok != {X}]

*** 1 failure is detected in the test module "Cart"`,
  ctest: `1: {X}
1/2 Test #1: cart ............................***Failed    0.01 sec
{X}

50% tests passed, 1 tests failed out of 2`,
  "swift xctest": `/repo/Tests/CartTests.swift:8: error: -[CartTests.CartTests testSays] : XCTAssertEqual failed: ("ok") is not equal to ("{X}")
Test Case '-[CartTests.CartTests testSays]' failed (0.005 seconds).
Executed 1 test, with 1 failure (0 unexpected) in 0.005 (0.006) seconds`,
  "swift testing": `✘ Test says() recorded an issue at CartTests.swift:5:5: Expectation failed: (take() → "ok") == "{X}"
✘ Test says() failed after 0.001 seconds with 1 issue.
✘ Test run with 1 test failed after 0.001 seconds with 1 issue.`,
};
