/**
 * What the payloads of all agents have in common: whose event it is, the tool's call, and its result as text,
 * blocks of text, or an object of the agent's own. Invariants: never throws on what JSON can hold (but for nesting
 * deeper than the stack); an exit code is read only from where the agent itself puts it, never from what the tool
 * printed in between.
 */
import type { Fields } from "../output/json.ts";
import { fieldsOf, outputOf, textOf } from "../output/json.ts";
import type { EventOrigin } from "./hook-event.ts";

export function placeOf(payload: Fields): EventOrigin {
  const runId = textOf(payload["agent_id"]);
  return {
    name: textOf(payload["hook_event_name"]),
    session: textOf(payload["session_id"]),
    cwd: textOf(payload["cwd"]),
    ...(runId === "" ? {} : { runId }),
  };
}

export function callOf(payload: Fields): { tool: string; args: unknown; id?: string } {
  const id = textOf(payload["tool_use_id"]);
  return {
    tool: textOf(payload["tool_name"]) || "tool",
    args: payload["tool_input"],
    ...(id === "" ? {} : { id }),
  };
}

interface ToolResult {
  readonly output: string;
  readonly exitCode?: number;
}

/** `Exit code: 3`, `Exit Code: 3`, `Command exited with code 3`: a line by itself, as agents write it around the output. */
const EXIT_LINE = /^(?:Exit [Cc]ode:?|(?:Process|Command) exited with code) (\d{1,3})$/;
const EDGE_LINES = 6;

export function toolResult(response: unknown): ToolResult {
  const fields = fieldsOf(response);
  const output = textOfResponse(response, fields);
  const exitCode = statedCode(fields) ?? codeAtEdge(output);
  return { output, ...(exitCode === undefined ? {} : { exitCode }) };
}

function textOfResponse(response: unknown, fields: Fields): string {
  const { stdout, stderr } = fields;
  if (typeof stdout === "string" || typeof stderr === "string")
    return [textOf(stdout), textOf(stderr)].filter((text) => text !== "").join("\n");
  for (const name of ["llmContent", "output", "content", "error"])
    if (fields[name] !== undefined) return outputOf(fields[name]);
  return outputOf(response);
}

function statedCode(fields: Fields): number | undefined {
  const metadata = fieldsOf(fields["metadata"]);
  return [fields["exit_code"], fields["exitCode"], metadata["exit_code"], metadata["exit"]].find(
    (code): code is number => typeof code === "number" && Number.isInteger(code),
  );
}

function codeAtEdge(output: string): number | undefined {
  const lines = (output.slice(0, 600) + "\n" + output.slice(-600)).split("\n");
  const edges = [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
  for (const line of edges) {
    const code = EXIT_LINE.exec(line.trim())?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}
