/**
 * pi in its rpc mode, so that it accepts messages while it works. It has no permission gate: it may do whatever its
 * user may, and the attempt's warnings say so.
 */
import { join } from "node:path";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine, Conversation, Reply } from "../agent.ts";
import { pluginDialect } from "../hooks/dialects.ts";
import { pluginHead } from "../hooks/event-reader.ts";
import { settingsFolder } from "../hooks/hook-target.ts";
import { fieldsOf, listOf, type Fields } from "../output/json.ts";
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
    account: "at the provider of its model",
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
  hooks: {
    dialect: pluginDialect,
    tools: ["bash", "read", "write", "edit"],
    calls: {
      ...{ bash: ["command"], read: ["path"], write: ["path", "content"] },
      ...{ edit: ["path"], grep: ["pattern"], find: ["pattern"], ls: [] },
    },
    target(place) {
      const folder = settingsFolder(place, "PI_CODING_AGENT_DIR", ".pi", "agent");
      return { form: "plugin", file: join(folder, "extensions", "unstuck.ts"), text: EXTENSION };
    },
  },
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

/** By the time this is answered, anything it still intends to do has started. */
const STILL_THERE: Reply = { send: [{ type: "get_state", id: "after" }] };

/** It runs until its input is closed. After a failed turn it may still compact and continue. */
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

const EXTENSION = `${pluginHead("pi")}
export default function (pi) {
  if (process.env.UNSTUCK_RUN) return;
  const event = (name, ctx, more) => ({
    hook_event_name: name,
    session_id: ctx?.sessionManager?.getSessionId?.() ?? String(process.pid),
    cwd: ctx?.cwd ?? process.cwd(),
    ...more,
  });
  const call = ({ toolName, input, toolCallId }) => ({
    tool_name: toolName,
    tool_input: input,
    tool_use_id: toolCallId,
  });
  pi.on("input", async ({ text }, ctx) => {
    await ask(event("prompt", ctx, { text }));
  });
  pi.on("tool_call", async (about, ctx) => {
    const { refuse, end } = await ask(event("before-tool", ctx, call(about)));
    if (typeof end === "string") ctx?.abort?.();
    const reason = end ?? refuse;
    return typeof reason === "string" ? { block: true, reason } : undefined;
  });
  pi.on("tool_result", async (about, ctx) => {
    const result = { output: about.content, failed: about.isError === true };
    const { hint } = await ask(event("after-tool", ctx, { ...call(about), ...result }));
    if (typeof hint !== "string") return undefined;
    return { content: [...(about.content ?? []), { type: "text", text: hint }] };
  });
  pi.on("session_compact", async (_about, ctx) => {
    await ask(event("compaction", ctx));
  });
  let busy = false;
  let judging = false;
  let ending = false;
  for (const signal of ["SIGTERM", "SIGHUP"]) process.once(signal, () => (ending = true));
  /** True: the agent was sent back to work. */
  const judge = async (messages, ctx) => {
    const last = (messages ?? []).filter(({ role }) => role === "assistant").at(-1);
    if (last?.stopReason === "aborted") return false;
    if (last?.stopReason === "error") {
      await ask(event("model-failure", ctx, { type: "", text: last.errorMessage }));
      return false;
    }
    const text = (await ask(event("stop", ctx), 600_000))["send-back"];
    if (typeof text !== "string" || ending) return false;
    pi.sendUserMessage(text, { deliverAs: "followUp" });
    return true;
  };
  pi.on("agent_start", () => {
    busy = true;
  });
  pi.on("agent_end", async ({ messages }, ctx) => {
    judging = true;
    busy = await judge(messages, ctx);
    judging = false;
  });
  // Without a screen pi ends with the model's answer: the checks, and what follows from them, come first.
  pi.on("session_shutdown", async (_about, ctx) => {
    for (let idle = 0; busy && !ending && ctx?.hasUI === false && idle < 50; idle += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (judging || ctx.isIdle?.() === false) idle = 0;
    }
  });
}
`;
