/** Python's unittest: `FAIL: test (module.Class.test)` under a double rule. */

const RULE = /^={70}$/;
// FAIL: test_adds (test_sum.TestSum.test_adds)
const NAME = /^(?:FAIL|ERROR): (\S.{0,500})$/;
const SUMMARY = /^Ran \d{1,9} tests? in /;

export function* readUnittest(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => SUMMARY.test(line))) return;
  for (const [index, line] of lines.entries()) {
    const name = RULE.test(lines[index - 1] ?? "") ? NAME.exec(line)?.[1] : undefined;
    if (name !== undefined) yield name;
  }
}
