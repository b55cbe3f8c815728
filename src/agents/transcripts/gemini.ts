/**
 * Gemini CLI: `--output-format stream-json`. Failed commands are reported as a success with the output only; the
 * detector reads them by what they say.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

export const createGeminiReader = (): LineReader => (line) => {
  switch (line["type"]) {
    case "message":
      return readMessage(line);
    case "tool_use":
      return [
        {
          kind: "tool_call",
          id: textOf(line["tool_id"]),
          tool: textOf(line["tool_name"]) || "tool",
          args: line["parameters"],
        },
      ];
    case "tool_result":
      return [readResult(line)];
    case "error": {
      const text = textOf(line["message"]);
      return [{ kind: /^Loop detected/.test(text) ? "loop_report" : "error", text }];
    }
    case "result":
      return readEnd(line);
    default:
      return [];
  }
};

function readMessage(line: Fields): Step[] {
  if (line["role"] === "user") return [{ kind: "user_message" }];
  const text = textOf(line["content"]);
  return [{ kind: "message", text, ...(line["delta"] === true ? { partial: true } : {}) }];
}

function readResult(line: Fields): Step {
  const output = outputOf(line["output"]);
  const message = textOf(fieldsOf(line["error"])["message"]);
  const isError = line["status"] === "error" || /^Exit Code: [1-9]/m.test(output.slice(-2000));
  return {
    kind: "tool_result",
    id: textOf(line["tool_id"]),
    output: output === "" ? message : output,
    isError,
  };
}

function readEnd(line: Fields): Step[] {
  const end: Step = {
    kind: "turn_end",
    ...spent(countOf(fieldsOf(line["stats"])["total_tokens"])),
  };
  if (line["status"] !== "error") return [end];
  return [{ kind: "error", text: textOf(fieldsOf(line["error"])["message"]) }, end];
}
