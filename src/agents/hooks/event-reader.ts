/**
 * Reads the events that an agent passes to its hooks, by the agent's own names. Invariants: never throws on JSON values
 * (except nesting deeper than the stack); an exit code is read only where the agent itself puts it, never from the
 * tool's own output.
 */
import { textOf, type Fields } from "../output/json.ts";
import type { AfterTool, Dialect, HookEvent } from "./hook-event.ts";

export type EventNames = Readonly<Record<string, HookEvent["kind"]>>;

type Outcome = Pick<AfterTool, "output" | "outcome" | "exitCode">;

/** `outcomeOf`: the outcome in the payload of a finished tool call. */
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

/**
 * The beginning of every plugin file, with `ask`, which passes an event to the hook and returns its answer. If anything
 * fails in such a file, or `unstuck` is missing, the agent continues as without it; inside a run it does nothing.
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
