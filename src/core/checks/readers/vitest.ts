/**
 * Vitest: the ` FAIL  file > suite > test` lines of the report after all tests ran. What a test printed stands
 * before the report's headings and is not read.
 */

// ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 4 ⎯⎯⎯⎯⎯⎯⎯
const HEADING = /^\s?⎯{1,200} Failed (?:Tests|Suites) \d{1,7} ⎯{1,200}$/;
const NEXT_RUN = /^\s?RUN {2}v\d/;

export function* readVitest(lines: readonly string[]): Iterable<string> {
  let inReport = false;
  for (const line of lines) {
    if (HEADING.test(line)) inReport = true;
    else if (NEXT_RUN.test(line)) inReport = false;
    else if (inReport && line.startsWith(" FAIL  ")) yield withoutPlace(line.slice(7));
  }
}

/** A file that failed to load repeats its place: `broken.test.js [ broken.test.js ]`. */
function withoutPlace(name: string): string {
  return name.endsWith(" ]") && name.includes(" [ ")
    ? name.slice(0, name.lastIndexOf(" [ "))
    : name;
}
