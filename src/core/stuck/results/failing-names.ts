/**
 * The names in a failing check's output: tests as any runner names them, or problems as any compiler does. Each set
 * becomes one number.
 */
import { hashNumber } from "../../hash.ts";
import { maskedHash } from "../../masked-hash.ts";
import { anyOf } from "./any-of.ts";
import { boundedLines, boundedPart } from "./bounded-part.ts";

/** How runners name a failing test at the beginning of a line. */
const FAILING_TEST = anyOf(
  "y",
  /[ \t]{0,20}(?:(?:FAILED|FAIL:?|--- FAIL:|[✗✕✖✘×●]|\(fail\)) {1,3}|not ok \d{1,6} (?:- )?|\d{1,4}\) )(\S.{0,200})/,
  /[ \t]{0,20}Failed (\S{1,200}\.\S.{0,200})/,
  /\[ERROR\] {1,4}(\w{1,100}\.\w{1,100}:\d.{0,100})/,
);

/** `a.py::test_b FAILED`, `QueueTest > drains() FAILED`, `test drains ... FAILED`. */
const FAILED_AFTER =
  /^[ \t]{0,20}(\S{1,200}::\S{1,200}|\S{1,100} > \S.{0,200}|\S.{0,200} \.\.\.) FAILED\b/gm;

const MAX_TESTS = 100;

/** One number for the set of failing tests in the output; zero if there are none. */
export function failingTestsHash(text: string): number {
  const part = boundedPart(text).replaceAll("\r", "\n");
  const found = new Set<string>();
  let start = 0;
  do {
    FAILING_TEST.lastIndex = start;
    const [, ...names] = FAILING_TEST.exec(part) ?? [];
    const name = names.find((one) => one !== undefined);
    if (name !== undefined) found.add(nameOf(name));
    start = part.indexOf("\n", start) + 1;
  } while (start > 0 && found.size < MAX_TESTS);
  if (part.includes(" FAILED"))
    for (const [, name = ""] of part.matchAll(FAILED_AFTER)) found.add(nameOf(name));
  return found.size === 0 ? 0 : namesHash([...found]);
}

/** Drops what follows the name: an assertion message, a duration, a line number. */
const nameOf = (text: string): string =>
  text.replace(/ - .*$| \(?\d+(?:\.\d+)? ?m?s\)?$|(?:\bline |:)\d+/g, "");

export const namesHash = (names: readonly string[]): number =>
  hashNumber([...new Set(names)].sort().join("\n"));

/** How compilers and linters name a problem: its place, then what is wrong. */
const PROBLEM = anyOf(
  "i",
  /^\S{0,200}[a-z_][:(]\d{1,7}(?:[:,]\d{1,7})?\)?:? {1,3}\S/,
  /^\d{1,7}:\d{1,7} {1,4}(?:error|warning)\b/,
  /^error(?:\[[a-z]\d{1,6}\])?: \S/,
);

const PLACE = /(?:^|[:(])\d+(?:[:,]\d+)?/;

/** One number for the problems a compiler or linter reports, wherever they have moved to; zero if there are none. */
export function problemsHash(text: string): number {
  const lines = boundedLines(text).filter((line) => PROBLEM.test(line));
  const problems = new Set(lines.map((line) => line.slice(0, 300).replace(PLACE, ":")));
  return problems.size === 0 ? 0 : maskedHash([...problems].sort().join("\n"));
}
