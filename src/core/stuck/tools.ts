/**
 * What the detector knows of a tool before it is told: whether it reads, searches, writes, runs commands or polls.
 * By the names that coding agents give their tools, and by the words tools are usually named with; a person's
 * config wins.
 */
import type { StuckConfig, Threshold, ToolKind } from "./config.ts";
import { hashNumber } from "../hash.ts";

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

const names = (text: string): readonly string[] => text.split(" ");

/** Whole names, small letters, without the prefix of an MCP server. */
const KNOWN: ReadonlyMap<string, ToolKind> = new Map(
  (
    [
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
    ] as const
  ).flatMap(([kind, words]) => names(words).map((name) => [name, kind] as const)),
);

/** Words of a longer name, the first that is found decides; writing before reading. */
const WORDS: ReadonlyMap<string, ToolKind> = new Map(
  (
    [
      ["delegate", "dispatch delegate subagent"],
      ["poll", "poll wait sleep output status"],
      ["write", "write edit patch replace create update delete insert apply move rename save"],
      ["shell", "bash shell exec execute terminal command"],
      ["search", "search grep find query lookup fetch"],
      ["read", "read view list get ls glob cat open show"],
    ] as const
  ).flatMap(([kind, words]) => names(words).map((name) => [name, kind] as const)),
);

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
].map(names);

function canonical(tool: string): string {
  const plain = tool
    .slice(0, 100)
    .toLowerCase()
    .replace(/[_\- ]/g, "");
  return ALIASES.find((family) => family.includes(plain))?.[0] ?? tool;
}

const RANK: readonly ToolKind[] = ["delegate", "poll", "write", "shell", "search", "read"];

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
  const known = KNOWN.get(last.toLowerCase());
  if (known !== undefined) return known;
  const words = last
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const found = new Set(words.map((word) => WORDS.get(word)));
  return RANK.find((kind) => found.has(kind)) ?? "other";
}
