/** The names of failing tests in any runner's words, as one number. */
import { hashNumber } from "../hash.ts";
import { anyOf } from "./infrastructure-text.ts";

const HEAD = 6000;

const TAIL = 3000;

/** How runners name a failing test, at the beginning of a line. */
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

/** One number for the set of failing tests a runner names; zero where none is named. */
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

/** Without what follows the name: the message of an assertion, a duration, a line number. */
const nameOf = (text: string): string =>
  text.replace(/ - .*$| \(?\d+(?:\.\d+)? ?m?s\)?$|(?:\bline |:)\d+/g, "");

export const namesHash = (names: readonly string[]): number =>
  hashNumber([...new Set(names)].sort().join("\n"));

export const boundedPart = (text: string): string =>
  text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;
