/**
 * go test: `--- FAIL: TestName/sub (0.00s)` lines, joined with the package line that ends them. Tests that fail
 * only because of their subtests are left out; a package without named tests (it did not build, or it panicked) is
 * an item itself.
 */

// FAIL	example.com/app/sum	0.004s      FAIL	example.com/app/sum [build failed]
const PACKAGE = /^FAIL\t(\S{1,500})(?:[ \t].{0,200})?$/;
const OTHER_PACKAGE = /^(?:ok {2}|\?   )\t\S/;
const TEST = /^ {0,40}--- FAIL: (\S{1,800}) \(\d{1,9}(?:\.\d{1,9})?s\)$/;

export function* readGoTest(lines: readonly string[]): Iterable<string> {
  let tests: string[] = [];
  for (const line of lines) {
    const test = TEST.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    const name = PACKAGE.exec(line)?.[1];
    if (name !== undefined) {
      const parents = new Set(tests.flatMap(parentsOf));
      const leaves = tests.filter((candidate) => !parents.has(candidate));
      yield* leaves.length > 0 ? leaves.map((leaf) => `${name} ${leaf}`) : [name];
    }
    if (name !== undefined || OTHER_PACKAGE.test(line)) tests = [];
  }
}

/** `A/b/c` has the parents `A` and `A/b`. */
function parentsOf(test: string): readonly string[] {
  const parts = test.split("/").slice(0, 20);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
