/** What the pretend agent prints: `{"pretend": <what>, ...}` a line. */
import { evidenceOfText } from "../../../src/agents/output/error-text.ts";
import { EMPTY_READING, type OutputFormat } from "../../../src/agents/output/format.ts";
import { countOf, spent, textOf } from "../../../src/agents/output/json.ts";
import { completed, withFailure, withSession } from "../../../src/agents/output/output-state.ts";

export const pretendOutput: OutputFormat = {
  begins: (line) => line["pretend"] === "hello",
  createReader: () => (line) => {
    const text = textOf(line["text"]);
    switch (line["pretend"]) {
      case "hello":
        return {
          tells: (seen) =>
            withSession({ ...seen, version: textOf(line["version"]) }, textOf(line["session"])),
        };
      case "run":
        return { steps: [{ kind: "tool_call", tool: "shell", args: { command: text } }] };
      case "ran":
        return { steps: [{ kind: "tool_result", output: text }] };
      case "say":
        return { steps: [{ kind: "message", text }] };
      case "bye":
        return {
          steps: [{ kind: "turn_end", ...spent(countOf(line["tokens"])) }],
          tells: (seen) =>
            text === "" ? completed(seen) : withFailure(seen, evidenceOfText(text)),
        };
      default:
        return EMPTY_READING;
    }
  },
  finals: [],
  sessionGone: ["no such session"],
};
