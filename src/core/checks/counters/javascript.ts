/** Counts of the runners of JavaScript and TypeScript, from their closing summaries. */
import { nextMatch, numberAt, passedAndFailed, sumOf } from "./counter.ts";
import type { Counter } from "./counter.ts";

// ℹ tests 5 / ℹ suites 1 / ℹ pass 4 / ℹ fail 1; as TAP with `#`, as XML in comments; tape without suites and with two blanks
const NODE_TESTS = /^(?:ℹ|#|\t<!--) tests {1,3}\d{1,9}(?: -->)?$/;
const NODE_PASS = /^(?:ℹ|#|\t<!--) pass {1,3}(\d{1,9})(?: -->)?$/;
const NODE_FAIL = /^(?:ℹ|#|\t<!--) fail {1,3}(\d{1,9})(?: -->)?$/;

const countNodeTest: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (!NODE_TESTS.test(line)) continue;
    const passed = nextMatch(lines, at, 2, NODE_PASS);
    if (passed === null) continue;
    const failed = nextMatch(lines, at, 3, NODE_FAIL);
    sum = (sum ?? 0) + numberAt(passed, 1) + numberAt(failed, 1);
  }
  return sum;
};

// Asserts:  4 passed, 1 failed, 1 skip, of 6
const TAP_ASSERTS = /^Asserts: {1,4}(\d.{1,100}), of \d{1,9}$/;
// # { total: 5, pass: 4, fail: 1 }
const TAP_TOTAL = /^# \{ total: \d{1,9}(?:, pass: (\d{1,9}))?(?:, fail: (\d{1,9}))?[^}]{0,60}\}$/;

const countNodeTap: Counter = (lines) => {
  const asserts = sumOf(TAP_ASSERTS, ([, parts = ""]) => passedAndFailed(parts, ", "))(lines);
  return asserts ?? sumOf(TAP_TOTAL, (found) => numberAt(found, 1) + numberAt(found, 2))(lines);
};

const TAP_PLAN = /^1\.\.\d{1,9}(?: #.{0,200})?$/;
const TAP_POINT = /^(?:not )?ok \d{1,9}\b/;
const TAP_LEFT_OUT = / # (?:SKIP|TODO)\b/i;

/** Anybody's TAP: the points of the outermost level, where a plan stands with them. */
const countTap: Counter = (lines) => {
  const own = countNodeTest(lines) ?? countNodeTap(lines);
  if (own !== undefined) return own;
  const points = lines.filter((line) => TAP_POINT.test(line));
  if (points.length === 0 || !lines.some((line) => TAP_PLAN.test(line))) return undefined;
  return points.filter((line) => !TAP_LEFT_OUT.test(line)).length;
};

// Tests:       1 failed, 2 skipped, 480 passed, 483 total
const JEST = /^Tests: {1,10}(?:(\d.{1,150}), )?\d{1,9} total$/;
const countJest = sumOf(JEST, ([, parts = "0 passed"]) => passedAndFailed(parts, ", "));

//       Tests  1 failed | 11 passed | 2 skipped (14)
const VITEST = /^ {1,12}Tests {2}(\d.{1,150}) \(\d{1,9}\)$/;
const countVitest = sumOf(VITEST, ([, parts = ""]) => passedAndFailed(parts, " | "));

//   150 passing (20ms) /   2 pending /   1 failing
const MOCHA = /^ {2}(\d{1,9}) passing \(\d{1,9}(?:ms|s|m|h)\)$/;
const MOCHA_FAILING = /^ {2}(\d{1,9}) failing$/;

const countMocha: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries()) {
    const passing = MOCHA.exec(line);
    if (passing === null) continue;
    const failing = nextMatch(lines, at, 2, MOCHA_FAILING);
    sum = (sum ?? 0) + numberAt(passing, 1) + numberAt(failing, 1);
  }
  return sum;
};

// The line `  ─`, then `  3 tests passed`, or what failed alone
const AVA_END = /^ {2}─$/;
const AVA = /^ {2}(\d{1,9}) tests? (?:passed|failed)$/;
const countAva: Counter = (lines) =>
  lines.some((line) => AVA_END.test(line))
    ? sumOf(AVA, (found) => numberAt(found, 1))(lines)
    : undefined;

//  5 pass /  1 skip /  0 fail /  12 expect() calls / Ran 6 tests across 2 files. [12.00ms]
const BUN_END = /^Ran \d{1,9} tests? across \d{1,9} files?\./;
const BUN = /^ (\d{1,9}) (?:pass|fail)$/;
const BUN_LINES = 8;

const countBun: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries())
    if (BUN_END.test(line)) {
      const before = lines.slice(Math.max(0, at - BUN_LINES), at);
      sum = (sum ?? 0) + (sumOf(BUN, (found) => numberAt(found, 1))(before) ?? 0);
    }
  return sum;
};

// ok | 5 passed (2 steps) | 0 failed | 1 ignored (12ms)
const DENO =
  /^(?:ok|FAILED) \| (\d{1,9}) passed(?: \(\d{1,9} steps?\))? \| (\d{1,9}) failed\b.{0,100} \(\d[\dmsh. ]{0,20}\)$/;
const countDeno = sumOf(DENO, (found) => numberAt(found, 1) + numberAt(found, 2));

// Running 27 tests using 1 worker, and at the end   2 failed /   1 flaky /   24 passed (12.2s)
const PLAYWRIGHT_BEGIN = /^Running \d{1,9} tests? using \d{1,5} workers?$/;
const PLAYWRIGHT = /^ {2}(\d{1,9}) (?:failed|flaky|passed \(\d[\dmsh. ]{0,20}\))$/;
const countPlaywright: Counter = (lines) =>
  lines.some((line) => PLAYWRIGHT_BEGIN.test(line))
    ? sumOf(PLAYWRIGHT, (found) => numberAt(found, 1))(lines)
    : undefined;

export const JAVASCRIPT_COUNTERS: readonly Counter[] = [
  ...[countTap, countJest, countVitest, countMocha, countAva],
  ...[countBun, countDeno, countPlaywright],
];
