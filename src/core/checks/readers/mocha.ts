/**
 * Mocha: the numbered list after `N failing`; each entry is the suites and, ending in a colon, the test. The
 * numbers printed while tests run stand before that line.
 */

const FAILING = /^ {2}\d{1,7} failing$/;
const PASSING = /^ {2}\d{1,7} passing\b/;
const ENTRY = /^ {2}\d{1,7}\) (.{1,500})$/;
const DEEPER = /^ {7,60}(\S.{0,500})$/;
const DEEPEST = 25;

export function* readMocha(lines: readonly string[]): Iterable<string> {
  let inList = false;
  let path: readonly string[] = [];
  for (const line of lines) {
    if (PASSING.test(line)) inList = false;
    else if (FAILING.test(line)) inList = true;
    if (!inList) continue;
    const entry = ENTRY.exec(line)?.[1];
    const deeper = path.length > 0 && path.length < DEEPEST ? DEEPER.exec(line)?.[1] : undefined;
    path = entry !== undefined ? [entry] : deeper !== undefined ? [...path, deeper] : [];
    if (!path.at(-1)?.endsWith(":")) continue;
    yield path.join(" > ").slice(0, -1);
    path = [];
  }
}
