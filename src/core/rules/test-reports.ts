/**
 * Reports of failed tests from any runner: totals, headings of failed tests, assertions with expected and actual
 * values. These lines show that a test failed; whatever the compared values mention (limits, logins, full disks) is
 * data.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const TEST_REPORTS: readonly Rule[] = [
  rule("tally", "verification_failed", "summary", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      pass,passed,passes,passing,success,successes,successful,succeeded,ok => \b\d{1,7} (?:tests? |checks? |
      ... cases? |specs? |steps? |assertions? )?(?:pass(?:ed|es|ing)?|success(?:es|ful)?|succeeded|ok)\b.{0,60}?
      ... \b[1-9]\d{0,6} (?:tests? |checks? |cases? |specs? |steps? |assertions? )?(?:fail(?:ed|ures?|s|ing)?|errored)\b
      failed,failing,failures,failure,fail,fails => \b[1-9]\d{0,6} (?:tests? |checks? |cases? |specs? |steps? |
      ... assertions? )?(?:fail(?:ed|ures?|s|ing)?)\b.{0,60}?\b\d{1,7} (?:tests? |checks? |cases? |specs? |
      ... steps? |assertions? )?(?:pass(?:ed|es|ing)?|success(?:es|ful)?|succeeded)\b
      failed => \bfailed:? {1,8}[1-9]\d{0,6}\b.{0,40}\b(?:passed|succeeded|skipped):? {1,8}\d
      passed => \bpassed:? {1,8}\d{1,7}\b.{0,40}\bfailed:? {1,8}[1-9]
      run,runs,test,tests,example,examples,spec,specs,assertion,assertions,case,
      ... cases => \b\d{1,7} (?:runs?|tests?|examples?|specs?|assertions?|cases?)\b.{0,
      ... 60}\b[1-9]\d{0,6} (?:failures?|errors?)\b.{0,40}\b\d{1,7} (?:errors?|skip|pending)
      spec,specs,test,tests,example,examples,case,cases => \b\d{1,7} (?:specs?|tests?|examples?|cases?), [1-9]\d{0,6} (?:failures?|errors?)\b
      failure,failures => ^\s{0,4}(?:[1-9]\d{0,6} failures?, \d{1,7} errors?|\d{1,7} failures?, [1-9]\d{0,
      ... 6} errors?)\b
      cases,assertions => \b(?:test cases|assertions):\s{1,8}\d{1,7} \|.{0,60}\b[1-9]\d{0,6} failed\b
      of => \b[1-9]\d{0,6} (?:out )?of \d{1,7} (?:tests?|checks?|specs?|assertions?|cases?|expectations?) fail
      failed => \bFailed [1-9]\d{0,6}/\d{1,7} (?:subtests|tests|test programs)
      looks => \bLooks like you (?:failed|planned) [1-9]\d{0,6} tests?\b
      failures,failure => \b[1-9]\d{0,6} failures? (?:is|are|was|were) detected\b
      test => ^\*{3}Test Failed\*{3} [1-9]
      snapshot,snapshots => \b[1-9]\d{0,6} snapshots? (?:failed|obsolete and failed)\b
      total,failed => \bFailed: Total \d{1,7}, Failed [1-9]
      tests => ^\d{1,7} tests completed, [1-9]\d{0,6} failed\b
      fail => ^Fail:\s{1,24}[1-9]\d{0,6}$
      run => \bTEST RUN FAILED\b
      doctest => ^\[doctest\] Status: FAILURE
    `,
    unless: String.raw`
      \b(?:retries|requests?|downloads?|uploads?|packages?|jobs?|hosts?|connections?|attempts?|messages?|
      ... deliver\w{0,6}|logins?|files?|tasks?)\b
    `,
  }),
  rule("failed-test-heading", "verification_failed", "summary", 0.93, {
    lines: String.raw`
      ● => ^\s{0,4}● \S.{0,200} › \S
      failed => ^\s{0,4}Failed \S{1,200}(?: .{0,120})? \[(?:< ?)?[\d.,]{1,9} ?m?s\]
      failed => ^\S{1,160} > .{1,200} FAILED$
      failed => ^\s{0,8}• \[FAILED\] \[
      fail,failed => ^FAIL(?:ED)?:? (?:in )?\(?test\w{0,120}
      fail => ^\s{0,12}FAIL \[\s{0,6}[\d.]{1,9}s\]
      fail => ^FAIL! -- \d
      fail => ^\s{0,4}\d{1,5}/\d{1,5} .{1,200}\bFAIL\s{1,24}[\d.]{1,9}s\b
      fail => ^FAIL: \w{1,120} \([\w.]{1,200}\)
      fail => ^FAIL in \(
      fail => ^.{1,160}\s{2,80}\| FAIL \|$
      fail,failed => \.{2,12}\s?FAIL(?:ED)?\b(?: \(|$)
      stdout => ^---- \S{1,200} stdout ----$
      test => ^Test Case '.{1,200}' failed \(
      test => ^✘ Test (?:run |case |suite )?.{0,160}(?:failed|recorded an issue)
      test => ^\s{0,4}#\s{1,8}Failed test\b
      test => : Test Failed at \S
      scenarios => ^Failing scenarios:$
      example => ^Failed example:$
      failed => \*\*\* FAILED \*\*\*$
      test => ^\d{1,4}/\d{1,4} Test\s{1,4}#\d{1,5}: .{0,200}\*\*\*(?:Failed|Exception|Timeout)
      test => ^\*{5,40} TEST '.{1,200}' FAILED \*{5,40}
      failure => ^Failure → \S
      failure => ^── Failure \(.{1,200}\)
      e => ^\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})? -[1-9]\d{0,5}: .{1,200} \[E\]$
      trace => ^\s{0,12}Error Trace:\s
      failed => \*failed\*$
      fail => ^\(fail\) \S
      fail => ^test .{1,200} \.\.\. FAIL$
      fail,ok => ^(?:FAIL|✗ FAIL|not ok):? .{1,200}\b(?:want|expected|got)\b
    `,
  }),
  rule("failed-assertion", "verification_failed", "summary", 0.93, {
    lines: String.raw`
      assertionerror => ^\s{0,12}(?:\d{1,3}[.)]\s{1,4})?(?:[\w.$:]{0,120}[.:] ?)?(?:Uncaught )?AssertionError\b
      py => ^[\w./\\-]{1,200}\.py:\d{1,6}: AssertionError\b
      failed => ^\s{0,12}(?:[\w.$]{1,120}\.)?AssertionFailed(?:Error|Exception)\b
      assertion => \bERR_ASSERTION\b
      assertion => ^\s{0,12}[Aa]ssertion (?:.{1,160} )?failed\b
      assertion => ^\s{0,12}Assertion Failed: \S
      expectation => \bExpectation failed:
      asserting => \bFailed asserting that\b
      failure => ^\s{0,12}Failure/Error: \S
      failure => ^\S{1,200}:\d{1,6}: Failure$
      assert => \bAssert\.\w{1,40}\(\) Failure\b
      xctassert,failed => \bXCTAssert\w{0,40} failed\b
      expect => \bexpect\((?:received|locator|page|jest\.fn\(\)|value|string)?\)\.\w
      correct => \b(?:CHECK|REQUIRE|ASSERT|EXPECT)\w{0,20}\( .{1,200} \) is NOT correct!
      require,check => ^\s{0,8}(?:REQUIRE|CHECK)(?:_\w{1,20})?\( .{1,200} \)$
      check => \bcheck .{1,200} has failed\b
      test => \(Test(?:Expected\w{1,20}|UnexpectedResult)\)
      comparison => \bComparisonFail(?:ure|Exception)\b
      but => \bexpected:? ?<.{0,400}> but was:? ?<
      compared => ^\s{0,12}\(compared using (?:==|eql\?|equal\?)\)
      actual,expected,obtained => ^\s{0,8}(?:Difference|=> Diff|\[Diff\]|Diff:?) .{0,40}(?:[Aa]ctual|[Ee]xpected|
      ... [Oo]btained)
      actual => ^\s{0,12}\+ (?:actual - expected|expected - actual)
      snapshot => ^\s{0,12}- Snapshot\s{1,4}- \d
      test => ^\s{4,8}\w{1,120}_test\.go:\d{1,6}: \S
    `,
  }),
  rule("expected-sentence", "verification_failed", "summary", 0.88, {
    sources: ["shell"],
    lines: String.raw`
      to => \b[Ee]xpected\b.{1,300}\bto (?:be|(?:deeply |strictly |deep )?equal|eql|match|contain|include|have|
      ... throw|resolve|reject|exist)\b
      want => \bgot:? .{1,300}[,;] ?want:?\s
      want => \bwant:? .{1,300}[,;] ?got:?\s
      equal => \b(?:did not|does not|not) (?:deep(?:ly)? )?equal\b(?=.{0,300}\(\S{1,200}:\d{1,6}\)$)
      equal => ^\s{0,16}(?:Not equal:|Values are not equal)
      equality => \bExpected equality of these values\b
    `,
    unless: String.raw`
      \bcompil
      \berror (?:TS|CS|C)\d
      \berror\[E\d
      \bsyntax error\b
      \bexpected (?:type|expression|identifier|statement|declaration|token)\b
      \.(?:c|cc|cpp|h|hpp|rs|java|kt|swift|ts|tsx|scala):\d{1,6}:(?:\d{1,6}:)? (?:fatal )?error:
      \bargument
      \bparse error\b
      \b(?:checksum|hash)\b
    `,
  }),
  rule("expected-but-got", "verification_failed", "exact", 0.75, {
    sources: ["shell"],
    ignoreCase: true,
    lines: String.raw`
      expected => \bexpected (?!['",;:(){}[\]]).{1,200}\bbut (?:got|was|received|found|had)\b
    `,
    unless: String.raw`
      \bpars(?:e|ing|er)\b
      \btoken\b
      \bsyntax\b
      \bargument
      https?://
    `,
  }),
  rule("expected-then-actual", "verification_failed", "summary", 0.9, {
    ignoreCase: true,
    lines: String.raw`
      actual,got,received,was,right,obtained => ^\W{0,16}(?:actual|got|received|but (?:was|got)|right|
      ... obtained)\b.{0,24}[:=]
    `,
    after: String.raw`
      ^\W{0,16}(?:expect(?:ed|ation)?|want(?:ed)?|left)\b.{0,24}[:=]
    `,
  }),
  rule("actual-then-expected", "verification_failed", "summary", 0.9, {
    ignoreCase: true,
    lines: String.raw`
      expected,want,wanted => ^\W{0,16}(?:expected|want(?:ed)?)\b.{0,24}[:=]
    `,
    after: String.raw`
      ^\W{0,16}(?:actual|got|received|obtained)\b.{0,24}[:=]
    `,
  }),
  rule("raised-in-test", "verification_failed", "typed", 0.85, {
    lines: String.raw`e => ^E\s{3,16}[\w.]{1,120}:? \S`,
    unless: String.raw`
      \b(?:ModuleNotFound|Import|Syntax|Indentation|Tab|NameError: name 'pytest')Error\b
      \bNo module named\b
      ^E\s{3,16}File "
    `,
  }),
];
