/**
 * Tests that a runner names more than once, when they fail and again at the end, as one failure each. Invariant: what
 * says the most of a test is kept, under the title that says where it is.
 */
import type { Failure } from "./failures.ts";

const MARKS =
  /^(?:[✖✗✘✕×❌●⨯]|not ok \d{1,7}(?: -)?|--- FAIL:|FAIL(?:ED)?:?|ERROR(?: (?:at (?:setup|teardown) of|collecting))?:?|\d{1,5}\)|\d{1,5} |test |thread|[-_=─━⎯]{2,})\s{0,4}/;
const ENDS =
  /(?:\s{0,4}(?:\([\d.]{1,12} ?m?s\)|\[[\d.]{1,12} ?m?s\]|[\d.]{1,12} ?ms|\(retry #\d{1,3}\)|\.{3} FAILED|stdout|:|[-_=─━⎯]{2,}|\([\w.]{1,200}\)| - .{1,300}))$/;
/** Marks before a name and times after it come in twos and threes. */
const AT_MOST = 4;

/** A test's own name, without marks, times and the names of what it is in. */
export function nameOf(title: string): string {
  let name = title;
  for (let times = 0; times < AT_MOST; times += 1)
    name = name.replace(MARKS, "").replace(ENDS, "").trim();
  return (
    name
      .split(/[ /]/.test(name) ? / › | > |::/ : / › | > |::|\./)
      .at(-1)
      ?.trim() ?? name
  );
}

export function oneForEachTest(failures: readonly Failure[]): readonly Failure[] {
  const named = new Map<string, Failure>();
  for (const [index, failure] of failures.entries()) {
    const name = failure.title === undefined ? `line ${index}` : `test ${nameOf(failure.title)}`;
    const known = named.get(name);
    named.set(name, known === undefined ? failure : merged(known, failure));
  }
  return [...named.values()];
}

const weight = ({ message, places, source }: Failure): number =>
  message.length * 2 + places.length + source.length / 2;

const saysWhere = (title = ""): boolean => title.length < 200 && /::|[\w-]\/[\w-]/.test(title);

function merged(a: Failure, b: Failure): Failure {
  const [more, less] = weight(b) > weight(a) ? [b, a] : [a, b];
  const title = saysWhere(less.title) && !saysWhere(more.title) ? less.title : more.title;
  const places = more.places.length > 0 ? more.places : less.places;
  return { ...more, ...(title === undefined ? {} : { title }), places };
}
