/**
 * Scripts that checks run: their language, whether they judge the work or are the work (`node app.js | grep hello` runs
 * the program under test, `node scripts/check.js` judges it), and which files and commands they name. Invariants:
 * linear time; never throws; runs nothing.
 */
import { shellCommands as readShell, type ShellCommand } from "../../shell/commands.ts";
import { programOf, UNKNOWN } from "../../shell/variables.ts";
import { commandLeads } from "./command-leads.ts";
import type { Lead } from "./leads.ts";
import { HARMLESS, isKnown, programName, TEST_RUNNERS } from "./programs.ts";
import { joinPath, nameOf } from "./trees.ts";

type Language = "shell" | "javascript" | "python" | "program" | "unknown";

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
/** Names that judge when the file is run, but may be part of the work when it is imported. */
const RUN_NAME = word(
  "run|verify|verification|lint|testing|coverage|validate|gulpfile|gruntfile|jakefile",
);

/** The file's folder or name says that it is there to judge. */
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

/** Whether a file that is run judges the work. `direct`: the check itself names it, so it may be the work. */
export function judges(path: string, text: string | undefined, direct: boolean): boolean {
  if (looksJudging(path) || RUN_NAME.test(nameOf(path))) return true;
  const language = languageOf(path, text);
  if (!direct && language === "shell") return true;
  return JUDGING_TEXT[language].test(text?.slice(0, 64_000) ?? "");
}

const TEXT_MAX = 256_000;
const STRINGS_MAX = 4000;
const STRING = /(["'`])([^"'`\n\\]{1,300})\1/g;
const PYTHON_IMPORT = /^[ \t]{0,20}(?:from|import)[ \t]{1,3}\.{0,3}([A-Za-z_][\w.]{0,100})/gm;
const RUBY_IMPORT = /\brequire_relative[ (]{1,2}["']([^"'\n]{1,200})["']/g;
/** What may separate the words of one command: `spawn("bash", ["ci/test.sh"])`. */
const BETWEEN = /^[\s,[\]()]{0,40}$/;

export function programLeads(text: string, isPython: boolean): readonly Lead[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const leads: Lead[] = [];
  for (const [, word] of source.matchAll(RUBY_IMPORT))
    leads.push({ kind: "import", word: `./${word!}` });
  if (isPython)
    for (const [, module] of source.matchAll(PYTHON_IMPORT)) {
      const [first = ""] = module!.split(".", 1);
      if (TEST_RUNNERS.has(first)) leads.push({ kind: "tool", name: first });
      else leads.push({ kind: "import", word: module! });
    }
  const strings = [...source.matchAll(STRING)].slice(0, STRINGS_MAX);
  for (let at = 0; at < strings.length; at += 1) {
    const value = strings[at]![2]!;
    if (isProgram(value)) {
      const words = [value];
      while (
        at + 1 < strings.length &&
        words.length < 40 &&
        follows(source, strings[at]!, strings[at + 1]!)
      )
        words.push(strings[(at += 1)]![2]!);
      leads.push(...commandLeads(words));
    } else leads.push(...stringLeads(value));
  }
  return leads;
}

const isProgram = (value: string): boolean =>
  value.length < 40 && isKnown(programName(value)) && !value.startsWith("./");

const follows = (source: string, one: RegExpExecArray, next: RegExpExecArray): boolean =>
  next.index - one.index - one[0].length <= 40 &&
  BETWEEN.test(source.slice(one.index + one[0].length, next.index));

function stringLeads(value: string): readonly Lead[] {
  if (value === "node:test") return [{ kind: "tool", name: "node-test" }];
  const space = value.indexOf(" ");
  if (space > 0) {
    const first = value.slice(0, space);
    const isCommand = isProgram(first) || HARMLESS.has(first) || /^\.\/|\.sh$/.test(first);
    return isCommand ? [{ kind: "shell", text: value }] : [];
  }
  if (value.startsWith("/")) return [{ kind: "import", word: `.${value}` }];
  const isFile =
    /^\.{1,2}\//.test(value) ||
    /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,12}$/.test(value) ||
    /^[\w-]{1,100}\.(?:sh|bash|[cm]?[jt]s|py|rb|php|pl)$/.test(value);
  return isFile ? [{ kind: "import", word: value }] : [];
}

const LEADS_NOWHERE = new Set("for case select function [[ [ echo printf cd pushd".split(" "));
/** Variables that hold options of a program. */
const OPTIONS_OF: ReadonlyMap<string, string> = new Map([
  ["NODE_OPTIONS", "node"],
  ["PYTEST_ADDOPTS", "pytest"],
  ["MOCHA_OPTS", "mocha"],
]);

/**
 * The commands in shell text that may lead to judging files. Words that only a shell could evaluate become UNKNOWN. A
 * folder starts with UNKNOWN if the script changes into a folder that it works out itself.
 */
export const shellCommands = (
  text: string,
  folder: string,
): readonly Pick<ShellCommand, "words" | "folder">[] =>
  readShell(text, { folder, moved }).flatMap((command) => {
    const { assigned, words } = programOf(command.words);
    const options = assigned.flatMap(([name, value]) => {
      const program = OPTIONS_OF.get(name);
      return program === undefined ? [] : [[program, ...value.split(/\s+/)]];
    });
    const leads = words.length > 0 && !LEADS_NOWHERE.has(words[0]!) ? [...options, words] : options;
    return leads.map((each) => ({ words: each, folder: command.folder }));
  });

function moved(folder: string, target: string): string {
  if (target.startsWith(UNKNOWN)) return target;
  if (folder.startsWith(UNKNOWN)) return `${folder}/${target}`;
  return joinPath(folder, target) ?? UNKNOWN;
}
