/**
 * pi in its rpc mode, so that it can be told something while it works. Translates, never decides. It has no gate
 * of its own: it may do whatever its user may, and the attempt's warnings say so.
 */
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import { fieldsOf, listOf } from "./transcripts/json.ts";
import type { Fields } from "./transcripts/json.ts";
import type { CommandLine, Reply, Talk, TypedAdapter } from "./typed-agent.ts";

export const piAdapter: TypedAdapter = {
  binary: "pi",
  report: REPORT_FORMATS.pi,
  turns: "counted",
  commandLine,
  talk,
};

const UNGATED = "pi has no permission gate: it runs commands without asking";

function commandLine({ model, thinking, session, permissions }: AgentRequest): CommandLine {
  return {
    args: [
      ...["--mode", "rpc"],
      ...(model === undefined ? [] : ["--model", model]),
      ...(thinking === true ? ["--thinking", "high"] : []),
      ...(session === undefined ? [] : ["--session", session]),
    ],
    ...(permissions === "full" ? {} : { warnings: [UNGATED] }),
  };
}

/** By the time this is answered, whatever it still wants to do has begun. */
const STILL_THERE: Reply = { say: [{ type: "get_state", id: "after" }] };

/** It stays until its input is closed. After a failed turn it may still compact and go on. */
function talk({ prompt }: AgentRequest): Talk {
  let goesOn = false;
  return {
    opening: [{ type: "get_state" }, { type: "prompt", message: prompt }],
    steer: (words) => [{ type: "steer", message: words }],
    hear(line) {
      switch (line["type"]) {
        case "agent_start":
        case "compaction_start":
        case "auto_retry_start":
          goesOn = true;
          return {};
        case "agent_end":
          goesOn = false;
          return endedWell(line) ? { over: true } : STILL_THERE;
        case "compaction_end":
        case "auto_retry_end":
          goesOn = line["willRetry"] === true || line["success"] === true;
          return goesOn ? {} : STILL_THERE;
        case "response":
          if (line["command"] === "prompt" && line["success"] === false) return { over: true };
          return { over: line["id"] === "after" && !goesOn };
        default:
          return {};
      }
    },
  };
}

function endedWell(line: Fields): boolean {
  const last = fieldsOf(listOf(line["messages"]).at(-1));
  return last["role"] === "assistant" && last["stopReason"] === "stop";
}
