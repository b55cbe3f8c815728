/** Counts of the runners of Go, Rust, Java, .NET and C, from their closing summaries. */
import { nextMatch, numberAt, sumOf } from "./counter.ts";
import type { Counter } from "./counter.ts";

const GO_RUN = /^=== RUN {3}\S/;
const GO_ENDED = /^ {0,40}--- (?:PASS|FAIL): \S/;
const GO_JSON =
  /^\{(?:"Time":"[^"]{1,60}",)?"Action":"(?:pass|fail)","Package":"[^"]{1,500}","Test":"/;
const GO_JSON_ANY = /^\{(?:"Time":"[^"]{1,60}",)?"Action":"[a-z]{1,12}","Package":"/;

/** Tests and their subtests. Without `-v` only what failed is named, and that is no count. */
const countGo: Counter = (lines) => {
  if (lines.some((line) => GO_JSON_ANY.test(line)))
    return lines.filter((line) => GO_JSON.test(line)).length;
  return lines.some((line) => GO_RUN.test(line))
    ? lines.filter((line) => GO_ENDED.test(line)).length
    : undefined;
};

// test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
const CARGO = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; \d{1,9} ignored; /;
const countCargo = sumOf(CARGO, (found) => numberAt(found, 1) + numberAt(found, 2));

//      Summary [   0.012s] 3 tests run: 2 passed, 1 failed, 1 skipped; 2/3 where it was cut short
const NEXTEST =
  /^ {1,12}Summary \[ {0,10}[\d.]{1,12}s\] (\d{1,9})(?:\/\d{1,9})? tests? run: \d{1,9} passed\b/;
const countNextest = sumOf(NEXTEST, (found) => numberAt(found, 1));

// [ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1; a class says how long it took, the whole does not
const SUREFIRE =
  /^(?:\[(?:INFO|WARNING|ERROR)\] {1,2})?Tests run: (\d{1,9}), Failures: \d{1,9}, Errors: \d{1,9}, Skipped: (\d{1,9})(?:, Flakes: \d{1,9})?$/;
const countSurefire = sumOf(SUREFIRE, (found) => numberAt(found, 1) - numberAt(found, 2));

// [        12 tests successful      ]
const JUNIT_CONSOLE = /^\[ {1,12}(\d{1,9}) tests (?:successful|failed) {1,12}\]$/;
const countJunitConsole = sumOf(JUNIT_CONSOLE, (found) => numberAt(found, 1));

// OK (3 tests), or Tests run: 3,  Failures: 1
const JUNIT_TEXT = /^OK \((\d{1,9}) tests?\)$|^Tests run: (\d{1,9}), {2}Failures: \d{1,9}$/;
const countJunitText = sumOf(JUNIT_TEXT, (found) => numberAt(found, 1) + numberAt(found, 2));

// Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - a.dll (net8.0)
const DOTNET =
  /^ {0,4}(?:Passed|Failed|Skipped)! {1,3}- Failed: {1,9}(\d{1,9}), Passed: {1,9}(\d{1,9}), Skipped: {1,9}\d/;
const countDotnet = sumOf(DOTNET, (found) => numberAt(found, 1) + numberAt(found, 2));

// Test summary: total: 6, failed: 1, succeeded: 4, skipped: 1, duration: 1.2s
const DOTNET_TERMINAL =
  /^ {0,4}Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), skipped: \d/;
const countDotnetTerminal = sumOf(
  DOTNET_TERMINAL,
  (found) => numberAt(found, 1) + numberAt(found, 2),
);

// Total tests: 6 /      Passed: 5 /      Failed: 1
const DOTNET_TOTAL = /^Total tests: \d{1,9}$/;
const countDotnetTotal: Counter = (lines) => {
  let sum: number | undefined;
  for (const [at, line] of lines.entries())
    if (DOTNET_TOTAL.test(line)) {
      const passed = nextMatch(lines, at, 3, /^ {2,8}Passed: (\d{1,9})$/);
      const failed = nextMatch(lines, at, 3, /^ {2,8}Failed: (\d{1,9})$/);
      sum = (sum ?? 0) + numberAt(passed, 1) + numberAt(failed, 1);
    }
  return sum;
};

// 33% tests passed, 2 tests failed out of 3, and then those that did not run
const CTEST = /^\d{1,3}% tests passed, \d{1,9} tests? failed out of (\d{1,9})$/;
const CTEST_SKIPPED = /^\t {0,9}\d{1,9} - \S.{0,300} \(Skipped\)$/;
const countCtest: Counter = (lines) => {
  const all = sumOf(CTEST, (found) => numberAt(found, 1))(lines);
  if (all === undefined) return undefined;
  return Math.max(0, all - lines.filter((line) => CTEST_SKIPPED.test(line)).length);
};

export const COMPILED_COUNTERS: readonly Counter[] = [
  ...[countGo, countCargo, countNextest, countSurefire, countJunitConsole, countJunitText],
  ...[countDotnet, countDotnetTerminal, countDotnetTotal, countCtest],
];

// 12 tests completed, 1 failed, 2 skipped
const GRADLE = /^(\d{1,9}) tests? completed, \d{1,9} failed(?:, (\d{1,9}) skipped)?$/;

/** Gradle says how many there were only when one failed. */
export const countGradle: Counter = sumOf(
  GRADLE,
  (found) => numberAt(found, 1) - numberAt(found, 2),
);
