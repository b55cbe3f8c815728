/** PHPUnit: numbered entries below `There was 1 failure:` or its like. */

const HEADING = /^There (?:was|were) \d{1,7} (?:failures?|errors?):$/;
const OTHER_HEADING = /^There (?:was|were) \d{1,7} /;
// 1) App\Tests\SumTest::testAdds with data set #2 (1, 2)
const ENTRY = /^\d{1,7}\) (\S.{0,800})$/;

export function* readPhpunit(lines: readonly string[]): Iterable<string> {
  let inList = false;
  for (const line of lines) {
    if (OTHER_HEADING.test(line)) inList = HEADING.test(line);
    const name = inList ? ENTRY.exec(line)?.[1] : undefined;
    if (name?.includes("::")) yield name;
  }
}
