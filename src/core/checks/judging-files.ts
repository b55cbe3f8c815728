/**
 * Which files judge the work: tests, and what the checks themselves run. A change to one is shown, because it can make a check
 * pass without the work being done (U13). Imports nothing. Patterns are linear and look at one path at a time.
 */

const TEST_FILES = [
  /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|testdata|fixtures)\//,
  /(?:^|\/)(?:test_[^/]{0,200}|conftest)\.py$/,
  /[._-](?:test|spec|tests)\.[A-Za-z0-9]{1,8}$/,
  /[A-Za-z0-9]Tests?\.(?:java|kt|cs|swift|scala)$/,
];

/** Where the usual runners keep what they run and how. */
const RUNNERS: readonly (readonly [runner: RegExp, files: RegExp])[] = [
  [
    /^(?:npm|npx|pnpm|yarn|bun|node|vitest|jest)$/,
    /(?:^|\/)(?:package\.json|(?:vitest|jest|playwright|mocha)\.config\.[cm]?[jt]s|\.mocharc\.[a-z]{1,5})$/,
  ],
  [/^(?:make|gmake)$/, /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$/],
  [
    /^(?:pytest|tox|python3?|poetry|uv)$/,
    /(?:^|\/)(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml)$/,
  ],
  [/^just$/, /(?:^|\/)\.?[Jj]ustfile$/],
];

export function judgingFiles(checks: readonly string[]): (path: string) => boolean {
  const words = checks.flatMap((check) => check.split(/[\s;&|()<>"'=]/));
  const named = new Set(words.map((word) => word.replace(/^\.\//, "")));
  const runners = RUNNERS.filter(([runner]) => words.some((word) => runner.test(word)));
  return (path) =>
    TEST_FILES.some((pattern) => pattern.test(path)) ||
    named.has(path) ||
    runners.some(([, files]) => files.test(path));
}
