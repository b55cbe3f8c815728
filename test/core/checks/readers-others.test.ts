// proves: U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFailingItems } from "../../../src/core/checks/outcome.ts";

const names = (text: string): readonly string[] => readFailingItems([text]).items;

test("pytest: the short summary, not captured output; parameters with dashes and spaces", () => {
  const report = `F..FFE                                                                   [100%]
=================================== FAILURES ===================================
______________________________ TestSum.test_adds _______________________________
        print("FAILED tests/fake.py::test_fake - not real")
----------------------------- Captured stdout call -----------------------------
FAILED tests/fake.py::test_fake - not real
ERROR something in the log
=========================== short test summary info ============================
FAILED test_sum.py::TestSum::test_adds - assert (1 + 1) == 3
FAILED test_sum.py::test_each[a b] - AssertionError: assert 'a b' == 1
FAILED test_sum.py::test_each[x - y] - AssertionError: assert 'x - y' == 1
FAILED test_sum.py::test_plain - assert [1] - [2]
ERROR test_broken.py
3 failed, 2 passed, 2 errors in 0.59s
`;
  assert.deepEqual(names(report), [
    "test_sum.py::TestSum::test_adds",
    "test_sum.py::test_each[a b]",
    "test_sum.py::test_each[x - y]",
    "test_sum.py::test_plain",
    "test_broken.py",
  ]);
});

test("pytest without a summary: the result lines of a verbose or parallel run", () => {
  const report = `============================= test session starts ==============================
test_sum.py::TestSum::test_adds FAILED                                   [ 16%]
test_sum.py::TestSum::test_fine PASSED                                   [ 33%]
test_sum.py::test_each[a b] FAILED                                       [100%]
[gw1] [ 50%] ERROR test_sum.py::test_uses
a log line says FAILED
==================== 3 failed, 2 passed, 2 errors in 0.56s =====================
`;
  const expected = [
    "test_sum.py::TestSum::test_adds",
    "test_sum.py::test_each[a b]",
    "test_sum.py::test_uses",
  ];
  assert.deepEqual(names(report), expected);
  assert.deepEqual(names(report.split("\n").slice(1).join("\n")), []);
});

test("unittest: names under a double rule", () => {
  const rule = "=".repeat(70);
  const report = `FAIL: not this (it is printed)
${rule}
FAIL: test_adds (test_sum.TestSum.test_adds)
${"-".repeat(70)}
Traceback (most recent call last):
${rule}
ERROR: test_reads (test_io.TestIo.test_reads)

Ran 3 tests in 0.004s

FAILED (failures=1, errors=1)
`;
  assert.deepEqual(names(report), [
    "test_adds (test_sum.TestSum.test_adds)",
    "test_reads (test_io.TestIo.test_reads)",
  ]);
});

test("go test: subtests instead of their parents, with the package; packages that did not build", () => {
  const report = `--- FAIL: TestSum (0.00s)
    --- FAIL: TestSum/two_numbers (0.00s)
        sum_test.go:12: got 3, want 2
        sum_test.go:13: --- FAIL: TestFake (0.00s)
    --- PASS: TestSum/none (0.00s)
--- FAIL: TestOther (1.20s)
FAIL
FAIL\texample.com/app/sum\t1.204s
ok  \texample.com/app/io\t0.010s
# example.com/app/web [example.com/app/web.test]
web/a.go:3:2: undefined: x
FAIL\texample.com/app/web [build failed]
?   \texample.com/app\t[no test files]
FAIL
`;
  assert.deepEqual(names(report), [
    "example.com/app/sum TestSum/two_numbers",
    "example.com/app/sum TestOther",
    "example.com/app/web",
  ]);
  assert.deepEqual(names("FAIL: the login did not work\n--- FAIL: TestX (0.00s)\n"), []);
});

