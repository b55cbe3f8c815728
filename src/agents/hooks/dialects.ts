/** The hook dialects that several agents share: reading tool results and writing answers. */
import { fieldsOf, outputOf, textOf, type Fields } from "../output/json.ts";
import type { AfterTool, Dialect, HookAnswer, HookEvent } from "./hook-event.ts";
import { eventReader, type EventNames } from "./event-reader.ts";

/** `Exit code: 3`, `Exit Code: 3`, `Command exited with code 3`: a separate line that agents add around the output. */
const EXIT_LINE = /^(?:Exit [Cc]ode:?|(?:Process|Command) exited with code) (\d{1,3})$/;

const EDGE_LINES = 6;

/** A tool's result: text, blocks of text, or an object of the agent's own. */
export function toolResult(response: unknown): Pick<AfterTool, "output" | "exitCode"> {
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
  const code = edges.map((line) => EXIT_LINE.exec(line.trim())?.[1]).find(Boolean);
  return code === undefined ? undefined : Number(code);
}

/** For Claude Code and Qwen Code, which let a hook end the turn. */
export const claudeAnswer: Dialect["write"] = (event, answer) => ({
  ...(answer.kind === "end" ? { continue: false, stopReason: answer.words } : {}),
  ...codexAnswer(event, answer),
});

/** Codex discards an answer with any unknown field, and then runs the call: so no extra fields, and no end. */
export function codexAnswer({ name }: HookEvent, { kind, words }: HookAnswer): object {
  if (kind === "send-back") return { decision: "block", reason: words };
  const said =
    kind === "hint"
      ? { additionalContext: words }
      : { permissionDecision: "deny", permissionDecisionReason: words };
  return { hookSpecificOutput: { hookEventName: name, ...said } };
}

const OWN_NAMES: EventNames = {
  "before-tool": "before-tool",
  "after-tool": "after-tool",
  prompt: "prompt",
  "model-failure": "model-failure",
  stop: "stop",
  compaction: "compaction",
};

/** For agents whose hooks are code (OpenCode, pi): our plugin file passes on events and answers by their kind. */
export const pluginDialect: Dialect = {
  read: eventReader(OWN_NAMES, ({ failed, output, exit_code }) => {
    const result = toolResult({ output, exit_code });
    const isBad = failed === true || (result.exitCode ?? 0) !== 0;
    return { ...result, outcome: isBad ? "failed" : "ok" };
  }),
  write: (_event, { kind, words }) => ({ [kind]: words }),
};
