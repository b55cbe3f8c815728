/**
 * Test runners of Python, Ruby, PHP and Elixir: reads their failing tests, and the counts in their closing summaries.
 */
import { sumOfGroups, firstMinusOthers, nextMatch, passedAndFailed, sumOf } from "./reader.ts";
import type { TestRunner } from "./reader.ts";

// === 2 failed, 21 passed, 1 skipped in 0.11s ===, or the same without the rules, or: no tests ran in 0.01s
const PYTEST =
  /^(?:={1,200} )?(?:no tests ran|(\d.{1,200})) in \d[\d.]{0,12}s(?: \(\d[\d:, days]{0,30}\))?(?: ={1,200})?$/;
const PYTEST_RAN = /^x?(?:passed|failed)$/;
const PYTEST_WORDS =
  /^(?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests (?:passed|failed))$/;

const countPytest = sumOf(PYTEST, ([, parts]) =>
  parts === undefined ? 0 : passedAndFailed(parts, ", ", PYTEST_RAN, PYTEST_WORDS),
);

// Ran 3 tests in 0.007s, a blank line, and OK (skipped=1)
const UNITTEST = /^Ran (\d{1,9}) tests? in \d[\d.]{0,12}s$/;
const UNITTEST_SKIPPED = /^(?:OK|FAILED) \(.{0,100}\bskipped=(\d{1,9})\b/;

const countUnittest = sumOf(UNITTEST, (ran, lines, at) =>
  Math.max(0, sumOfGroups(ran) - sumOfGroups(nextMatch(lines, at, 2, UNITTEST_SKIPPED))),
);

// 5 examples, 1 failure, 2 pending
const RSPEC =
  /^(\d{1,9}) examples?, \d{1,9} failures?(?:, (\d{1,9}) pending)?(?:, \d{1,9} errors? occurred outside of examples)?$/;

// 5 runs, 7 assertions, 1 failures, 0 errors, 2 skips
const MINITEST =
  /^(\d{1,9}) runs?, \d{1,9} assertions?, \d{1,9} failures?, \d{1,9} errors?, (\d{1,9}) skips?$/;

// 5 tests, 7 assertions, 1 failures, 0 errors, 1 pendings, 0 omissions, 0 notifications
const TEST_UNIT =
  /^(\d{1,9}) tests?, \d{1,9} assertions?, \d{1,9} failures?, \d{1,9} errors?, (\d{1,9}) pendings?, (\d{1,9}) omissions?\b/;

// OK (3 tests, 5 assertions), or Tests: 3, Assertions: 5, Failures: 1, Skipped: 1.
const PHPUNIT =
  /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$|^Tests: (\d{1,9}), Assertions: \d{1,9}(?:, .{1,200})?\.$/;
const PHPUNIT_LEFT_OUT = /, (?:Skipped|Incomplete): (\d{1,9})/g;

const countPhpunit = sumOf(PHPUNIT, (found) =>
  [...found[0].matchAll(PHPUNIT_LEFT_OUT)].reduce(
    (ran, left) => ran - sumOfGroups(left),
    sumOfGroups(found),
  ),
);

// Finished in 0.02 seconds, and then: 1 doctest, 5 tests, 1 failure, 2 skipped
const EXUNIT_BEGIN = /^Finished in \d/;
const EXUNIT = /^(?:\d{1,9} [a-z]{1,20}, ){0,4}\d{1,9} tests?, \d{1,9} failures?(?:, .{1,100})?$/;
const EXUNIT_CASES =
  /(\d{1,9}) (tests?|doctests?|properties|property|features?|skipped|excluded|invalid)\b/g;
const EXUNIT_LEFT_OUT = /^(?:skipped|excluded|invalid)$/;

const countExunit = sumOf(EXUNIT_BEGIN, (_, lines, at) => {
  const told = nextMatch(lines, at, 2, EXUNIT);
  if (told === null) return undefined;
  let ran = 0;
  for (const [, amount, word = ""] of told[0].matchAll(EXUNIT_CASES))
    ran += EXUNIT_LEFT_OUT.test(word) ? -Number(amount) : Number(amount);
  return ran;
});

// =========================== short test summary info ============================
const PYTEST_SUMMARY = /^=+ short test summary info =+$/;
const PYTEST_SESSION = /^=+ test session starts =+$/;
const PYTEST_SUMMARY_ENTRY = /^(?:FAILED|ERROR) (?=\S)/;
// test_sum.py::test_each[a b] FAILED      [ 66%]
const PYTEST_VERBOSE_END = / (?:FAILED|ERROR) {1,200}\[ {0,2}\d{1,3}%\]$/;
// [gw1] [ 33%] FAILED test_sum.py::test_adds
const PYTEST_PARALLEL_START = /^\[gw\d{1,4}\] \[ {0,2}\d{1,3}%\] (?:FAILED|ERROR) /;

/**
 * pytest: the short test summary, or without one the result lines of a verbose run. The tests' own output comes before
 * the summary.
 */
function* readPytest(lines: readonly string[]): Iterable<string> {
  const summarised = lines.some((line) => PYTEST_SUMMARY.test(line));
  if (!summarised && !lines.some((line) => PYTEST_SESSION.test(line))) return;
  let inSummary = false;
  for (const line of lines) {
    if (PYTEST_SESSION.test(line)) inSummary = false;
    else if (PYTEST_SUMMARY.test(line)) inSummary = true;
    else if (summarised) {
      if (inSummary && PYTEST_SUMMARY_ENTRY.test(line))
        yield nodeId(line.replace(PYTEST_SUMMARY_ENTRY, ""));
    } else if (line.includes("::")) {
      if (PYTEST_PARALLEL_START.test(line)) yield line.replace(PYTEST_PARALLEL_START, "");
      else if (PYTEST_VERBOSE_END.test(line)) yield line.replace(PYTEST_VERBOSE_END, "");
    }
  }
}

/** Drops the ` - message`; parameters in brackets may contain the same characters. */
function nodeId(text: string): string {
  const bracket = text.indexOf("[");
  const dash = text.indexOf(" - ");
  if (dash < 0) return text;
  if (bracket < 0 || dash < bracket) return text.slice(0, dash);
  const end = text.indexOf("] - ", bracket);
  return end < 0 ? text : text.slice(0, end + 1);
}

const UNITTEST_RULE = /^={70}$/;
// FAIL: test_adds (test_sum.TestSum.test_adds)
const UNITTEST_NAME = /^(?:FAIL|ERROR): (\S.{0,500})$/;
const UNITTEST_SUMMARY = /^Ran \d{1,9} tests? in /;

/** Python's unittest: `FAIL: test (module.Class.test)` under a double rule. */
function* readUnittest(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => UNITTEST_SUMMARY.test(line))) return;
  for (const [index, line] of lines.entries()) {
    const name = UNITTEST_RULE.test(lines[index - 1] ?? "")
      ? UNITTEST_NAME.exec(line)?.[1]
      : undefined;
    if (name !== undefined) yield name;
  }
}

