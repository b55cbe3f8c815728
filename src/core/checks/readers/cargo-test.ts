/**
 * cargo test: the plain list of names between `failures:` and `test result: FAILED`. The same word also opens the
 * section with each test's output, which is told apart because it has other lines than indented names.
 */

const NAME = /^ {4}(\S.{0,500})$/;
// src/lib.rs - doc (line 12)
const DOC_LINE = / \(line \d{1,7}\)$/;

export function* readCargoTest(lines: readonly string[]): Iterable<string> {
  let names: string[] | undefined;
  for (const line of lines) {
    if (line === "failures:") names = [];
    else if (names !== undefined && line.startsWith("test result: FAILED.")) {
      yield* names;
      names = undefined;
    } else if (names !== undefined && line !== "") {
      const name = NAME.exec(line)?.[1];
      if (name === undefined) names = undefined;
      else names.push(name.replace(DOC_LINE, ""));
    }
  }
}
