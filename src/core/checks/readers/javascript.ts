/**
 * Test runners of JavaScript and TypeScript, and tsc: reads their failing tests, and the counts in their closing
 * summaries.
 */
import { sumOfGroups, nextMatch, passedAndFailed, sumOf } from "./reader.ts";
import type { Counter, TestRunner } from "./reader.ts";

// ℹ tests 5 / ℹ suites 1 / ℹ pass 4 / ℹ fail 1; as TAP with `#`, as XML in comments; tape without suites and with two blanks
const NODE_TESTS = /^(?:ℹ|#|\t<!--) tests {1,3}\d{1,9}(?: -->)?$/;
const NODE_PASS = /^(?:ℹ|#|\t<!--) pass {1,3}(\d{1,9})(?: -->)?$/;
const NODE_FAIL = /^(?:ℹ|#|\t<!--) fail {1,3}(\d{1,9})(?: -->)?$/;

const countNodeTest = sumOf(NODE_TESTS, (_, lines, at) => {
  const passed = nextMatch(lines, at, 2, NODE_PASS);
  return passed === null
    ? undefined
    : sumOfGroups(passed) + sumOfGroups(nextMatch(lines, at, 3, NODE_FAIL));
});

// Asserts:  4 passed, 1 failed, 1 skip, of 6
const TAP_ASSERTS = /^Asserts: {1,4}(\d.{1,100}), of \d{1,9}$/;
// # { total: 5, pass: 4, fail: 1 }
const TAP_TOTAL = /^# \{ total: \d{1,9}(?:, pass: (\d{1,9}))?(?:, fail: (\d{1,9}))?[^}]{0,60}\}$/;

const countNodeTap: Counter = (lines) =>
  sumOf(TAP_ASSERTS, ([, parts = ""]) => passedAndFailed(parts, ", "))(lines) ??
  sumOf(TAP_TOTAL)(lines);

const TAP_PLAN = /^1\.\.\d{1,9}(?: #.{0,200})?$/;
const TAP_POINT = /^(?:not )?ok \d{1,9}\b/;
const TAP_LEFT_OUT = / # (?:SKIP|TODO)\b/i;

/** Any other TAP: counts the points of the outermost level, if there is a plan. */
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

const countMocha = sumOf(
  MOCHA,
  (passing, lines, at) =>
    sumOfGroups(passing) + sumOfGroups(nextMatch(lines, at, 2, MOCHA_FAILING)),
);

// The line `  ─`, then `  3 tests passed`, or only the number that failed
const AVA_END = /^ {2}─$/;
const AVA = /^ {2}(\d{1,9}) tests? (?:passed|failed)$/;
//  5 pass /  1 skip /  0 fail /  12 expect() calls / Ran 6 tests across 2 files. [12.00ms]
const BUN_END = /^Ran \d{1,9} tests? across \d{1,9} files?\./;
const BUN = /^ (\d{1,9}) (?:pass|fail)$/;
const BUN_LINES = 8;

const countBun = sumOf(
  BUN_END,
  (_, lines, at) => sumOf(BUN)(lines.slice(Math.max(0, at - BUN_LINES), at)) ?? 0,
);

// ok | 5 passed (2 steps) | 0 failed | 1 ignored (12ms)
const DENO =
  /^(?:ok|FAILED) \| (\d{1,9}) passed(?: \(\d{1,9} steps?\))? \| (\d{1,9}) failed\b.{0,100} \(\d[\dmsh. ]{0,20}\)$/;

// Running 27 tests using 1 worker, and at the end   2 failed /   1 flaky /   24 passed (12.2s)
const PLAYWRIGHT_BEGIN = /^Running \d{1,9} tests? using \d{1,5} workers?$/;
const PLAYWRIGHT = /^ {2}(\d{1,9}) (?:failed|flaky|passed \(\d[\dmsh. ]{0,20}\))$/;

/** Counts only if the output also has a line that matches `mark`. */
const countIfMarked =
  (mark: RegExp, count: Counter): Counter =>
  (lines) =>
    lines.some((line) => mark.test(line)) ? count(lines) : undefined;

// Test Suites: 2 failed, 2 total
const JEST_SUMMARY = /^Test Suites: .{1,80} total$/;
// FAIL src/sum.test.js (5.2 s)
const JEST_DURATION = / \(\d{1,6}(?:\.\d{1,4})? m?s\)$/;

/** Jest: `FAIL file` and, two spaces in, `● suite › test`. Console output of a test is indented deeper. */
function* readJest(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => JEST_SUMMARY.test(line))) return;
  let file: string | undefined;
  for (const line of lines) {
    if (line.startsWith("FAIL ")) file = line.slice(5).trim().replace(JEST_DURATION, "");
    else if (line.startsWith("PASS ")) file = undefined;
    else if (file !== undefined && line.startsWith("  ● ")) {
      const name = line.slice(4).trim();
      if (name === "Test suite failed to run") yield file;
      else if (name !== "Console") yield `${file} › ${name}`;
    }
  }
}

// ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 4 ⎯⎯⎯⎯⎯⎯⎯
const VITEST_HEADING = /^\s?⎯{1,200} Failed (?:Tests|Suites) \d{1,7} ⎯{1,200}$/;
const VITEST_NEXT_RUN = /^\s?RUN {2}v\d/;

/**
 * Vitest: the ` FAIL  file > suite > test` lines of the last report; anything the tests printed comes before its
 * headings.
 */
function* readVitest(lines: readonly string[]): Iterable<string> {
  let inReport = false;
  for (const line of lines) {
    if (VITEST_HEADING.test(line)) inReport = true;
    else if (VITEST_NEXT_RUN.test(line)) inReport = false;
    else if (inReport && line.startsWith(" FAIL  ")) yield withoutPlace(line.slice(7));
  }
}

/** A file that failed to load repeats its path: `broken.test.js [ broken.test.js ]`. */
function withoutPlace(name: string): string {
  return name.endsWith(" ]") && name.includes(" [ ")
    ? name.slice(0, name.lastIndexOf(" [ "))
    : name;
}

const MOCHA_LIST = /^ {2}\d{1,7} failing$/;
const MOCHA_PASSING = /^ {2}\d{1,7} passing\b/;
const MOCHA_ENTRY = /^ {2}\d{1,7}\) (.{1,500})$/;
const MOCHA_DEEPER = /^ {7,60}(\S.{0,500})$/;
const MOCHA_DEEPEST = 25;

/**
 * Mocha: the numbered list after `N failing`, not earlier numbers; each entry is the suites and the test, ending in a
 * colon.
 */
function* readMocha(lines: readonly string[]): Iterable<string> {
  let inList = false;
  let path: readonly string[] = [];
  for (const line of lines) {
    if (MOCHA_PASSING.test(line)) inList = false;
    else if (MOCHA_LIST.test(line)) inList = true;
    if (!inList) continue;
    const entry = MOCHA_ENTRY.exec(line)?.[1];
    const deeper =
      path.length > 0 && path.length < MOCHA_DEEPEST ? MOCHA_DEEPER.exec(line)?.[1] : undefined;
    path = entry !== undefined ? [entry] : deeper !== undefined ? [...path, deeper] : [];
    if (!path.at(-1)?.endsWith(":")) continue;
    yield path.join(" > ").slice(0, -1);
    path = [];
  }
}

// test at test/sum.test.js:3:3
const NODE_FAILING_PLACE = /^test at (.{1,1000}):\d{1,7}:\d{1,7}$/;
// ✖ adds two numbers (1.5ms)
const NODE_FAILING_NAME = /^✖ (.{1,1500}) \(\d{1,9}(?:\.\d{1,9})?ms\)(?: #.{0,200})?$/;

/**
 * node:test, spec reporter: the list after `✖ failing tests:`; the marks of tests in progress come before that line.
 */
function* readNodeTest(lines: readonly string[]): Iterable<string> {
  let place: string | undefined;
  let inList = false;
  for (const line of lines) {
    if (line === "✖ failing tests:") inList = true;
    if (!inList) continue;
    const name = place === undefined ? undefined : NODE_FAILING_NAME.exec(line)?.[1];
    if (name !== undefined) yield name === place ? name : `${place} > ${name}`;
    place = NODE_FAILING_PLACE.exec(line)?.[1];
  }
}

// not ok 3 - name # TODO why
const TAP_RESULT = /^( *)(not )?ok(?: \d{1,9})?(?: (?:- )?(.*))?$/;
const TAP_HEADER = /^(?:TAP version 1\d|1\.\.\d{1,9}(?: #.{0,200})?)$/;
const TAP_DEEPEST = 50;

/**
 * TAP, which node:test also prints: `not ok` lines, with subtests indented. A parent that fails only because of its
 * subtests is not an item; TODO and SKIP are not failures; comments and the YAML block below a result are not results.
 */
function* readTap(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => TAP_HEADER.test(line))) return;
  const failed: string[][] = [];
  let afterResult = false;
  let inYaml = false;
  for (const line of lines) {
    if (inYaml) inYaml = line.trim() !== "...";
    else if (afterResult && line.trim() === "---") inYaml = true;
    const found = inYaml ? null : TAP_RESULT.exec(line);
    afterResult = found !== null;
    if (found === null) continue;
    const [, indent = "", not, text = ""] = found;
    const depth = Math.min(Math.floor(indent.length / 4), TAP_DEEPEST);
    const below = failed[depth + 1] ?? [];
    failed.length = Math.min(failed.length, depth + 1);
    if (not === undefined || TAP_LEFT_OUT.test(text)) continue;
    const name = text.replaceAll("\\#", "#") || line.trim();
    const names = below.length > 0 ? below.map((inner) => `${name} > ${inner}`) : [name];
    if (depth === 0) yield* names;
    else failed[depth] = [...(failed[depth] ?? []), ...names].slice(0, TAP_MAX_BELOW);
  }
  for (const names of failed) yield* names ?? [];
}

/** Beyond this many failing subtests of one parent, the rest are dropped. */
const TAP_MAX_BELOW = 1000;

// src/a.ts(1,7): error TS2322: Type 'string' ...
const TSC_PLAIN = /^(\S.{0,400})\(\d{1,7},\d{1,7}\): error (TS\d{1,6}: .{1,400})/;
// src/a.ts:1:7 - error TS2322: Type 'string' ...
const TSC_PRETTY = /^(\S.{0,400}):\d{1,7}:\d{1,7} - error (TS\d{1,6}: .{1,400})/;
// error TS5058: The specified path does not exist: 'tsconfig.json'.
const TSC_GLOBAL = /^()error (TS\d{1,6}: .{1,400})/;

/** tsc: one item per error, by file, code and message but not by line, so that moved code is not a new failure. */
function* readTsc(lines: readonly string[]): Iterable<string> {
  const seen = new Map<string, number>();
  for (const line of lines) {
    if (!line.includes("error TS")) continue;
    const [, file = "", error] =
      TSC_PLAIN.exec(line) ?? TSC_PRETTY.exec(line) ?? TSC_GLOBAL.exec(line) ?? [];
    if (error === undefined) continue;
    const name = file === "" ? error : `${file} ${error}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    yield count === 1 ? name : `${name} (${count})`;
  }
}

export const JAVASCRIPT: readonly TestRunner[] = [
  { name: "Vitest", failing: readVitest, count: countVitest },
  { name: "Jest", failing: readJest, count: countJest },
  { name: "node:test", failing: readNodeTest },
  { name: "TAP", failing: readTap, count: countTap },
  { name: "tsc", failing: readTsc },
  { name: "Mocha", failing: readMocha, count: countMocha },
  { name: "AVA", count: countIfMarked(AVA_END, sumOf(AVA)) },
  { name: "Bun", count: countBun },
  { name: "Deno", count: sumOf(DENO) },
  { name: "Playwright", count: countIfMarked(PLAYWRIGHT_BEGIN, sumOf(PLAYWRIGHT)) },
];
