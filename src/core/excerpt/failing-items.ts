/**
 * A check's failures as data: what failed, the message, expected and actual value, and the position in the user's code.
 * Invariant: a field that is not in the output is absent, never guessed.
 */
import { cleanLine } from "../foreign-text.ts";
import type { Failure } from "./failures.ts";
import { nameOf } from "./named-tests.ts";

export interface FailingItem {
  /** The test, target or file that failed. */
  readonly name?: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  readonly place?: string;
}

const MESSAGE_CHARS = 400;
const VALUE_CHARS = 200;

/** Facts beside the message, in the forms of TAP and of Node. */
const ASIDE =
  /^\s{0,30}(?:(?:location|duration_ms|failureType|type|name|code): \S.{0,300}|(?:error|message): [|>]-?)$/;

/** The lines of a failure that say why; all of them if none does. */
export function messageLines({ message }: Pick<Failure, "message">): readonly string[] {
  const lines = message.filter((line) => !ASIDE.test(line));
  return lines.length > 0 ? lines : message;
}

export function failingItem(failure: Failure): FailingItem {
  const { title, message, places } = failure;
  const [place] = places.map(placeIn).filter((one) => one !== undefined);
  const own = place ?? message.map(placeIn).find((one) => one !== undefined);
  return {
    ...(title === undefined ? {} : { name: cleanLine(nameOf(title), VALUE_CHARS) }),
    message: cleanLine(messageLines(failure).slice(0, 4).join(" "), MESSAGE_CHARS),
    ...comparisonIn(message),
    ...(own === undefined ? {} : { place: own }),
  };
}

const EXPECTED =
  /^\s{0,30}(?:E\s{1,8})?(?:[Ee]xpected|want(?:ed)?|right|required)(?: value)?\s{0,8}[:=]\s{0,8}(\S.{0,400})$/;
const GOT =
  /^\s{0,30}(?:E\s{1,8})?(?:[Rr]eceived|[Aa]ctual|[Gg]ot|left|found)(?: value)?\s{0,8}[:=]\s{0,8}(\S.{0,400})$/;

/** Forms with both values on one line; `x` is the actual value, `y` the expected one. */
const BOTH: readonly RegExp[] = [
  /^\s{0,30}E\s{1,8}assert (?<x>.{1,200}?) == (?<y>.{1,200})$/,
  /\bAssertionError: (?<x>.{1,200}?) != (?<y>.{1,200}?)(?: : .{0,200})?$/,
  /^\s{0,30}(?<x>["'`[{<(].{0,200}?|\S{1,200}) !==? (?<y>\S.{0,200})$/,
  /\bexpected:? <?(?<y>.{1,200}?)>?,? but (?:was|got|the text was|found):? <?(?<x>[^>]{1,200}?)>?(?:\s{1,8}\([\w-]{1,60}\))?$/,
  /\bexpected (?<y>.{1,200}?), (?:got|found|actual) (?<x>.{1,200}?)(?: \(.{0,200}\))?$/i,
  /(?:^|[ =] ?)(?<x>\S{1,200}|\[.{1,200}\]), want (?<y>.{1,200}?)(?: \(.{0,200}\))?$/,
  /\bexpected (?<x>.{1,200}?) to (?:deeply |strictly )?(?:equal|be|match|eql) (?<y>.{1,200}?)(?: \/\/.{0,100})?$/,
  /\bFailed asserting that (?<x>.{1,200}?) (?:matches expected|is identical to|equals) (?<y>.{1,200})\.$/,
  /\bExpected (?<x>.{1,200}?) to (?:be|equal) (?!(?:equal|alike|the same)\b)(?<y>.{1,200})\.$/,
];

export function comparisonIn(message: readonly string[]): Pick<FailingItem, "expected" | "got"> {
  const first = (pattern: RegExp): string | undefined =>
    message.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
  const expected = first(EXPECTED);
  const got = first(GOT);
  if (expected !== undefined && got !== undefined) return comparison(expected, got);
  for (const line of message)
    for (const pattern of BOTH) {
      const { x, y } = pattern.exec(line)?.groups ?? {};
      if (x !== undefined && y !== undefined) return comparison(y, x);
    }
  return {};
}

/** A line of a printed object ends with a comma. */
const value = (text: string): string => cleanLine(text.replace(/,$/, ""), VALUE_CHARS);

const comparison = (
  expected: string,
  got: string,
): { readonly expected: string; readonly got: string } => ({
  expected: value(expected),
  got: value(got),
});

const PLACE =
  /(?:file:\/\/)?((?:[A-Za-z]:)?[\w@.~/\\-]{1,250}\.\w{1,10})(?::(\d{1,7})(?::(\d{1,7}))?|\((\d{1,7}),\s?(\d{1,7})\)|:\[(\d{1,7}),(\d{1,7})\]|",? line (\d{1,7})|:line (\d{1,7})| line (\d{1,7}))/;

/** Normalises any form of a position to `src/a.ts:3:4`. */
function placeIn(line: string): string | undefined {
  const [, file, ...numbers] = PLACE.exec(line) ?? [];
  if (file === undefined) return undefined;
  return [file, ...numbers.filter((one) => one !== undefined)].join(":");
}
