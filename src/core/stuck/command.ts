/**
 * What a shell command does, judged by its first words: looks, waits, checks the work, starts something. Invariants:
 * reads at most 600 UTF-16 units; an unknown command may change something.
 */
import { shellCommands } from "../shell/commands.ts";
import { programOf } from "../shell/variables.ts";

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

interface CommandFacts {
  /** Sleeps or waits on purpose. */
  readonly waits: boolean;
  /** Leaves the tree as it is. */
  readonly looksOnly: boolean;
  /** Known to change files. */
  readonly changes: boolean;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
}

const WAITERS = wordSet("sleep wait watch");

const LOOKERS = wordSet(
  "ls cat head tail grep egrep rg find fd wc pwd echo printf which type file stat du df ps env " +
    "date whoami id uname tree less more awk sort uniq cut diff cmp jq test true false cd sleep " +
    "wait nl tac column xxd od strings readlink realpath basename dirname printenv hostname",
);

const CHANGERS = wordSet(
  "mv cp rm mkdir rmdir touch tee patch ln chmod chown install unzip tar rsync truncate dd apt apt-get brew pip pip3 uv",
);

/** Subcommands of package runners that change the tree. */
const INSTALLS =
  /^(?:install|i|ci|add|remove|uninstall|update|upgrade|get|mod|init|generate|fmt|format)\b/;

const GIT_LOOKERS = wordSet(
  "status diff log show ls-files rev-parse blame grep describe shortlog reflog cat-file ls-tree",
);

const CHECKERS = wordSet(
  "pytest jest vitest mocha tsc eslint ruff mypy flake8 pylint tox rspec phpunit ctest clippy " +
    "prettier stylelint shellcheck playwright cypress",
);

/** Programs whose second word says whether they check the work. */
const RUNNERS = wordSet(
  "npm pnpm yarn bun npx deno go cargo make mvn gradle gradlew dotnet python python3 node bundle " +
    "swift zig bazel composer rake just",
);

const CHECK_WORDS =
  /^(?:run[ -])?(?:test|tests|t|check|checks|lint|build|typecheck|types|e2e|vet|verify|ci)\b/;

/** Words that only start another program. */
const STARTERS = wordSet("sudo nice timeout time exec env");

const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z|da)?sh -[a-z]{0,2}c (['"]?)/;

/** The script inside `bash -lc 'npm test'`; without quotes if the command was joined from a list. */
export function scriptOf(command: string): string {
  const [start = "", quote = ""] = SHELL.exec(command) ?? [];
  const end = quote !== "" && command.endsWith(quote) ? -1 : command.length;
  return start === "" ? command : command.slice(start.length, end);
}

const NO_FACTS: CommandFacts = { waits: false, looksOnly: false, changes: false, checks: false };

export function readCommand(command: string): CommandFacts {
  const text = scriptOf(command.length > 600 ? command.slice(0, 600) : command);
  if (text.trim() === "") return { ...NO_FACTS, waits: true, looksOnly: true };
  const all = shellCommands(text).map(({ words, writes }) => {
    const facts = programFacts(programOf(words).words);
    return writes ? { ...facts, looksOnly: false, changes: true } : facts;
  });
  return {
    waits: all.some(({ waits }) => waits),
    looksOnly: command.length <= 600 && all.every(({ looksOnly }) => looksOnly),
    changes: all.some(({ changes }) => changes),
    checks: all.some(({ checks }) => checks),
  };
}

function programFacts([first, ...rest]: readonly string[]): CommandFacts {
  if (first === undefined) return { ...NO_FACTS, looksOnly: true };
  const program = first.slice(first.lastIndexOf("/") + 1);
  const started = rest.slice(program === "timeout" ? 1 : 0);
  if (STARTERS.has(program) && started.length > 0) return programFacts(programOf(started).words);
  if (program === "git") {
    const looksOnly = GIT_LOOKERS.has(gitWord(rest));
    return { ...NO_FACTS, looksOnly, changes: !looksOnly };
  }
  if (program === "sed") {
    const changes = rest.some((word) => /^-[a-zA-Z]{0,6}i/.test(word));
    return { ...NO_FACTS, looksOnly: !changes, changes };
  }
  if (CHANGERS.has(program)) return { ...NO_FACTS, changes: true };
  if (LOOKERS.has(program))
    return {
      ...NO_FACTS,
      waits: WAITERS.has(program),
      looksOnly: !rest.some((word) => /^-(?:delete|exec)/.test(word)),
    };
  if (CHECKERS.has(program)) return { ...NO_FACTS, checks: true };
  if (!RUNNERS.has(program)) return { ...NO_FACTS, waits: WAITERS.has(program) };
  const task = rest.join(" ").replace(/^(?:-m|exec|run|--silent|-s) /, "");
  const checks = CHECK_WORDS.test(task) || CHECKERS.has(task.split(" ", 1)[0] ?? "");
  return { ...NO_FACTS, checks, changes: INSTALLS.test(task) };
}

/** The subcommand, after git's own options. */
function gitWord(words: readonly string[]): string {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += words[at] === "-C" ? 2 : 1;
  return words[at] ?? "";
}

/** A command without any of these can be spelled only one way. */
const SEVERAL_SPELLINGS = /\s\s|[\t\n]| -[a-zA-Z]+(?: |$)| \.\/| 2>|\|\||^\s|\s$/;

/** Normalises a command: white space, the order of one-letter options, `./` and hidden output do not count. */
export function plainCommand(command: string): string {
  if (command.length > 300 || !SEVERAL_SPELLINGS.test(command)) return command.trim();
  const plain = command
    .replace(/\s+/g, " ")
    .replace(/ (?:2>&1|\|\| ?true|2> ?\/dev\/null)(?= |$)/g, "")
    .trim();
  if (/[|;&"'`$<>\\]/.test(plain)) return plain;
  const words = plain.split(" ");
  const options = words.filter((word) => /^-[a-zA-Z]+$/.test(word));
  const letters = [...new Set(options.join("").replaceAll("-", ""))].sort().join("");
  const others = words.filter((word) => !options.includes(word));
  const rest = others.map((word) => word.replace(/^\.\//, "")).join(" ");
  return letters === "" ? rest : `${rest} -${letters}`;
}
