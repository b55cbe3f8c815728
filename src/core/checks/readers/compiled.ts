/**
 * Test runners of Go, Rust, Java, .NET and C, and JUnit XML, which many can print: reads their failing tests, and the
 * counts in their closing summaries.
 */
import { sumOfGroups, firstMinusOthers, nextMatch, sumOf } from "./reader.ts";
import type { Counter, Reader, TestRunner } from "./reader.ts";

const GO_RUN = /^=== RUN {3}\S/;
const GO_ENDED = /^ {0,40}--- (?:PASS|FAIL): \S/;
const GO_JSON =
  /^\{(?:"Time":"[^"]{1,60}",)?"Action":"(?:pass|fail)","Package":"[^"]{1,500}","Test":"/;
const GO_JSON_ANY = /^\{(?:"Time":"[^"]{1,60}",)?"Action":"[a-z]{1,12}","Package":"/;

/** Tests and subtests. Without `-v` only failures are named, which gives no count. */
const countGo: Counter = (lines) => {
  if (lines.some((line) => GO_JSON_ANY.test(line)))
    return lines.filter((line) => GO_JSON.test(line)).length;
  return lines.some((line) => GO_RUN.test(line))
    ? lines.filter((line) => GO_ENDED.test(line)).length
    : undefined;
};

// test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
const CARGO = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; \d{1,9} ignored; /;

//       Summary [   0.012s] 3 tests run: 2 passed, 1 failed, 1 skipped; 2/3 if it was cut short
const NEXTEST =
  /^ {1,12}Summary \[ {0,10}[\d.]{1,12}s\] (\d{1,9})(?:\/\d{1,9})? tests? run: \d{1,9} passed\b/;

// [ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1; lines of a class end with its duration, the total does not
const SUREFIRE =
  /^(?:\[(?:INFO|WARNING|ERROR)\] {1,2})?Tests run: (\d{1,9}), Failures: \d{1,9}, Errors: \d{1,9}, Skipped: (\d{1,9})(?:, Flakes: \d{1,9})?$/;

// [        12 tests successful      ]
const JUNIT_CONSOLE = /^\[ {1,12}(\d{1,9}) tests (?:successful|failed) {1,12}\]$/;

// OK (3 tests), or Tests run: 3,  Failures: 1
const JUNIT_TEXT = /^OK \((\d{1,9}) tests?\)$|^Tests run: (\d{1,9}), {2}Failures: \d{1,9}$/;

// Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - a.dll (net8.0)
const DOTNET =
  /^ {0,4}(?:Passed|Failed|Skipped)! {1,3}- Failed: {1,9}(\d{1,9}), Passed: {1,9}(\d{1,9}), Skipped: {1,9}\d/;

// Test summary: total: 6, failed: 1, succeeded: 4, skipped: 1, duration: 1.2s
const DOTNET_TERMINAL =
  /^ {0,4}Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), skipped: \d/;

// Total tests: 6 /      Passed: 5 /      Failed: 1
const countDotnetTotal = sumOf(
  /^Total tests: \d{1,9}$/,
  (_, lines, at) =>
    sumOfGroups(nextMatch(lines, at, 3, /^ {2,8}Passed: (\d{1,9})$/)) +
    sumOfGroups(nextMatch(lines, at, 3, /^ {2,8}Failed: (\d{1,9})$/)),
);

// 33% tests passed, 2 tests failed out of 3, followed by those that did not run
const CTEST = /^\d{1,3}% tests passed, \d{1,9} tests? failed out of (\d{1,9})$/;
const CTEST_SKIPPED = /^\t {0,9}\d{1,9} - \S.{0,300} \(Skipped\)$/;
const countCtest: Counter = (lines) => {
  const all = sumOf(CTEST)(lines);
  if (all === undefined) return undefined;
  return Math.max(0, all - lines.filter((line) => CTEST_SKIPPED.test(line)).length);
};

const CARGO_NAME = /^ {4}(\S.{0,500})$/;
// src/lib.rs - doc (line 12)
const CARGO_DOC_LINE = / \(line \d{1,7}\)$/;

/**
 * cargo test: the plain list of names between `failures:` and `test result: FAILED`. `failures:` also opens the section
 * with each test's output, which is recognised because it has other lines than indented names.
 */
function* readCargoTest(lines: readonly string[]): Iterable<string> {
  let names: string[] | undefined;
  for (const line of lines) {
    if (line === "failures:") names = [];
    else if (names !== undefined && line.startsWith("test result: FAILED.")) {
      yield* names;
      names = undefined;
    } else if (names !== undefined && line !== "") {
      const name = CARGO_NAME.exec(line)?.[1];
      if (name === undefined) names = undefined;
      else names.push(name.replace(CARGO_DOC_LINE, ""));
    }
  }
}

// FAIL	example.com/app/sum	0.004s      FAIL	example.com/app/sum [build failed]
const GO_PACKAGE = /^FAIL\t(\S{1,500})(?:[ \t].{0,200})?$/;
const GO_OTHER_PACKAGE = /^(?:ok {2}|\?   )\t\S/;
const GO_TEST = /^ {0,40}--- FAIL: (\S{1,800}) \(\d{1,9}(?:\.\d{1,9})?s\)$/;

/**
 * go test: `--- FAIL: TestName/sub (0.00s)` lines, joined with the package line that ends them. Tests that fail only
 * because of their subtests are left out; a package without named tests (not built, or panicked) is an item itself.
 */
function* readGoTest(lines: readonly string[]): Iterable<string> {
  let tests: string[] = [];
  for (const line of lines) {
    const test = GO_TEST.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    const name = GO_PACKAGE.exec(line)?.[1];
    if (name !== undefined) {
      const parents = new Set(tests.flatMap(parentsOf));
      const leaves = tests.filter((candidate) => !parents.has(candidate));
      yield* leaves.length > 0 ? leaves.map((leaf) => `${name} ${leaf}`) : [name];
    }
    if (name !== undefined || GO_OTHER_PACKAGE.test(line)) tests = [];
  }
}

/** `A/b/c` has the parents `A` and `A/b`. */
function parentsOf(test: string): readonly string[] {
  const parts = test.split("/").slice(0, 20);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

// Failed!  - Failed:     1, Passed:     3      Test Run Failed.
const DOTNET_SUMMARY = /^(?:Failed! {1,4}- Failed: |Test Run Failed\.$)/;
const DOTNET_NAME =
  /^ {2}Failed (\S.{0,500}) \[(?:< )?\d{1,6}(?:[.,]\d{1,4})? ?m?s?(?: \d{1,6} m?s)?\]$/;

/** All names, if some line says that the run failed. */
const namesIfFailed =
  (failed: RegExp, name: RegExp): Reader =>
  (lines) =>
    lines.some((line) => failed.test(line))
      ? lines.flatMap((line) => name.exec(line)?.[1] ?? [])
      : [];

const MAVEN_END = /(?: --|\)) {1,2}Time elapsed: [\d.]{1,12} s {1,2}<<< (?:FAILURE|ERROR)!$/;

/** Maven Surefire: `[ERROR] class.test -- Time elapsed: ... <<< FAILURE!`. */
function* readMaven(lines: readonly string[]): Iterable<string> {
  for (const line of lines) {
    if (!line.startsWith("[ERROR] ") || !MAVEN_END.test(line)) continue;
    const name = line.slice("[ERROR] ".length).replace(MAVEN_END, "");
    // Older: `adds(com.acme.SumTest)  Time elapsed`; newer: `com.acme.SumTest.adds -- Time`.
    const open = line.includes(" -- Time elapsed: ") ? -1 : name.lastIndexOf("(");
    yield open < 0 ? name : `${name.slice(open + 1)}.${name.slice(0, open)}`;
  }
}

// SumTest > adds() FAILED
const GRADLE_NAME = /^([\w.$]{1,300} >(?: .*)?) FAILED$/;
const GRADLE_FAILED = /^(?:BUILD FAILED|FAILURE: Build failed)/;

const XML_SIGNS = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const LONGEST_TAG = 20_000;

/**
 * JUnit XML printed as text: `<testcase>` elements with a `<failure>` or `<error>` and without `<skipped>`. A scan, not
 * a parser: one pass over the tags that skips comments and CDATA, which holds a test's own output.
 */
function* readJunitXml(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => line.includes("<testsuite"))) return;
  const text = lines.join("\n");
  let open: { readonly name: string; failed: boolean; skipped: boolean } | undefined;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const end = tagEnd(text, at);
    const tag = text.slice(at + 1, end);
    at = end + 1;
    if (/^testcase[\s/>]/.test(tag))
      open = tag.endsWith("/") ? undefined : { name: nameOf(tag), failed: false, skipped: false };
    else if (open !== undefined && /^(?:failure|error)(?:[\s/]|$)/.test(tag)) open.failed = true;
    else if (open !== undefined && /^skipped(?:[\s/]|$)/.test(tag)) open.skipped = true;
    else if (open !== undefined && tag === "/testcase") {
      if (open.failed && !open.skipped) yield open.name;
      open = undefined;
    }
  }
}

