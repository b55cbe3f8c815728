/**
 * Calls of an agent's own tools for the shell and for files: each agent declares them under other names and
 * arguments. Invariant: every argument that the tool's schema requires is there.
 */
import type { DeclaredTool, Fields, ToolCall } from "./provider-api.ts";
import { fields, list, stringOf } from "./provider-api.ts";

const SHELL_TOOLS = ["Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command"];
const WRITE_TOOLS = ["Write", "write", "write_file"];
/** Codex can take calls as a small program. */
const PROGRAM_TOOL = "exec";

const shellTool = (tools: readonly DeclaredTool[]): DeclaredTool | undefined =>
  tools.find(({ name }) => SHELL_TOOLS.includes(name)) ??
  tools.find(({ name, freeText }) => name === PROGRAM_TOOL && freeText === true);

const writeTool = (tools: readonly DeclaredTool[]): DeclaredTool | undefined =>
  tools.find(({ name }) => WRITE_TOOLS.includes(name));

/** False for title makers and the like. */
export const canWork = (tools: readonly DeclaredTool[]): boolean =>
  (shellTool(tools) ?? writeTool(tools)) !== undefined;

export function shellCall(tools: readonly DeclaredTool[], command: string): ToolCall | undefined {
  const tool = shellTool(tools);
  if (tool === undefined) return undefined;
  if (tool.freeText === true) {
    const program = `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} });`;
    return { tool, args: {}, input: `${program} text(JSON.stringify(r));` };
  }
  return { tool, args: filled(tool, { command, cmd: command }) };
}

export function writeCall(
  tools: readonly DeclaredTool[],
  path: string,
  text: string,
): ToolCall | undefined {
  const tool = writeTool(tools);
  if (tool !== undefined)
    return { tool, args: filled(tool, { file_path: path, filePath: path, path, content: text }) };
  const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
  return shellCall(tools, `printf %s ${quoted(text)} > ${quoted(path)}`);
}

/** The values that the tool's schema knows, and something for the rest of what it requires. */
function filled(tool: DeclaredTool, values: Fields): Fields {
  const properties = fields(tool.schema["properties"]);
  const args: Record<string, unknown> = {};
  for (const name of list(tool.schema["required"]).map(stringOf))
    args[name] = filler(stringOf(fields(properties[name])["type"]));
  for (const [name, value] of Object.entries(values)) if (name in properties) args[name] = value;
  return args;
}

function filler(type: string): unknown {
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 0;
  if (type === "array") return [];
  return type === "object" ? {} : "a step of the script";
}
