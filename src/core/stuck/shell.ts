/**
 * What a shell command does, as far as its first words tell: waits, only looks, checks the work, or
 * may change something. Invariants: never runs or quotes anything; reads at most
 * 600 units; what it does not know may change something.
 */

export interface CommandFacts {
  /** Sleeps or waits on purpose. */
  readonly waits: boolean;
  /** Leaves the tree as it is. */
  readonly looksOnly: boolean;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const WAITERS = set("sleep wait watch");

const LOOKERS = set(
  "ls cat head tail grep egrep rg find fd wc pwd echo printf which type file stat du df ps env " +
    "date whoami id uname tree less more awk sort uniq cut diff cmp jq test true false cd sleep " +
    "wait nl tac column xxd od strings readlink realpath basename dirname printenv hostname",
);

const GIT_LOOKERS = set(
  "status diff log show ls-files rev-parse blame grep describe shortlog reflog cat-file ls-tree",
);

const CHECKERS = set(
  "pytest jest vitest mocha tsc eslint ruff mypy flake8 pylint tox rspec phpunit ctest clippy " +
    "prettier stylelint shellcheck playwright cypress",
);

/** Programs whose second word says whether they check the work. */
const RUNNERS = set(
  "npm pnpm yarn bun npx deno go cargo make mvn gradle gradlew dotnet python python3 node bundle " +
    "swift zig bazel composer rake just",
);

const CHECK_WORDS =
  /^(?:run[ -])?(?:test|tests|t|check|checks|lint|build|typecheck|types|e2e|vet|verify|ci)\b/;

/** Words before the program: settings, and programs that only start another. */
const BEFORE =
  /^(?:[A-Za-z_][A-Za-z0-9_]{0,40}=\S{0,200}|time|sudo|env|nice|timeout \S{1,8}|exec) /;

/** `bash -lc 'npm test'`: what another shell is to do. */
const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z|da)?sh -[a-z]{0,2}c (['"]?)/;

function unwrapped(command: string): string {
  const shell = command.includes("sh -") ? SHELL.exec(command) : null;
  if (shell === null) return command;
  const [{ length }, quote = ""] = shell;
  const end = quote !== "" && command.endsWith(quote) ? command.length - 1 : command.length;
  return command.slice(length, Math.max(length, end));
}

export interface PrintedPart {
  readonly path: string;
  /** Lines, as far as they can be told. */
  readonly range: readonly [number, number];
}

/** Commands that print a piece of one file, and no other. */
const PRINTS =
  /^(?:(?:cat(?: -n)?|nl -ba) ([^\s|;&<>*?$"'`]{1,300})(?: \| |$))?(?:sed -n ['"]?(\d{1,7}),(\d{1,7})p['"]?|head -(?:n ?)?(\d{1,7}))?(?: ([^\s|;&<>*?$"'`]{1,300}))?$/;

/** The file and the lines that `cat a`, `head -n 9 a`, `sed -n 1,9p a` or `nl -ba a | sed -n 1,9p` print. */
export function printedPart(command: string): PrintedPart | undefined {
  if (command.length > 400) return undefined;
  const found = PRINTS.exec(unwrapped(command).trim());
  if (found === null) return undefined;
  const [, whole, start, end, lines, part] = found;
  const path = whole ?? part;
  if (path === undefined || (whole !== undefined && part !== undefined)) return undefined;
  if (start !== undefined) return { path, range: [Number(start), Number(end)] };
  return { path, range: [0, lines === undefined ? 2000 : Number(lines)] };
}

const NO_FACTS: CommandFacts = { waits: false, looksOnly: false, checks: false };

export function readCommand(command: string): CommandFacts {
  const text = unwrapped(command.length > 600 ? command.slice(0, 600) : command);
  if (text.trim() === "") return { waits: true, looksOnly: true, checks: false };
  let waits = false;
  let looksOnly = command.length <= 600 && !redirects(text);
  let checks = false;
  for (const part of text.split(/&&|[;|\n]/)) {
    const segment = withoutStart(part.trim());
    if (segment === "") continue;
    const facts = readSegment(segment);
    waits ||= facts.waits;
    looksOnly &&= facts.looksOnly;
    checks ||= facts.checks;
  }
  return { waits, looksOnly, checks };
}

function withoutStart(segment: string): string {
  let rest = segment;
  for (let seen = 0; seen < 4; seen += 1) {
    const start = BEFORE.exec(rest);
    if (start === null) break;
    rest = rest.slice(start[0].length).trimStart();
  }
  return rest;
}

function readSegment(segment: string): CommandFacts {
  const space = segment.indexOf(" ");
  const first = space === -1 ? segment : segment.slice(0, space);
  const program = first.slice(first.lastIndexOf("/") + 1);
  const rest = space === -1 ? "" : segment.slice(space + 1).trimStart();
  if (program === "git") return { ...NO_FACTS, looksOnly: GIT_LOOKERS.has(gitWord(rest)) };
  if (program === "sed") return { ...NO_FACTS, looksOnly: !/(?:^|\s)-[a-zA-Z]{0,6}i/.test(rest) };
  if (LOOKERS.has(program))
    return {
      waits: WAITERS.has(program),
      looksOnly: !/ -(?:delete|exec)/.test(rest),
      checks: false,
    };
  if (CHECKERS.has(program)) return { ...NO_FACTS, checks: true };
  if (!RUNNERS.has(program)) return { ...NO_FACTS, waits: WAITERS.has(program) };
  const word = rest.replace(/^(?:-m|exec|run|--silent|-s) /, "");
  const checks = CHECK_WORDS.test(word) || CHECKERS.has(word.split(" ", 1)[0] ?? "");
  return { ...NO_FACTS, checks };
}

/** The word after git's own options. */
function gitWord(rest: string): string {
  const words = rest.split(/\s+/, 8);
  let at = 0;
  while (at < words.length && words[at]!.startsWith("-")) at += words[at] === "-C" ? 2 : 1;
  return words[at] ?? "";
}

/** A redirection into a file; into nothing or into another stream is none. */
const redirects = (text: string): boolean =>
  text.includes(">") && text.replace(/\d?>{1,2}\s?(?:&\d|\/dev\/null)/g, "").includes(">");

const LONGEST_PLAIN = 300;
/** Without any of these a command has one spelling only. */
const SEVERAL_SPELLINGS = /\s\s|[\t\n]| -[a-zA-Z]+(?: |$)| \.\/| 2>|\|\||^\s|\s$/;

/**
 * One spelling for a command: white space, the order of one-letter options, `./` and what only
 * joins or hides output do not count.
 */
export function plainCommand(command: string): string {
  if (command.length > LONGEST_PLAIN || !SEVERAL_SPELLINGS.test(command)) return command.trim();
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
