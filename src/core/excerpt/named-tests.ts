/**
 * Tests that a runner names more than once, when they fail and again at the end, as one failure each. Invariant: what
 * says the most of a test is kept, under the title that says where it is.
 */
import type { Failure } from "./failures.ts";

const MARKS =
  /^(?:[✖✗✘✕×❌●⨯]|\d{1,6}\/\d{1,6} Test {1,4}#\d{1,6}:|not ok \d{1,7}(?: -)?|--- FAIL:|FAIL(?:ED)?:?|ERROR(?: (?:at (?:setup|teardown) of|collecting))?:?|\d{1,5}\)|\d{1,5} |test |thread|[-_=─━⎯]{2,})\s{0,4}/;
const ENDS =
  /(?:\s{0,4}(?:\([\d.]{1,12} ?m?s\)|\[[\d.]{1,12} ?m?s\]|[\d.]{1,12} ?ms|\(retry #\d{1,3}\)|\.{3} FAILED|stdout|:|[-_=─━⎯]{2,}|\([\w.]{1,200}\)| - .{1,300}))$/;
/** Marks before a name and times after it come in twos and threes. */
const AT_MOST = 4;

/** A title without marks and times. */
export function plainTitle(title: string): string {
  let plain = title;
  for (let times = 0; times < AT_MOST; times += 1)
    plain = plain.replace(MARKS, "").replace(ENDS, "").trim();
  return plain;
}

/** A test's own name, without the names of what it is in. */
export function nameOf(title: string): string {
  const name = plainTitle(title);
  return (
    name
      .split(/[ /]/.test(name) ? / › | > |::/ : / › | > |::|\./)
      .at(-1)
      ?.trim() ?? name
  );
}

/** Tests of one name in so many files are told apart; of more, some are told as one. */
const FILES_TOLD_APART = 20;

export function oneForEachTest(failures: readonly Failure[]): readonly Failure[] {
  const all: Failure[] = [];
  const named = new Map<string, number[]>();
  for (const failure of failures) {
    if (failure.title === undefined) {
      all.push(failure);
      continue;
    }
    const name = nameOf(failure.title);
    const known = named.get(name) ?? [];
    named.set(name, known);
    const like = (are: typeof isSameTest): number | undefined =>
      known.find((at) => all[at] !== undefined && are(all[at], failure));
    const enough = known.length < FILES_TOLD_APART ? undefined : known[0];
    const same = like(isSameTest) ?? like(mayBeSameTest) ?? enough;
    const before = same === undefined ? undefined : all[same];
    if (same === undefined || before === undefined) known.push(all.push(failure) - 1);
    else all[same] = merged(before, failure);
  }
  return all;
}

const TITLE_FILE =
  /(?:^|[\s(])((?:[\w@.~-]{1,100}\/){0,20}[\w@.~-]{1,100}\.[a-z]{1,5})(?=$|[\s:)\]])/;
const PLACE_FILE = /((?:[\w@.~-]{1,100}\/){0,20}[\w@.~-]{1,100}\.[a-z]{1,5})(?:[:(]\d|", line)/;

const titleFile = ({ title = "" }: Failure): string | undefined =>
  TITLE_FILE.exec(plainTitle(title))?.[1];
const placeFile = ({ places }: Failure): string | undefined =>
  PLACE_FILE.exec(places[0] ?? "")?.[1];

/** The file a test is in, where its title or its first place says so. */
export const fileOf = (failure: Failure): string | undefined =>
  titleFile(failure) ?? placeFile(failure);

/** Nothing says that the two are tests of two files. */
function isSameTest(a: Failure, b: Failure): boolean {
  const [one, other] = [fileOf(a), fileOf(b)];
  return one === undefined || other === undefined || one.endsWith(other) || other.endsWith(one);
}

/** One of them says its file, the other only where it failed, which may be a file that tests share. */
const mayBeSameTest = (a: Failure, b: Failure): boolean =>
  (titleFile(a) === undefined) !== (titleFile(b) === undefined);

const weight = ({ message, places, source }: Failure): number =>
  message.length * 2 + places.length + source.length / 2;

const saysWhere = (title = ""): boolean => title.length < 200 && /::|[\w-]\/[\w-]/.test(title);

function merged(a: Failure, b: Failure): Failure {
  const [more, less] = weight(b) > weight(a) ? [b, a] : [a, b];
  const title = saysWhere(less.title) && !saysWhere(more.title) ? less.title : more.title;
  const places = more.places.length > 0 ? more.places : less.places;
  return { ...more, ...(title === undefined ? {} : { title }), places };
}
