/**
 * How agents' hooks speak: a reader of payloads from an agent's names of its events, and the dialects that several
 * agents share. Invariants: never throws on what JSON can hold (but for nesting deeper than the stack); an exit code is
 * read only from where the agent itself puts it, never from what the tool printed in between.
 */
import { fieldsOf, outputOf, textOf, type Fields } from "../output/json.ts";
import type { AfterTool, Dialect, HookAnswer, HookEvent } from "./hook-event.ts";

export type EventNames = Readonly<Record<string, HookEvent["kind"]>>;

type Outcome = Pick<AfterTool, "output" | "outcome" | "exitCode">;

/** `outcomeOf`: what a payload says of a tool that has ended. */
export function eventReader(
  names: EventNames,
  outcomeOf: (payload: Fields) => Outcome,
): Dialect["read"] {
  return (payload) => {
    const name = textOf(payload["hook_event_name"]);
    const runId = textOf(payload["agent_id"]);
    const kind = Object.hasOwn(names, name) ? names[name] : undefined;
    const origin = {
      name,
      session: textOf(payload["session_id"]),
      cwd: textOf(payload["cwd"]),
      ...(runId === "" ? {} : { runId }),
    };
    switch (kind) {
      case "before-tool":
        return { kind, ...origin, ...callOf(payload) };
      case "after-tool":
        return { kind, ...origin, ...callOf(payload), ...outcomeOf(payload) };
      case "prompt":
        return { kind, ...origin, text: textOf(payload["prompt"] ?? payload["text"]) };
      case "model-failure": {
        const { error, type, error_details, last_assistant_message, text } = payload;
        const words = [error_details, last_assistant_message, text].map(textOf);
        const said = words.filter((word) => word !== "").join("\n");
        return { kind, ...origin, type: textOf(error ?? type), text: said };
      }
      case "stop":
      case "compaction":
        return { kind, ...origin };
      case undefined:
        return undefined;
    }
  };
}

function callOf(payload: Fields): { tool: string; args: unknown; id?: string } {
  const id = textOf(payload["tool_use_id"]);
  return {
    tool: textOf(payload["tool_name"]) || "tool",
    args: payload["tool_input"],
    ...(id === "" ? {} : { id }),
  };
}

/** `Exit code: 3`, `Exit Code: 3`, `Command exited with code 3`: a line by itself, as agents write it around the output. */
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

/** For Claude Code, Codex and Qwen Code. Codex drops an answer for one field it does not know: no more than needed. */
export function claudeAnswer({ name }: HookEvent, { kind, words }: HookAnswer): object {
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

/** For agents whose hooks are code (OpenCode, pi): our plugin file passes events on and answers back by their kind. */
export const pluginDialect: Dialect = {
  read: eventReader(OWN_NAMES, ({ failed, output, exit_code }) => {
    const result = toolResult({ output, exit_code });
    const isBad = failed === true || (result.exitCode ?? 0) !== 0;
    return { ...result, outcome: isBad ? "failed" : "ok" };
  }),
  write: (_event, { kind, words }) => ({ [kind]: words }),
};

/**
 * How every plugin file begins: with `ask`, which gives an event to the hook and brings its answer. Whatever goes wrong
 * in such a file, or if `unstuck` is gone, the agent goes on as if it was not there; below a run it does nothing.
 */
export const pluginHead = (agent: string): string => `\
// Added by: unstuck hook install ${agent}. Remove with: unstuck hook uninstall ${agent}.
import { spawn } from "node:child_process";

const ask = (payload, limitMs = 10_000) =>
  new Promise((resolve) => {
    try {
      const child = spawn("unstuck", ["hook", "${agent}"], { stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => child.kill(), limitMs);
      let text = "";
      child.stdout.on("data", (chunk) => (text += chunk));
      child.stdin.on("error", () => {});
      child.on("error", () => (clearTimeout(timer), resolve({})));
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(text) ?? {});
        } catch {
          resolve({});
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      resolve({});
    }
  });
`;
