/** Summaries of test runners: tests ran and some failed. They dominate every word inside test bodies. */
import type { Rule } from "../classify/rule.ts";

export const TEST_SUMMARIES: readonly Rule[] = [
  {
    id: "jest-tests-failed",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.98,
    lines: String.raw`
      tests => ^\s{0,8}Tests:?\s{1,12}(?:\d{1,6} \w{1,10}[,|] ?\s?){0,3}[1-9]\d{0,5} failed\b
    `,
  },
  {
    id: "jest-suites-failed",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      files,suites => ^\s{0,8}(?:Test Suites:|Test Files)\s{1,12}[1-9]\d{0,5} failed\b
    `,
  },
  {
    id: "runner-fail-file",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.9,
    ignoreCase: true,
    lines: String.raw`
      fail => ^\s{0,4}FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,200}test[^\s:]{0,
      ... 200}\.[cm]?[jt]sx?\b
      fail => ^\s{0,4}FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,200}spec[^\s:]{0,
      ... 200}\.[cm]?[jt]sx?\b
      ❌ => ^\s{0,4}❌ FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,200}test[^\s:]{0,
      ... 200}\.[cm]?[jt]sx?\b
      ❌ => ^\s{0,4}❌ FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,200}spec[^\s:]{0,
      ... 200}\.[cm]?[jt]sx?\b
      tests => ^\s{0,4}FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,200}__tests__[^\s:]{0,
      ... 200}\.[cm]?[jt]sx?\b
      tests => ^\s{0,4}❌ FAIL\s{1,4}(?:\|?[\w@-]{1,60}\|?\s{1,3})?[^\s:]{0,
      ... 200}__tests__[^\s:]{0,200}\.[cm]?[jt]sx?\b
    `,
  },
  {
    id: "jest-bullet",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.88,
    lines: String.raw`
      expect => \bexpect\((?:received|jest\.fn\(\))?\)
      expect => ^\s{0,12}expect\(\w{0,40}\)\.
      locator => \bexpect\(locator\)
    `,
  },
  {
    id: "pytest-summary",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.98,
    lines: String.raw`
      failed => ^={0,120}\s{0,4}[1-9]\d{0,5} failed\b(?:, \d{1,6} \w{1,20}){0,8}(?:, \d{1,
      ... 6} errors?)? in \d
    `,
  },
  {
    id: "pytest-failed-line",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      failed => ^FAILED (?:\[\s?\d{1,3}%\] )?[\w./\\-]{1,200}::\w
      failed => ^(?:[\w./\\-]{1,200}::[^\s]{1,200} )?FAILED\s{1,80}\[\s{0,3}\d{1,3}%\]
      failed => ::\S{1,160} FAILED\b
    `,
  },
  {
    id: "pytest-error-line",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.88,
    lines: String.raw`
      error => ^ERROR (?:at (?:setup|teardown) of )?[\w./\\-]{1,200}::\w
      setup,teardown => ^_{2,60} ERROR at (?:setup|teardown) of\s
    `,
  },
  {
    id: "pytest-error-summary",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.75,
    lines: String.raw`
      in => ^={1,120} (?:\d{1,6} passed, )?(?:\d{1,6} \w{1,12}, )?[1-9]\d{0,5} errors? in \d
    `,
  },
  {
    id: "pytest-assert-line",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.92,
    lines: String.raw`
      e => ^E\s{2,12}(?:assert\b|AssertionError)
    `,
  },
  {
    id: "unittest-failed",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.96,
    lines: String.raw`
      errors,failures,successes => ^FAILED \((?:failures|errors|unexpected successes)=\d
    `,
  },
  {
    id: "node-test-count",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    lines: String.raw`
      fail => ^(?:#|ℹ)\s{0,2}fail [1-9]
    `,
  },
  {
    id: "tap-not-ok",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.95,
    ignoreCase: true,
    lines: String.raw`
      ok => ^\s{0,12}not ok \d{1,6}\b(?!.{0,200}# (?:todo|skip))
    `,
  },
  {
    id: "mocha-failing",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.96,
    lines: String.raw`
      fail,failing => ^\s{0,6}(?:✖ )?[1-9]\d{0,5} (?:failing|fail)(?:\s{0,4}$|\s{1,4}\()
      test,tests => ^\s{0,6}(?:✖ )?[1-9]\d{0,5} tests? failed(?:\s{0,4}$|\s{1,4}\()
      failed => ^\s{0,6}[1-9]\d{0,5} failed\s{0,4}$
      ✖ => ^\s{0,4}✖\s{1,4}\d{1,5} of \d{1,5} failed
    `,
  },
  {
    id: "maven-tests",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    lines: String.raw`
      failures => \bTests run: \d{1,6}, Failures: (?:[1-9]\d{0,5}|\d{1,6}, Errors: [1-9])
      there => \bThere (?:are|were) (?:test failures|failing tests)
      assertions => ^Tests: \d{1,6}, Assertions: \d{1,6}, .{0,60}(?:Failures|Errors): [1-9]
    `,
  },
  {
    id: "go-test-fail",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.96,
    lines: String.raw`
      fail => ^\s{0,16}--- FAIL: \w
      fail => ^FAIL\t\S{1,200}\t\d{1,6}\.\d{1,4}s
    `,
  },
  {
    id: "cargo-test-fail",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    lines: String.raw`
      result => ^test result: FAILED\.
      test => ^test \S{1,200} \.\.\. FAILED
    `,
  },
  {
    id: "rspec-failures",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    lines: String.raw`
      errors,failure,failures => \b\d{1,6} (?:examples?|tests?|scenarios?|runs?|doctests?|
      ... properties|features?),? ?(?:\d{1,6} (?:tests?|assertions?|doctests?|properties), ?){0,
      ... 3}[1-9]\d{0,5} (?:failures?|errors)\b
      scenario,scenarios => \b\d{1,6} scenarios? \(.{0,60}\d{1,6} failed
      assertions => \b\d{1,6} assertions, [1-9]\d{0,5} failures
    `,
  },
  {
    id: "other-test-summaries",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.95,
    lines: String.raw`
      failed => ^\[\s{1,4}FAILED\s{1,4}\]
      passed => \btests? passed, [1-9]\d{0,5} tests? failed out of
      following => ^The following tests FAILED
      failures => ^FAILURES!
      failed => \bFailed!\s{1,4}- Failed:\s{1,6}[1-9]
      test => \*\* TEST FAILED \*\*
      executed => ^Executed \d{1,6} of \d{1,6} (?:.{0,20})?[1-9]\d{0,5} (?:failures?|FAILED)
      executed => ^Executed \d{1,6} tests?, with (?:.{0,20})?[1-9]\d{0,5} (?:failures?|FAILED)
      executed => \bExecuted \d{1,6} of \d{1,6} .{0,12}\(\d{1,6} FAILED
      result => ^Result: FAIL\b
      failed => ^FAILED \| \d{1,6} passed
      test,tests => \*\*\* \d{1,5} TESTS? FAILED \*\*\*
      fail => \[ FAIL [1-9]
      some => ^Some tests (?:failed|did not pass)
      test,tests => ^\s{0,4}[1-9]\d{0,5} tests?,? .{0,30}[1-9]\d{0,5} failed\b
      total => ^Total tests: \d{1,6}.{0,40}Failed: [1-9]
      failed => ^\s{0,8}Failed:? [1-9]\d{0,4}(?:\.|$)
      tests => ^\[error\] Failed tests:
      executed => ^Executed \d{1,6} out of \d{1,6} tests?: .{0,40}[1-9]\d{0,5} fails?\b
      ✕,✗,✘ => ^\s{0,8}[✕✗✘] (?!\[)\S
      ✕,✗,✘,✖,❌ => ^\s{0,8}(?:✕|✗|✘|✖|❌) \S.{0,200}\(\d{1,7} ?m?s\)
    `,
  },
  {
    id: "vitest-failed-tests",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.95,
    lines: String.raw`
      tests => ⎯ Failed Tests \d
      test,tests => \(\d{1,5} tests? \| [1-9]\d{0,4} failed\)
      fail => ^\s{0,4}FAIL\s{1,3}\S{1,200} > \S
    `,
  },
  {
    id: "assertion-error",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.86,
    lines: String.raw`
      assertionerror => ^(?:\S{0,120}[.:] ?)?(?:Uncaught )?AssertionError\b
      failed => AssertionFailedError\b
      assertion => \bERR_ASSERTION\b
      assertion => \bAssertion (?:\`.{1,160}' )?failed\b
      assertion => ^Assertion failed:
    `,
  },
  {
    id: "test-timeout",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.85,
    lines: String.raw`
      timeout => \bExceeded timeout of [\d_,]{1,12} ?ms for a (?:test|hook)
      timed => \bTest timed out in \d
      timeout => \bTest timeout of \d{1,9}ms exceeded
      timeout => \bTimeout of \d{1,9}ms exceeded\. For async tests
    `,
  },
];
