/** dotnet test: `  Failed Space.Class.Test [12 ms]`, if the run says it failed. */

// Failed!  - Failed:     1, Passed:     3      Test Run Failed.
const SUMMARY = /^(?:Failed! {1,4}- Failed: |Test Run Failed\.$)/;
const NAME = /^ {2}Failed (\S.{0,500}) \[(?:< )?\d{1,6}(?:[.,]\d{1,4})? ?m?s?(?: \d{1,6} m?s)?\]$/;

export function* readDotnet(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => SUMMARY.test(line))) return;
  for (const line of lines) {
    const name = NAME.exec(line)?.[1];
    if (name !== undefined) yield name;
  }
}
