/**
 * pi in its rpc mode, so that it can be told something while it works. It has no gate of its own: it may do
 * whatever its user may, and the attempt's warnings say so.
 */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine, Conversation, Reply } from "../agent.ts";
import { fieldsOf, listOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import { piHooks } from "./hooks.ts";
import { piOutput } from "./output.ts";

export const pi: AgentDescriptor = {
  name: "pi",
  profile: {
    title: "pi",
    binary: "pi",
    versionArgs: ["--version"],
    tested: { from: "0.73.0", below: "0.80.0" },
    install: "npm install -g @mariozechner/pi-coding-agent",
    login: "pi",
    keyVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    loginFiles: [".pi/agent/auth.json"],
    features: [
      "typed-output",
      "reports-cost",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "hooks",
    ],
  },
  output: piOutput,
  driver: { turns: "counted", commandLine, converse },
  hooks: piHooks,
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
const STILL_THERE: Reply = { send: [{ type: "get_state", id: "after" }] };

/** It stays until its input is closed. After a failed turn it may still compact and go on. */
function converse({ prompt }: AgentRequest): Conversation {
  let goesOn = false;
  return {
    opening: [{ type: "get_state" }, { type: "prompt", message: prompt }],
    steer: (text) => [{ type: "steer", message: text }],
    onLine(line) {
      switch (line["type"]) {
        case "agent_start":
        case "compaction_start":
        case "auto_retry_start":
          goesOn = true;
          return {};
        case "agent_end":
          goesOn = false;
          return endedWell(line) ? { hangUp: true } : STILL_THERE;
        case "compaction_end":
        case "auto_retry_end":
          goesOn = line["willRetry"] === true || line["success"] === true;
          return goesOn ? {} : STILL_THERE;
        case "response":
          if (line["command"] === "prompt" && line["success"] === false) return { hangUp: true };
          return { hangUp: line["id"] === "after" && !goesOn };
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