// rspec ./spec/sum_spec.rb:12 # Sum adds two numbers
const RSPEC_EXAMPLE = /^rspec (?:\.\/)?(\S{1,400}) # (.{1,500})$/;
const RSPEC_PLACE = /(?::\d{1,7}|\[[\d:]{1,60}\])$/;

/** RSpec: the `rspec file:line # description` lines after `Failed examples:`. */
function* readRspec(lines: readonly string[]): Iterable<string> {
  const start = lines.indexOf("Failed examples:");
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const [, file, description] = RSPEC_EXAMPLE.exec(line) ?? [];
    if (file !== undefined && description !== undefined)
      yield `${file.replace(RSPEC_PLACE, "")} ${description}`;
  }
}

const PHPUNIT_HEADING = /^There (?:was|were) \d{1,7} (?:failures?|errors?):$/;
const PHPUNIT_OTHER_HEADING = /^There (?:was|were) \d{1,7} /;
// 1) App\Tests\SumTest::testAdds with data set #2 (1, 2)
const PHPUNIT_ENTRY = /^\d{1,7}\) (\S.{0,800})$/;

/** PHPUnit: the numbered entries below `There was 1 failure:` and similar headings. */
function* readPhpunit(lines: readonly string[]): Iterable<string> {
  let inList = false;
  for (const line of lines) {
    if (PHPUNIT_OTHER_HEADING.test(line)) inList = PHPUNIT_HEADING.test(line);
    const name = inList ? PHPUNIT_ENTRY.exec(line)?.[1] : undefined;
    if (name?.includes("::")) yield name;
  }
}

export const SCRIPTING: readonly TestRunner[] = [
  { name: "pytest", failing: readPytest, count: countPytest },
  { name: "unittest", failing: readUnittest, count: countUnittest },
  { name: "RSpec", failing: readRspec, count: sumOf(RSPEC, firstMinusOthers) },
  { name: "Minitest", count: sumOf(MINITEST, firstMinusOthers) },
  { name: "test-unit", count: sumOf(TEST_UNIT, firstMinusOthers) },
  { name: "PHPUnit", failing: readPhpunit, count: countPhpunit },
  { name: "ExUnit", count: countExunit },
];
