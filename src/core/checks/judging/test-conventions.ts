/**
 * Recognises tests, snapshots and fixtures by the conventions of each ecosystem, from the path alone. Unit tests inside
 * a source file (Rust) cannot be detected this way. Invariants: linear patterns, one path at a time.
 */

/** Names that mark a test in any folder. */
const NAMES: readonly RegExp[] = [
  // a.test.ts, a-spec.js, a_test.go, b_spec.rb, a_test.exs, x.e2e.ts, login.cy.ts
  /[._-](?:test|tests|spec|specs|e2e|cy|bats)\.[A-Za-z0-9]{1,8}$/,
  /[._-](?:test|spec)-d\.[cm]?ts$/,
  /(?:^|\/)test_[^/]{1,200}\.(?:py|rb|c|cc|cpp|cxx|sh|bash|pl|R|ex|exs)$/,
  /(?:_unittest|_tests?)\.(?:c|cc|cpp|cxx|m|mm|erl)$/,
  /_SUITE\.erl$/,
  /[A-Za-z0-9](?:Tests?|IT|TestCase|Spec|Specs|Suite)\.(?:java|kt|kts|groovy|scala|cs|fs|vb|swift|php|hs|m)$/,
  /\.(?:bats|feature|phpt|snap|ambr|golden|t\.sol)$/,
  /(?:^|\/)x?t\/(?:[^/]{1,200}\/){0,6}[^/]{1,200}\.(?:t|pm|pl)$/,
  /\.(?:approved|verified|received)\.[a-z]{1,8}$/,
];

/** Names that mark a test only outside source folders; inside, they may be a command or module of that name. */
const NAMES_OUTSIDE: readonly RegExp[] = [
  /(?:^|\/)(?:test|tests)\.(?:[cm]?[jt]sx?|py|rb|sh|php|pl|lua|exs|jl|c|cc|cpp|go)$/,
  /(?:^|\/)test-[^/]{1,200}\.[cm]?[jt]sx?$/,
  /(?:^|\/)Test[A-Z][^/]{0,200}\.(?:java|kt|groovy)$/,
  /(?:^|\/)runtests\.jl$/,
];

/** Folders, at any depth, that hold tests and their files. */
const FOLDERS: readonly RegExp[] = [
  /(?:^|\/)(?:tests|__tests__|Tests|testsuite|e2e|cypress|androidTest|testFixtures|integration-tests|unit-tests)\//,
  /(?:^|\/)[^/]{0,100}(?:[-_.]tests|[a-z0-9.]Tests|\.Test|\.Specs)\//,
  /(?:^|\/)src\/(?:test|tests|spec|[a-z][A-Za-z0-9]{0,40}Test)\//,
];

/** The same, only outside source folders: elsewhere `test/` may be a package of testing helpers. */
const FOLDERS_OUTSIDE: readonly RegExp[] = [
  /(?:^|\/)test\//,
  /(?:^|\/)specs?\/(?:[^/]{1,200}\/){0,12}[^/]{1,200}\.(?:rb|[cm]?[jt]sx?|lua|clj[cs]?|exs|cr|coffee|php|hs|yml)$/,
];

/** Data that tests read or compare with. */
const DATA =
  /(?:^|\/)(?:fixtures|__fixtures__|testdata|test-data|test_data|__snapshots__|__image_snapshots__)\//;

/** `src/main` of a JVM project never holds tests. */
const NEVER = /(?:^|\/)src\/main\//;
/** A script that starts all tests is not a test by its name. */
const STARTER = /(?:^|\/)run[-_.]?(?:all[-_.]?)?tests?\.[a-z]{1,8}$/i;
/** Rust keeps `mod tests` in a file of that name. */
const RUST = /(?:^|\/)tests?\.rs$/;

/** Test data: nothing in it configures anything. */
export const isTestData = (path: string): boolean => DATA.test(path) && !NEVER.test(path);

const ANYWHERE = [...NAMES, RUST, ...FOLDERS, DATA];
const OUTSIDE = [...ANYWHERE, ...NAMES_OUTSIDE, ...FOLDERS_OUTSIDE];
const BY_NAME = new Set([...NAMES, ...NAMES_OUTSIDE]);

/** The index of the convention that makes the path a test, for comparison; undefined if there is none. */
export function testConvention(path: string, inSourceFolder: boolean): number | undefined {
  if (NEVER.test(path)) return undefined;
  const isStarter = STARTER.test(path);
  const at = (inSourceFolder ? ANYWHERE : OUTSIDE).findIndex(
    (pattern) => pattern.test(path) && !(isStarter && BY_NAME.has(pattern)),
  );
  return at < 0 ? undefined : at;
}
