/** What the payloads of all agents have in common. */
import type { Fields } from "../output/json.ts";
import { textOf } from "../output/json.ts";

export interface EventPlace {
  readonly name: string;
  readonly session: string;
  readonly cwd: string;
  readonly runId?: string;
}

export function placeOf(payload: Fields): EventPlace {
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
