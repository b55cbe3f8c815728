/**
 * Checks that ran and failed: summaries of test runners, which take precedence over any text printed by tests;
 * coverage, checksums, hooks.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const FAILED_TESTS: readonly Rule[] = [
  rule("jest-tests-failed", "verification_failed", "summary", 0.98, {
    lines: String.raw`
      tests => ^\s{0,8}Tests:?\s{1,12}(?:\d{1,6} \w{1,10}[,|] ?\s?){0,3}[1-9]\d{0,5} failed\b
    `,
  }),
  rule("jest-suites-failed", "verification_failed", "exact", 0.85, {
    lines: String.raw`
      files,suites => ^\s{0,8}(?:Test Suites:|Test Files)\s{1,12}[1-9]\d{0,5} failed\b
    `,
  }),
  rule("runner-fail-file", "verification_failed", "exact", 0.9, {
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
  }),
  rule("jest-bullet", "verification_failed", "exact", 0.88, {
    lines: String.raw`
      expect => \bexpect\((?:received|jest\.fn\(\))?\)
      expect => ^\s{0,12}expect\(\w{0,40}\)\.
      locator => \bexpect\(locator\)
    `,
  }),
  rule("pytest-summary", "verification_failed", "summary", 0.98, {
    lines: String.raw`
      failed => ^={0,120}\s{0,4}[1-9]\d{0,5} failed\b(?:, \d{1,6} \w{1,20}){0,8}(?:, \d{1,
      ... 6} errors?)? in \d
    `,
  }),
  rule("pytest-failed-line", "verification_failed", "summary", 0.95, {
    lines: String.raw`
      failed => ^FAILED (?:\[\s?\d{1,3}%\] )?[\w./\\-]{1,200}::\w
      failed => ^(?:[\w./\\-]{1,200}::[^\s]{1,200} )?FAILED\s{1,80}\[\s{0,3}\d{1,3}%\]
      failed => ::\S{1,160} FAILED\b
    `,
  }),
  rule("pytest-error-line", "verification_failed", "typed", 0.88, {
    lines: String.raw`
      error => ^ERROR (?:at (?:setup|teardown) of )?[\w./\\-]{1,200}::\w
      setup,teardown => ^_{2,60} ERROR at (?:setup|teardown) of\s
    `,
  }),
  rule("pytest-error-summary", "verification_failed", "exact", 0.75, {
    lines: String.raw`
      in => ^={1,120} (?:\d{1,6} passed, )?(?:\d{1,6} \w{1,12}, )?[1-9]\d{0,5} errors? in \d
    `,
  }),
  rule("pytest-assert-line", "verification_failed", "typed", 0.92, {
    lines: String.raw`e => ^E\s{2,12}(?:assert\b|AssertionError)`,
  }),
  rule("unittest-failed", "verification_failed", "summary", 0.96, {
    lines: String.raw`
      errors,failures,successes => ^FAILED \((?:failures|errors|unexpected successes)=\d
    `,
  }),
  rule("node-test-count", "verification_failed", "summary", 0.97, {
    lines: String.raw`fail => ^(?:#|ℹ)\s{0,2}fail [1-9]`,
  }),
  rule("tap-not-ok", "verification_failed", "summary", 0.95, {
    ignoreCase: true,
    lines: String.raw`ok => ^\s{0,12}not ok \d{1,6}\b(?!.{0,200}# (?:todo|skip))`,
  }),
  rule("mocha-failing", "verification_failed", "summary", 0.96, {
    lines: String.raw`
      fail,failing => ^\s{0,6}(?:✖ )?[1-9]\d{0,5} (?:failing|fail)(?:\s{0,4}$|\s{1,4}\()
      test,tests => ^\s{0,6}(?:✖ )?[1-9]\d{0,5} tests? failed(?:\s{0,4}$|\s{1,4}\()
      failed => ^\s{0,6}[1-9]\d{0,5} failed\s{0,4}$
      ✖ => ^\s{0,4}✖\s{1,4}\d{1,5} of \d{1,5} failed
    `,
  }),
  rule("maven-tests", "verification_failed", "summary", 0.97, {
    lines: String.raw`
      failures => \bTests run: \d{1,6}, Failures: (?:[1-9]\d{0,5}|\d{1,6}, Errors: [1-9])
      there => \bThere (?:are|were) (?:test failures|failing tests)
      assertions => ^Tests: \d{1,6}, Assertions: \d{1,6}, .{0,60}(?:Failures|Errors): [1-9]
    `,
  }),
  rule("go-test-fail", "verification_failed", "summary", 0.96, {
    lines: String.raw`
      fail => ^\s{0,16}--- FAIL: \w
      fail => ^FAIL\t\S{1,200}\t\d{1,6}\.\d{1,4}s
    `,
  }),
  rule("cargo-test-fail", "verification_failed", "summary", 0.97, {
    lines: String.raw`
      result => ^test result: FAILED\.
      test => ^test \S{1,200} \.\.\. FAILED
    `,
  }),
  rule("rspec-failures", "verification_failed", "summary", 0.97, {
    lines: String.raw`
      errors,failure,failures => \b\d{1,6} (?:examples?|tests?|scenarios?|runs?|doctests?|
      ... properties|features?),? ?(?:\d{1,6} (?:tests?|assertions?|doctests?|properties), ?){0,
      ... 3}[1-9]\d{0,5} (?:failures?|errors)\b
      scenario,scenarios => \b\d{1,6} scenarios? \(.{0,60}\d{1,6} failed
      assertions => \b\d{1,6} assertions, [1-9]\d{0,5} failures
    `,
  }),
  rule("other-test-summaries", "verification_failed", "summary", 0.95, {
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
  }),
  rule("vitest-failed-tests", "verification_failed", "summary", 0.95, {
    lines: String.raw`
      tests => ⎯ Failed Tests \d
      test,tests => \(\d{1,5} tests? \| [1-9]\d{0,4} failed\)
      fail => ^\s{0,4}FAIL\s{1,3}\S{1,200} > \S
    `,
  }),
  rule("assertion-error", "verification_failed", "exact", 0.86, {
    lines: String.raw`
      assertionerror => ^(?:\S{0,120}[.:] ?)?(?:Uncaught )?AssertionError\b
      failed => AssertionFailedError\b
      assertion => \bERR_ASSERTION\b
      assertion => \bAssertion (?:\`.{1,160}' )?failed\b
      assertion => ^Assertion failed:
    `,
  }),
  rule("status-differs", "verification_failed", "verdict", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      status => \bexpect(?:ed|ing)\b.{0,40}\bstatus(?: code)?:? \d{3}\b.{0,40}\b(?:got|received|was|actual)\b
    `,
  }),
  rule("test-timeout", "verification_failed", "typed", 0.85, {
    lines: String.raw`
      timeout => \bExceeded timeout of [\d_,]{1,12} ?ms for a (?:test|hook)
      timed => \bTest timed out in \d
      timeout => \bTest timeout of \d{1,9}ms exceeded
      timeout => \bTimeout of \d{1,9}ms exceeded\. For async tests
    `,
  }),
  rule("coverage-threshold", "verification_failed", "summary", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      coverage => \bcoverage threshold for \w{1,20} \(.{1,12}\) not met
      coverage => \bRequired test coverage of .{1,12} not reached
      coverage => \bCoverage for \w{1,20} \(.{1,12}\) does not meet
      coverage => \bcoverage .{0,40}below (?:the )?(?:threshold|minimum)
      coverage => ^Coverage failure: total of
    `,
  }),
  rule("checksum-differs", "verification_failed", "typed", 0.85, {
    evenInWarnings: true,
    lines: String.raw`
      computed => \b\d{1,6} computed checksums? did NOT match
      failed => ^\S{1,200}: FAILED$
      signature => \bBAD signature from\b
      differ => ^\S{1,200} \S{1,200} differ: (?:byte|char) \d
      verify => \bcould not verify (?:the )?signature
      differ => ^Files \S{1,200} and \S{1,200} differ$
    `,
  }),
  rule("git-hook-refused", "verification_failed", "exact", 0.82, {
    lines: String.raw`
      hook => ^- hook id: \w
      husky => \bhusky - (?:pre-commit|commit-msg|pre-push) (?:hook|script) (?:exited|failed)
      pre => \bpre-commit hook (?:failed|exited)
    `,
  }),
  rule("check-says-failed", "verification_failed", "phrase", 0.78, {
    ignoreCase: true,
    lines: String.raw`
      verification => \bverification (?:tests? |checks? )?(?:has |have )?failed\b
      acceptance => \bacceptance (?:tests? |checks? )?(?:has |have )?failed\b
      smoke => \bsmoke (?:tests? |checks? )?(?:has |have )?failed\b
      integration,unit => \b(?:integration|unit) (?:tests? |checks? )?(?:has |have )?failed\b
      regression => \bregression (?:tests? |checks? )?(?:has |have )?failed\b
      check,checks,test,tests => \b[1-9]\d{0,5} (?:checks?|tests?) (?:have |has )?failed\b
      spec,specs => \b[1-9]\d{0,5} specs? (?:have |has )?failed\b
      assertion,assertions => \b[1-9]\d{0,5} assertions? (?:have |has )?failed\b
      snapshot,snapshots => \b[1-9]\d{0,5} snapshots? (?:have |has )?failed\b
      expectation,expectations => \b[1-9]\d{0,5} expectations? (?:have |has )?failed\b
      check,checks,spec,specs,test,tests => ^\s{0,4}(?:tests?|checks?|specs?) failed\b
      suite => \btest suite failed\b(?! to)
      quality => \bquality gate (?:has )?failed
      check,lint,typecheck => \b(?:typecheck|type check|lint) failed\b
      lint => \blint: [1-9]\d{0,5} errors?\b
      vulnerabilities,vulnerability => \b[1-9]\d{0,5} (?:\w{1,10} severity )?vulnerabilit(?:y|
      ... ies)\b
    `,
    unless: String.raw`
      \b(?:key|certificate|signature|account|email|host key|token|auth\w{0,20}|
      ... identity) (?:verification|validation)
      Hostkey
    `,
  }),
];
