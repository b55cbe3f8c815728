/**
 * What a file that checks run is written in, and whether it judges the work or is the work: `node app.js | grep
 * hello` runs the program that is worked on, `node scripts/check.js` judges it. Invariants: linear patterns; only
 * the beginning of a text is looked at.
 */
import { nameOf } from "./tree-paths.ts";

export type Language = "shell" | "javascript" | "python" | "program" | "unknown";

const ENDINGS: readonly (readonly [RegExp, Language])[] = [
  [/\.(?:sh|bash|zsh|ksh|bats|command)$/, "shell"],
  [/\.[cm]?[jt]sx?$/, "javascript"],
  [/\.pyw?$/, "python"],
  [/\.(?:rb|php|pl|lua|jl|exs?|go|R|groovy|kts|ps1|rake)$/, "program"],
];
const SHEBANGS: readonly (readonly [RegExp, Language])[] = [
  [/^#![^\n]{0,80}\b(?:ba|z|da|k|a)?sh\b/, "shell"],
  [/^#![^\n]{0,80}\b(?:node|deno|bun|tsx|ts-node)\b/, "javascript"],
  [/^#![^\n]{0,80}\bpython/, "python"],
  [/^#!/, "program"],
];

export function languageOf(path: string, text: string | undefined): Language {
  const byName = ENDINGS.find(([ending]) => ending.test(path));
  if (byName !== undefined) return byName[1];
  return SHEBANGS.find(([start]) => start.test(text?.slice(0, 120) ?? ""))?.[1] ?? "unknown";
}

const JUDGING_FOLDER =
  /(?:^|\/)(?:scripts?|ci|\.ci|\.github|\.circleci|\.gitlab|\.buildkite|tools?|tooling|hack|devtools|checks?|e2e|tests?)\//;
const word = (words: string): RegExp => new RegExp(`(?:^|[._-])(?:${words})(?=$|[._-])`, "i");
const JUDGING_NAME = word(
  "tests?|specs?|checks?|checker|ci|e2e|smoke|suite|runner|runtests?|harness|selftest",
);
/** Names that judge where the file is run, and may be the work where it is imported. */
const RUN_NAME = word(
  "run|verify|verification|lint|testing|coverage|validate|gulpfile|gruntfile|jakefile",
);

/** By its place or name the file is there to judge. */
export const looksJudging = (path: string): boolean =>
  JUDGING_FOLDER.test(path) || JUDGING_NAME.test(nameOf(path));

const JUDGING_TEXT: Readonly<Record<Language, RegExp>> = {
  shell:
    /\bexit [1-9]|\bgrep -\w{0,6}q|\b(?:diff|cmp) |\b(?:npm|npx|pnpm|yarn|pytest|jest|mocha|vitest|cargo|make|rspec|phpunit|tox|node --test|go test|ctest)\b|^\s{0,20}(?:test|\[) /m,
  javascript: /["'](?:node:)?(?:assert|test)(?:\/strict)?["']|\bdescribe\(|\bexpect\(/,
  python: /\b(?:unittest|pytest|doctest)\b|^def test_/m,
  program: /\b(?:minitest|rspec|phpunit|assert_equal|Test::More|assertEquals)\b/i,
  unknown: /^/,
};

/** Whether a file that is run judges; `direct`: the check itself names it, so a plain program may be the work. */
export function judges(path: string, text: string | undefined, direct: boolean): boolean {
  if (looksJudging(path) || RUN_NAME.test(nameOf(path))) return true;
  const language = languageOf(path, text);
  if (!direct && language === "shell") return true;
  return JUDGING_TEXT[language].test(text?.slice(0, 64_000) ?? "");
}
