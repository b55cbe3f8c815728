/**
 * Merges failures that a runner reports more than once (when they occur and again at the end) into one per test.
 * Invariant: the most informative report of a test is kept, with the title that shows its location.
 */
import type { Failure } from "./failures.ts";

const MARKS =
  /^(?:[✖✗✘✕×❌●⨯]|\d{1,6}\/\d{1,6} Test {1,4}#\d{1,6}:|not ok \d{1,7}(?: -)?|--- FAIL:|FAIL(?:ED)?:?|ERROR(?: (?:at (?:setup|teardown) of|collecting))?:?|\d{1,5}\)|\d{1,5} |test |thread|[-_=─━⎯]{2,})\s{0,4}/;
const ENDS =
  /(?:\s{0,4}(?:\([\d.]{1,12} ?m?s\)|\[[\d.]{1,12} ?m?s\]|[\d.]{1,12} ?ms|\(retry #\d{1,3}\)|\.{3} FAILED|FAILED {1,80}\[ {0,2}\d{1,3}%\]|stdout|:|[-_=─━⎯]{2,}|\([\w.]{1,200}\)| - .{1,300}))$/;
/** Two or three marks may precede a name, and as many times follow it. */
const AT_MOST = 4;

/** A title without marks and times. */
export function plainTitle(title: string): string {
  let plain = title;
  for (let times = 0; times < AT_MOST; times += 1) {
    const before = plain;
    plain = plain.replace(MARKS, "").replace(ENDS, "").trim();
    if (plain === before) break;
  }
  return plain;
}

/** A test's own name, without the names of enclosing suites. */
export function nameOf(title: string): string {
  const name = plainTitle(title);
  return (
    name
      .split(/[ /]/.test(name) ? / › | > |::/ : / › | > |::|\./)
      .at(-1)
      ?.trim() ?? name
  );
}

/** Tests with the same name are kept apart in up to this many files; beyond that, some are merged. */
const FILES_TOLD_APART = 20;

export function mergedByTest(failures: readonly Failure[]): readonly Failure[] {
  const all: Failure[] = [];
  const named = new Map<string, Place[]>();
  for (const failure of failures) {
    if (failure.title === undefined) {
      all.push(failure);
      continue;
    }
    const name = nameOf(failure.title);
    const known = named.get(name) ?? [];
    named.set(name, known);
    const own = placeOf(failure, all.length);
    const same =
      known.find((other) => isSameTest(other, own)) ??
      known.find((other) => (other.titleFile === undefined) !== (own.titleFile === undefined)) ??
      (known.length < FILES_TOLD_APART ? undefined : known[0]);
    const before = same === undefined ? undefined : all[same.at];
    if (same === undefined || before === undefined) {
      all.push(failure);
      known.push(own);
      continue;
    }
    const both = merged(before, failure);
    all[same.at] = both;
    Object.assign(same, placeOf(both, same.at));
  }
  return all;
}

/** A test's location, and its index in the list. */
interface Place {
  readonly at: number;
  readonly titleFile: string | undefined;
  /** If the title names no file, the first position may, although several tests can share that file. */
  readonly file: string | undefined;
}

function placeOf(failure: Failure, at: number): Place {
  const found = titleFile(failure);
  return { at, titleFile: found, file: found ?? placeFile(failure) };
}

const TITLE_FILE =
  /(?:^|[\s(])((?:[\w@.~-]{1,100}\/){0,20}[\w@.~-]{1,100}\.[a-z]{1,5})(?=$|[\s:)\]])/;
const PLACE_FILE =
  /(?<![\w@.~/-])(?:file:\/\/)?\/?((?:[\w@.~-]{1,100}\/){0,20}[\w@.~-]{1,100}\.[a-z]{1,5})(?:[:(]\d|", line)/;

const titleFile = ({ title = "" }: Failure): string | undefined =>
  title.includes(".") ? TITLE_FILE.exec(plainTitle(title))?.[1] : undefined;
const placeFile = ({ places }: Failure): string | undefined =>
  PLACE_FILE.exec(places[0] ?? "")?.[1];

/** The file of a test, if its title or first position shows it. */
export const fileOf = (failure: Failure): string | undefined =>
  titleFile(failure) ?? placeFile(failure);

/** Whether nothing shows that the two tests are in different files. */
function isSameTest({ file: one }: Place, { file: other }: Place): boolean {
  if (one === undefined || other === undefined || one === other) return true;
  return one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

const weight = ({ message, places, source }: Failure): number =>
  message.length * 2 + places.length + source.length / 2;

/** A line of progress says where as well, but reads worse. */
const saysWhere = (title = ""): boolean =>
  title.length < 200 && !title.endsWith("%]") && /::|[\w-]\/[\w-]/.test(title);

function merged(a: Failure, b: Failure): Failure {
  const [more, less] = weight(b) > weight(a) ? [b, a] : [a, b];
  const title = saysWhere(less.title) && !saysWhere(more.title) ? less.title : more.title;
  const places = more.places.length > 0 ? more.places : less.places;
  return { ...more, ...(title === undefined ? {} : { title }), places };
}
