/**
 * OpenCode: `opencode run --format json`. Its steps carry the hash of the tree, which tells a loop from a check
 * after a change.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

export const createOpencodeReader = (): LineReader => (line) => {
  const part = fieldsOf(line["part"]);
  switch (line["type"]) {
    case "tool_use":
      return readTool(part);
    case "text":
      return [{ kind: "message", text: textOf(part["text"]) }];
    case "reasoning":
      return [{ kind: "message", text: textOf(part["text"]), channel: "thought" }];
    case "step_start":
      return worldOf(part);
    case "step_finish": {
      const tokens = countOf(fieldsOf(part["tokens"])["total"]);
      return [...worldOf(part), { kind: "turn_end", ...spent(tokens, countOf(part["cost"])) }];
    }
    case "compaction":
      return [{ kind: "compaction" }];
    case "error": {
      const error = fieldsOf(line["error"]);
      const data = fieldsOf(error["data"]);
      return [{ kind: "error", text: `${textOf(error["name"])} ${textOf(data["message"])}` }];
    }
    default:
      return [];
  }
};

function worldOf(part: Fields): Step[] {
  const tree = textOf(part["snapshot"]);
  return tree === "" ? [] : [{ kind: "world", tree }];
}

/** Call and result come in one line, when the tool has ended. */
function readTool(part: Fields): Step[] {
  const state = fieldsOf(part["state"]);
  const tool = textOf(part["tool"]) || "tool";
  const id = textOf(part["callID"]);
  const round = textOf(part["messageID"]);
  const failed = state["status"] === "error";
  const exit = countOf(fieldsOf(state["metadata"])["exit"]);
  return [
    { kind: "tool_call", tool, id, args: state["input"], ...(round === "" ? {} : { round }) },
    {
      kind: "tool_result",
      tool,
      id,
      output: failed ? textOf(state["error"]) : outputOf(state["output"]),
      isError: failed || exit > 0,
    },
  ];
}
