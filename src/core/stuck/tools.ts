/**
 * What a tool does by default: reads, searches, writes, runs commands, waits, checks the work. Derived from the names
 * that coding agents give their tools, and from words common in tool names; a user's config takes precedence.
 * Invariant: an unknown tool may change something.
 */
import type { StuckConfig, ToolKind } from "./config.ts";
import { hashNumber } from "../hash.ts";
import { wordSet, scriptOf } from "./command.ts";

export interface ToolFacts {
  readonly name: string;
  /** Equal for all names of the same tool. */
  readonly hash: number;
  readonly kind: ToolKind;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
  readonly poll: boolean;
  readonly exempt: boolean;
  readonly identity: ReadonlySet<string> | undefined;
  readonly ignore: ReadonlySet<string>;
}

const kindTable = (rows: readonly (readonly [kind: ToolKind, words: string])[]) =>
  rows.map(([kind, words]) => ({ kind, words: wordSet(words) }));

/** Whole names in lower case, without the prefix of an MCP server. */
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

/** Words within a longer name. The first matching row decides, so writing comes before reading. */
const NAME_PARTS = kindTable([
  ["delegate", "dispatch delegate subagent"],
  ["poll", "poll wait sleep output status"],
  ["write", "write edit patch replace create update delete insert apply move rename save"],
  ["shell", "bash shell exec execute terminal command"],
  ["search", "search grep find query lookup fetch"],
  ["read", "read view list get ls glob cat open show"],
]);

/** Different agents' names for the same tool. */
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

interface PrintedPart {
  readonly path: string;
  /** The line range, as far as it can be determined. */
  readonly range: readonly [number, number];
}

/** Commands that print part of one file, and nothing else. */
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
