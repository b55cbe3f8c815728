/** Counts of the runners of Python, Ruby, PHP and Elixir, from their closing summaries. */
import { amounts, nextMatch, numberAt, sumOf, together } from "./counter.ts";
import type { Counter } from "./counter.ts";

// === 2 failed, 21 passed, 1 skipped in 0.11s ===, or the same without its rules
const PYTEST =
  /^(?:={1,200} )?(\d.{1,200}) in \d[\d.]{0,12}s(?: \(\d[\d:, days]{0,30}\))?(?: ={1,200})?$/;
const PYTEST_WORDS =
  /^(?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests (?:passed|failed))$/;
const PYTEST_NONE = /^(?:={1,200} )?no tests ran in \d[\d.]{0,12}s(?: ={1,200})?$/;

const countPytest: Counter = (lines) => {
  let sum: number | undefined;
  for (const line of lines) {
    if (PYTEST_NONE.test(line)) sum ??= 0;
    const found = amounts(PYTEST.exec(line)?.[1] ?? "", ", ");
    if (found === undefined || !Object.keys(found).every((word) => PYTEST_WORDS.test(word)))
      continue;
    sum = (sum ?? 0) + together(found, ["passed", "failed", "xpassed", "xfailed"]);
  }
  return sum;
};

// Ran 3 tests in 0.007s, a blank line, and OK (skipped=1)
const UNITTEST = /^Ran (\d{1,9}) tests? in \d[\d.]{0,12}s$/;
const UNITTEST_SKIPPED = /^(?:OK|FAILED) \(.{0,100}\bskipped=(\d{1,9})\b/;

const countUnittest: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries()) {
    const ran = UNITTEST.exec(line);
    if (ran === null) continue;
    const skipped = nextMatch(lines, at, 2, UNITTEST_SKIPPED);
    sum = (sum ?? 0) + Math.max(0, numberAt(ran, 1) - numberAt(skipped, 1));
  }
  return sum;
};

// 5 examples, 1 failure, 2 pending
const RSPEC =
  /^(\d{1,9}) examples?, \d{1,9} failures?(?:, (\d{1,9}) pending)?(?:, \d{1,9} errors? occurred outside of examples)?$/;
const countRspec = sumOf(RSPEC, (found) => numberAt(found, 1) - numberAt(found, 2));

// 5 runs, 7 assertions, 1 failures, 0 errors, 2 skips
const MINITEST =
  /^(\d{1,9}) runs?, \d{1,9} assertions?, \d{1,9} failures?, \d{1,9} errors?, (\d{1,9}) skips?$/;
const countMinitest = sumOf(MINITEST, (found) => numberAt(found, 1) - numberAt(found, 2));

// 5 tests, 7 assertions, 1 failures, 0 errors, 1 pendings, 0 omissions, 0 notifications
const TEST_UNIT =
  /^(\d{1,9}) tests?, \d{1,9} assertions?, \d{1,9} failures?, \d{1,9} errors?, (\d{1,9}) pendings?, (\d{1,9}) omissions?\b/;
const countTestUnit = sumOf(
  TEST_UNIT,
  (found) => numberAt(found, 1) - numberAt(found, 2) - numberAt(found, 3),
);

// OK (3 tests, 5 assertions)
const PHPUNIT_OK = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/;
// Tests: 3, Assertions: 5, Failures: 1, Skipped: 1.
const PHPUNIT = /^Tests: (\d{1,9}), Assertions: \d{1,9}(?:, .{1,200})?\.$/;
const PHPUNIT_LEFT_OUT = /, (?:Skipped|Incomplete): (\d{1,9})/g;

const countPhpunit: Counter = (lines) => {
  const ok = sumOf(PHPUNIT_OK, (found) => numberAt(found, 1))(lines);
  const told = sumOf(PHPUNIT, (found) => {
    const leftOut = [...found[0].matchAll(PHPUNIT_LEFT_OUT)].map(([, amount]) => Number(amount));
    return leftOut.reduce((ran, amount) => ran - amount, numberAt(found, 1));
  })(lines);
  return ok === undefined && told === undefined ? undefined : (ok ?? 0) + (told ?? 0);
};

// Finished in 0.02 seconds, and then: 1 doctest, 5 tests, 1 failure, 2 skipped
const EXUNIT_BEGIN = /^Finished in \d/;
const EXUNIT = /^(?:\d{1,9} [a-z]{1,20}, ){0,4}\d{1,9} tests?, \d{1,9} failures?(?:, .{1,100})?$/;
const EXUNIT_CASES =
  /(\d{1,9}) (tests?|doctests?|properties|property|features?|skipped|excluded|invalid)\b/g;
const EXUNIT_LEFT_OUT = /^(?:skipped|excluded|invalid)$/;

const countExunit: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries()) {
    const told = EXUNIT_BEGIN.test(line) ? nextMatch(lines, at, 2, EXUNIT) : null;
    if (told === null) continue;
    sum ??= 0;
    for (const [, amount, word = ""] of told[0].matchAll(EXUNIT_CASES))
      sum += EXUNIT_LEFT_OUT.test(word) ? -Number(amount) : Number(amount);
  }
  return sum;
};

export const SCRIPTING_COUNTERS: readonly Counter[] = [
  ...[countPytest, countUnittest, countRspec, countMinitest, countTestUnit],
  ...[countPhpunit, countExunit],
];