/** Where the markup that starts at `at` ends; a quoted `>` does not end a tag. */
function tagEnd(text: string, at: number): number {
  if (text.startsWith("<!--", at)) return endOf(text, "-->", at);
  if (text.startsWith("<![CDATA[", at)) return endOf(text, "]]>", at);
  if (!/[A-Za-z/]/.test(text.charAt(at + 1))) return at;
  let quote: string | undefined;
  const limit = Math.min(text.length, at + LONGEST_TAG);
  for (let index = at; index < limit; index += 1) {
    const char = text.charAt(index);
    if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return index;
  }
  return limit;
}

function endOf(text: string, stop: string, at: number): number {
  const found = text.indexOf(stop, at);
  return found < 0 ? text.length : found + stop.length - 1;
}

function nameOf(tag: string): string {
  const name = attribute(tag, "name");
  const group = attribute(tag, "classname");
  return group === "" || group === name ? name : `${group} > ${name}`;
}

function attribute(tag: string, name: string): string {
  const start = tag.search(name === "name" ? /\sname=["']/ : /\sclassname=["']/);
  if (start < 0) return "";
  const from = start + name.length + 3;
  const end = tag.indexOf(tag.charAt(from - 1), from);
  return tag
    .slice(from, end < 0 ? tag.length : end)
    .replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, decode);
}

function decode(_: string, decimal?: string, hex?: string, sign?: keyof typeof XML_SIGNS): string {
  if (sign !== undefined) return XML_SIGNS[sign];
  const point = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

export const COMPILED: readonly TestRunner[] = [
  { name: "go test", failing: readGoTest, count: countGo },
  { name: "cargo test", failing: readCargoTest, count: sumOf(CARGO) },
  { name: "cargo nextest", count: sumOf(NEXTEST) },
  { name: "Maven Surefire", failing: readMaven, count: sumOf(SUREFIRE, firstMinusOthers) },
  { name: "JUnit console", count: sumOf(JUNIT_CONSOLE) },
  { name: "JUnit text", count: sumOf(JUNIT_TEXT) },
  {
    name: "dotnet test",
    failing: namesIfFailed(DOTNET_SUMMARY, DOTNET_NAME),
    count: sumOf(DOTNET),
  },
  { name: "dotnet test, terminal logger", count: sumOf(DOTNET_TERMINAL) },
  { name: "dotnet test, totals", count: countDotnetTotal },
  { name: "CTest", count: countCtest },
  // Gradle reports how many tests there were only when one failed, so runs cannot be compared by count.
  { name: "Gradle", failing: namesIfFailed(GRADLE_FAILED, GRADLE_NAME) },
  { name: "JUnit XML", failing: readJunitXml },
];
