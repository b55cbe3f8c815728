/**
 * The call of an agent's own shell tool: each agent declares it under another name with other arguments.
 * Imports dialect types. Invariant: every argument that the tool's schema requires is there.
 */
import type { DeclaredTool, ToolCall } from "./dialect.ts";
import { fields, list, words } from "./json.ts";

const SHELL_TOOLS = ["Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command"];
/** Codex can take calls as a small program. */
const PROGRAM_TOOL = "exec";

export function shellTool(tools: readonly DeclaredTool[]): DeclaredTool | undefined {
  return (
    tools.find(({ name }) => SHELL_TOOLS.includes(name)) ??
    tools.find(({ name, freeText }) => name === PROGRAM_TOOL && freeText === true)
  );
}

export function shellCall(tool: DeclaredTool, command: string): ToolCall {
  if (tool.freeText === true) {
    const program = `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} });`;
    return { tool, args: {}, input: `${program} text(JSON.stringify(r));` };
  }
  const properties = fields(tool.schema["properties"]);
  const args: Record<string, unknown> = {};
  for (const name of list(tool.schema["required"]).map(words))
    args[name] = filler(words(fields(properties[name])["type"]));
  for (const name of ["command", "cmd"])
    if (name in properties)
      args[name] =
        fields(properties[name])["type"] === "array" ? ["bash", "-lc", command] : command;
  return { tool, args };
}

function filler(type: string): unknown {
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 0;
  if (type === "array") return [];
  return type === "object" ? {} : "a step of the script";
}
