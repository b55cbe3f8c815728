/** Tells a message a program printed from one that somebody speaks about: an assertion, a diff, a test's line. */

const SPOKEN_ABOUT = /^\s{0,40}(?:expect|receiv|actual|assert|want)/i;
/** A diff, a code frame, quotes, a runner's marks and results. */
const MARKED =
  /^\s{0,40}(?:[-+|"'`✓✔✗✖×√●○]|> {1,5}\d{1,7} ?\||(?:not )?ok \d|--- [A-Z]|(?:FAIL|PASS|FAILED|PASSED)[ :])/;

export const isQuoted = (line: string): boolean => SPOKEN_ABOUT.test(line) || MARKED.test(line);
