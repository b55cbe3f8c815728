/**
 * The events of OpenCode's server, put into the lines of `opencode run --format json`, so that one reader reads
 * both. What other sessions do (its subagents) is no line, as there.
 */
import { fieldsOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";

const PARTS: ReadonlyMap<string, string> = new Map([
  ["step-start", "step_start"],
  ["step-finish", "step_finish"],
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool", "tool_use"],
]);

/** What it says of a turn that it was told to end. */
const ABORTED = "MessageAbortedError";

/** Nothing for an event that is no line. `at`: when it came. */
export function lineOf(event: Fields, sessionID: string, at: number): Fields | undefined {
  const about = fieldsOf(event["properties"]);
  const part = fieldsOf(about["part"]);
  if (textOf(about["sessionID"] ?? part["sessionID"]) !== sessionID) return undefined;
  const line = (type: string, more: Fields): Fields => ({
    type,
    timestamp: at,
    sessionID,
    ...more,
  });
  switch (event["type"]) {
    case "message.part.updated": {
      const type = PARTS.get(textOf(part["type"]));
      return type !== undefined && isOver(part) ? line(type, { part }) : undefined;
    }
    case "session.error": {
      const { error } = about;
      const none = error === undefined || fieldsOf(error)["name"] === ABORTED;
      return none ? undefined : line("error", { error });
    }
    case "session.compacted":
      return line("compaction", {});
    case "session.status": {
      const { type, ...retry } = fieldsOf(about["status"]);
      return type === "retry" ? line("retry", retry) : undefined;
    }
    case "permission.asked": {
      const { permission, patterns } = about;
      return line("permission", { permission, patterns });
    }
    default:
      return undefined;
  }
}

/** Parts come again with every change; what a user said is over without an end, or made up. */
function isOver({ type, state, time, synthetic }: Fields): boolean {
  if (synthetic === true) return false;
  if (type === "tool") return ["completed", "error"].includes(textOf(fieldsOf(state)["status"]));
  if (type === "text" || type === "reasoning") return fieldsOf(time)["end"] !== undefined;
  return true;
}
