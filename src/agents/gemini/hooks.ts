/**
 * Gemini CLI's hooks. A shell command that failed is a success to it: the exit code stands in the text for the
 * model.
 */
import type { Fields } from "../output/json.ts";
import { fieldsOf, outputOf, textOf } from "../output/json.ts";
import type { Dialect, HookAnswer, HookEvent } from "../hooks/hook-event.ts";
import { callOf, placeOf, toolResult } from "../hooks/payload.ts";
import { join } from "node:path";
import type { AgentHooks } from "../agent.ts";
import { commandEntries, SHORT_S, STOP_S } from "../hooks/settings/hook-target.ts";

/** Not PreCompress: it comes before every request, whether anything is left out or not. */
const EVENTS = {
  BeforeTool: SHORT_S,
  AfterTool: SHORT_S,
  BeforeAgent: SHORT_S,
  AfterAgent: STOP_S,
};
const MS_PER_SECOND = 1000;

const dialect: Dialect = {
  read(payload) {
    const place = placeOf(payload);
    switch (place.name) {
      case "BeforeTool":
        return { kind: "before-tool", ...place, ...callOf(payload) };
      case "AfterTool":
        return { kind: "after-tool", ...place, ...callOf(payload), ...resultOf(payload) };
      case "BeforeAgent":
        return { kind: "prompt", ...place, text: textOf(payload["prompt"]) };
      case "AfterAgent":
        return { kind: "stop", ...place };
      default:
        return undefined;
    }
  },
  write: ({ name }: HookEvent, { kind, words }: HookAnswer) =>
    kind === "hint"
      ? { hookSpecificOutput: { hookEventName: name, additionalContext: words } }
      : { decision: "deny", reason: words },
};

export const geminiHooks: AgentHooks = {
  dialect,
  tools: ["run_shell_command", "read_file", "write_file", "list_directory"],
  target: ({ project, cwd, home }) => ({
    form: "json",
    file: join(project ? cwd : home, ".gemini", "settings.json"),
    entries: commandEntries("gemini", EVENTS, MS_PER_SECOND),
  }),
};

/** What Gemini CLI writes around a command's output; the process group is another one each time. */
const FRAME = /^(?:<\/?untrusted_context>|Process Group PGID: \d{1,10})\n?/gm;

function resultOf(payload: Fields) {
  const response = payload["tool_response"];
  const { output: whole, exitCode } = toolResult(response);
  const output = whole.replace(FRAME, "");
  const { error } = fieldsOf(response);
  const failed = (exitCode ?? 0) !== 0 || (error !== undefined && error !== null);
  const said = outputOf(fieldsOf(error)["message"]);
  return {
    output: said === "" || output.includes(said) ? output : `${output}\n${said}`,
    outcome: failed ? ("failed" as const) : ("ok" as const),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
