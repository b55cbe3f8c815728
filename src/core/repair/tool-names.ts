/**
 * The four basic tools of the recovery chains, and the names agents use for theirs. Invariant: a bound step uses only a
 * tool the caller listed, with that tool's argument names.
 */
import { assert } from "../assert.ts";
import { operand, sh } from "./shell-script.ts";

export type BasicTool = "run_bash" | "read_file" | "read_dir" | "write_file";

type ArgValue = string | number | readonly string[];
export type Args = Readonly<Record<string, ArgValue>>;

interface AgentTool {
  readonly basic: BasicTool;
  /** Its argument names for the chains' `script`, `file`, `dir` and `content`. */
  readonly args: Readonly<Record<string, string>>;
  /** Additional required arguments. */
  readonly fixed?: Args;
  /** The agent has no separate reading tool, so files and folders are read through the shell. */
  readonly readsToo?: true;
}

const shell = (script: string): AgentTool => ({ basic: "run_bash", args: { script } });
const reader = (file: string): AgentTool => ({ basic: "read_file", args: { file } });
const lister = (dir: string): AgentTool => ({ basic: "read_dir", args: { dir } });
const writer = (file: string): AgentTool => ({ basic: "write_file", args: { file } });

/** In order of preference, for agents with two tools for the same job. */
const AGENT_TOOLS: ReadonlyMap<string, AgentTool> = new Map(
  Object.entries({
    run_bash: shell("script"),
    read_file: reader("file"),
    read_dir: lister("dir"),
    write_file: writer("file"),
    Bash: shell("command"),
    bash: shell("command"),
    run_shell_command: shell("command"),
    execute_command: shell("command"),
    execute_bash: shell("command"),
    run_terminal_cmd: shell("command"),
    shell: { ...shell("command"), readsToo: true },
    shell_command: { ...shell("command"), readsToo: true },
    local_shell: { ...shell("command"), readsToo: true },
    exec_command: { ...shell("cmd"), readsToo: true },
    Read: reader("file_path"),
    read: reader("filePath"),
    LS: lister("path"),
    list_directory: lister("path"),
    list_dir: lister("path"),
    list_files: lister("path"),
    list: lister("path"),
    Glob: { ...lister("path"), fixed: { pattern: "*" } },
    glob: { ...lister("path"), fixed: { pattern: "*" } },
    Write: writer("file_path"),
    write: writer("filePath"),
    create_file: writer("path"),
    write_to_file: writer("path"),
    Edit: writer("file_path"),
    edit: writer("filePath"),
    apply_patch: writer("path"),
  }),
);

interface Binding {
  readonly name: string;
  readonly tool: AgentTool;
}

export interface ToolBench {
  readonly names: readonly string[];
  readonly bindings: ReadonlyMap<BasicTool, Binding>;
}

const MAX_TOOLS = 500;

export function toolBench(given: readonly string[]): ToolBench {
  const names = [...new Set(given.filter((name) => name !== ""))].slice(0, MAX_TOOLS);
  const bindings = new Map<BasicTool, Binding>();
  for (const [known, tool] of AGENT_TOOLS) {
    const name = names.find((candidate) => plainName(candidate) === known);
    if (name !== undefined && !bindings.has(tool.basic)) bindings.set(tool.basic, { name, tool });
  }
  const shellBinding = bindings.get("run_bash");
  if (shellBinding?.tool.readsToo) {
    for (const basic of ["read_file", "read_dir"] as const)
      if (!bindings.has(basic)) bindings.set(basic, shellBinding);
  }
  return { names, bindings };
}

/** The basic tool that an agent's own tool corresponds to; undefined if the chains do not know it. */
export function basicToolOf(name: string): BasicTool | undefined {
  return AGENT_TOOLS.get(plainName(name))?.basic;
}

/** Translates a call of a basic tool into a call of the agent's own tool. */
export function bindCall(
  binding: Binding,
  basic: BasicTool,
  args: Args,
): { tool: string; args: Args } {
  const { name, tool } = binding;
  const meant = tool.basic === basic ? args : { script: readScript(basic, args) };
  const bound: Record<string, ArgValue> = { ...tool.fixed };
  for (const [key, value] of Object.entries(meant)) bound[tool.args[key] ?? key] = value;
  return { tool: name, args: bound };
}

function readScript(basic: BasicTool, { file, dir }: Args): string {
  const path = dir ?? file;
  assert(typeof path === "string", "reading names a path");
  return basic === "read_dir" ? sh`ls -la -- ${operand(path)}` : sh`cat -- ${operand(path)}`;
}

/** `mcp__files__read_file` is a `read_file`. */
const plainName = (name: string): string => name.split("__").at(-1) ?? name;
