/**
 * What a tool or a shell command does before anyone says so: reads, searches, writes, runs commands, waits, checks the
 * work. By the names that coding agents give their tools and the words tools are usually named with (a person's config
 * wins), and by the first words of a command. Invariants: reads at most 600 units of a command; what it does not know
 * may change something.
 */
import type { StuckConfig, Threshold, ToolKind } from "./config.ts";
import { hashNumber } from "../hash.ts";
import { shellCommands } from "../shell/commands.ts";
import { programOf } from "../shell/variables.ts";

export interface ToolFacts {
  readonly name: string;
  /** The same for the names one tool goes by. */
  readonly hash: number;
  readonly kind: ToolKind;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
  readonly poll: boolean;
  readonly exempt: boolean;
  readonly identity: ReadonlySet<string> | undefined;
  readonly ignore: ReadonlySet<string>;
  readonly sameCall: Threshold | undefined;
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const kindTable = (rows: readonly (readonly [kind: ToolKind, words: string])[]) =>
  rows.map(([kind, words]) => ({ kind, words: wordSet(words) }));

/** Whole names, small letters, without the prefix of an MCP server. */
const KNOWN = kindTable([
  ["read", "read view cat ls list glob tree notebookread read_many_files list_dir view_image"],
  ["read", "todoread listmcpresources readmcpresource get_goal task_list tasklist taskget"],
  ["search", "grep rg find search websearch webfetch codesearch google_web_search toolsearch"],
  ["write", "edit write multiedit notebookedit replace patch file_change str_replace_editor"],
  ["write", "insert_content save_memory"],
  ["shell", "bash shell exec run terminal execute local_shell ipython powershell unified_exec"],
  ["shell", "command_execution container"],
  ["delegate", "task agent subagent spawn_agent run_agent call_omo_agent"],
  ["plan", "todowrite todo_write write_todos update_plan todo_list set_plan"],
  ["poll", "bashoutput taskoutput wait wait_agent sleep monitor schedulewakeup"],
]);

/** Words of a longer name; the first row with one of them decides: writing before reading. */
const NAME_PARTS = kindTable([
  ["delegate", "dispatch delegate subagent"],
  ["poll", "poll wait sleep output status"],
  ["write", "write edit patch replace create update delete insert apply move rename save"],
  ["shell", "bash shell exec execute terminal command"],
  ["search", "search grep find query lookup fetch"],
  ["read", "read view list get ls glob cat open show"],
]);

/** Names agents use for one and the same tool. */
const ALIASES = [
  "read readfile view",
  "write writefile writetofile createfile",
  "edit editfile replace strreplace replaceinfile",
  "bash shell runshellcommand executecommand localshell exec terminal",
  "grep searchfilecontent grepsearch ripgrep",
  "ls list listdirectory listdir listfiles",
  "webfetch fetchurl",
  "task agent",
  "websearch googlewebsearch",
].map((family) => family.split(" "));

function canonical(tool: string): string {
  const plain = tool
    .slice(0, 100)
    .toLowerCase()
    .replace(/[_\- ]/g, "");
  return ALIASES.find((family) => family.includes(plain))?.[0] ?? tool;
}

export function factsOf(tool: string, config: StuckConfig): ToolFacts {
  const own = Object.hasOwn(config.tools, tool) ? config.tools[tool] : undefined;
  const kind = own?.kind ?? kindOf(tool);
  return {
    name: tool,
    hash: hashNumber(canonical(tool)),
    kind,
    checks: /(?:^|[^a-z])(?:tests?|build|lint|check|verify|compile)(?:$|[^a-z])/i.test(tool),
    poll: own?.poll ?? kind === "poll",
    exempt: own?.exempt ?? false,
    identity: own?.identity === undefined ? undefined : new Set(own.identity),
    ignore: new Set(own?.ignore ?? []),
    sameCall: own?.same_call,
  };
}

function kindOf(tool: string): ToolKind {
  const name = tool.slice(0, 100);
  const last = name.slice(name.lastIndexOf("__") + 1).replace(/^_/, "");
  const words = last
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const row =
    KNOWN.find((known) => known.words.has(last.toLowerCase())) ??
    NAME_PARTS.find((known) => words.some((word) => known.words.has(word)));
  return row?.kind ?? "other";
}

interface CommandFacts {
  /** Sleeps or waits on purpose. */
  readonly waits: boolean;
  /** Leaves the tree as it is. */
  readonly looksOnly: boolean;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
}

const WAITERS = wordSet("sleep wait watch");

const LOOKERS = wordSet(
  "ls cat head tail grep egrep rg find fd wc pwd echo printf which type file stat du df ps env " +
    "date whoami id uname tree less more awk sort uniq cut diff cmp jq test true false cd sleep " +
    "wait nl tac column xxd od strings readlink realpath basename dirname printenv hostname",
);

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

/** `bash -lc 'npm test'`: what another shell is to do, in quotes or, joined from a list, without. */
function scriptOf(command: string): string {
  const [start = "", quote = ""] = SHELL.exec(command) ?? [];
  const end = quote !== "" && command.endsWith(quote) ? -1 : command.length;
  return start === "" ? command : command.slice(start.length, end);
}

interface PrintedPart {
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
  const found = PRINTS.exec(scriptOf(command).trim());
  if (found === null) return undefined;
  const [, whole, start, end, lines, part] = found;
  const path = whole ?? part;
  if (path === undefined || (whole !== undefined && part !== undefined)) return undefined;
  if (start !== undefined) return { path, range: [Number(start), Number(end)] };
  return { path, range: [0, lines === undefined ? 2000 : Number(lines)] };
}

const NO_FACTS: CommandFacts = { waits: false, looksOnly: false, checks: false };

export function readCommand(command: string): CommandFacts {
  const text = scriptOf(command.length > 600 ? command.slice(0, 600) : command);
  if (text.trim() === "") return { waits: true, looksOnly: true, checks: false };
  const all = shellCommands(text).map(({ words, writes }) => {
    const facts = programFacts(programOf(words).words);
    return writes ? { ...facts, looksOnly: false } : facts;
  });
  return {
    waits: all.some(({ waits }) => waits),
    looksOnly: command.length <= 600 && all.every(({ looksOnly }) => looksOnly),
    checks: all.some(({ checks }) => checks),
  };
}

function programFacts([first, ...rest]: readonly string[]): CommandFacts {
  if (first === undefined) return { ...NO_FACTS, looksOnly: true };
  const program = first.slice(first.lastIndexOf("/") + 1);
  const started = rest.slice(program === "timeout" ? 1 : 0);
  if (STARTERS.has(program) && started.length > 0) return programFacts(programOf(started).words);
  if (program === "git") return { ...NO_FACTS, looksOnly: GIT_LOOKERS.has(gitWord(rest)) };
  if (program === "sed")
    return { ...NO_FACTS, looksOnly: !rest.some((word) => /^-[a-zA-Z]{0,6}i/.test(word)) };
  if (LOOKERS.has(program))
    return {
      waits: WAITERS.has(program),
      looksOnly: !rest.some((word) => /^-(?:delete|exec)/.test(word)),
      checks: false,
    };
  if (CHECKERS.has(program)) return { ...NO_FACTS, checks: true };
  if (!RUNNERS.has(program)) return { ...NO_FACTS, waits: WAITERS.has(program) };
  const task = rest.join(" ").replace(/^(?:-m|exec|run|--silent|-s) /, "");
  const checks = CHECK_WORDS.test(task) || CHECKERS.has(task.split(" ", 1)[0] ?? "");
  return { ...NO_FACTS, checks };
}

/** The word after git's own options. */
function gitWord(words: readonly string[]): string {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += words[at] === "-C" ? 2 : 1;
  return words[at] ?? "";
}

const LONGEST_PLAIN = 300;
/** Without any of these a command has one spelling only. */
const SEVERAL_SPELLINGS = /\s\s|[\t\n]| -[a-zA-Z]+(?: |$)| \.\/| 2>|\|\||^\s|\s$/;

/** One spelling for a command: white space, the order of one-letter options, `./` and hidden output do not count. */
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