test("cargo test: the plain list of each target, not the output before it", () => {
  const report = `running 4 tests
test tests::fine ... ok
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----
test tests::fake ... FAILED
failures:
    tests::printed by the test

thread 'tests::adds' (9172) panicked at src/lib.rs:4:58:

failures:
    tests::adds
    tests::inner::deep

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 1 test
failures:
    src/lib.rs - doc (line 12)

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
`;
  assert.deepEqual(names(report), ["tests::adds", "tests::inner::deep", "src/lib.rs - doc"]);
  assert.deepEqual(names("failures:\n    none\n\ntest result: ok. 3 passed;\n"), []);
});

test("JUnit XML as text: failures and errors; not skipped ones, comments or CDATA", () => {
  const report = `some log first, 1 < 2 and "quotes
<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="sum" failures="2">
<!-- <testcase name="in a comment"><failure/></testcase> -->
<testcase classname="sum" name="adds &lt;two&gt; &quot;numbers&quot; &#233;" time="0.1">
  <failure message="a > b">text</failure></testcase>
<testcase classname='sum' name='is fine'/>
<testcase name="prints"><system-out><![CDATA[<failure> </testcase>]]></system-out></testcase>
<testcase classname="sum.inner" name="deep"><error/></testcase>
<testcase classname="sum" name="todo"><skipped/><failure/></testcase>
<testcase name="alone"><failure/></testcase>
<testcase name="cut off"><failure>`;
  assert.deepEqual(names(report), ['sum > adds <two> "numbers" é', "sum.inner > deep", "alone"]);
  assert.deepEqual(names('<testcase name="x"><failure/></testcase>'), [], "no suite around it");
});

test("rspec, phpunit, dotnet, maven and gradle", () => {
  const rspec = `rspec ./spec/early_spec.rb:1 # too early
Failed examples:

rspec ./spec/sum_spec.rb:12 # Sum adds two numbers
rspec './spec/a b_spec.rb[1:2]' # not in the usual form
rspec ./spec/shared_spec.rb[1:2:1] # Shared behaves like a list
`;
  assert.deepEqual(names(rspec), [
    "spec/sum_spec.rb Sum adds two numbers",
    "spec/shared_spec.rb Shared behaves like a list",
  ]);
  const phpunit = `There was 1 failure:

1) App\\Tests\\SumTest::testAdds with data set #2 (1, 2)
Failed asserting that 3 matches expected 2.

There were 2 skipped tests:

1) App\\Tests\\SumTest::testSkipped
`;
  assert.deepEqual(names(phpunit), ["App\\Tests\\SumTest::testAdds with data set #2 (1, 2)"]);
  const dotnet = `  Failed Demo.Tests.SumTest.Adds(a: 1, b: 2) [12 ms]
  Passed Demo.Tests.SumTest.Fine [< 1 ms]
  Failed Demo.Tests.SumTest.Slow [1 s]
  Failed to open the log [see above]

Failed!  - Failed:     2, Passed:     1, Skipped:     0, Total:     3
`;
  assert.deepEqual(names(dotnet), [
    "Demo.Tests.SumTest.Adds(a: 1, b: 2)",
    "Demo.Tests.SumTest.Slow",
  ]);
  const maven = `[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in com.acme.SumTest
[ERROR] com.acme.SumTest.adds -- Time elapsed: 0.012 s <<< FAILURE!
[ERROR] reads(com.acme.IoTest)  Time elapsed: 0.3 s  <<< ERROR!
[INFO] com.acme.FakeTest.logs -- Time elapsed: 0.012 s <<< FAILURE!
`;
  assert.deepEqual(names(maven), ["com.acme.SumTest.adds", "com.acme.IoTest.reads"]);
  const gradle = `> Task :test FAILED

SumTest > adds() FAILED
    org.opentest4j.AssertionFailedError at SumTest.java:12
SumTest > fine() PASSED
com.acme.NestedTest > Inner > deep() FAILED

FAILURE: Build failed with an exception.
`;
  assert.deepEqual(names(gradle), ["SumTest > adds()", "com.acme.NestedTest > Inner > deep()"]);
});
