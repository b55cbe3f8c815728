/**
 * node:test, spec reporter: the list after `✖ failing tests:`. The marks a running test prints stand before that
 * line and are not read.
 */

// test at test/sum.test.js:3:3
const PLACE = /^test at (.{1,1000}):\d{1,7}:\d{1,7}$/;
// ✖ adds two numbers (1.5ms)
const NAME = /^✖ (.{1,1500}) \(\d{1,9}(?:\.\d{1,9})?ms\)(?: #.{0,200})?$/;

export function* readNodeTest(lines: readonly string[]): Iterable<string> {
  let place: string | undefined;
  let inList = false;
  for (const line of lines) {
    if (line === "✖ failing tests:") inList = true;
    if (!inList) continue;
    const name = place === undefined ? undefined : NAME.exec(line)?.[1];
    if (name !== undefined) yield name === place ? name : `${place} > ${name}`;
    place = PLACE.exec(line)?.[1];
  }
}
