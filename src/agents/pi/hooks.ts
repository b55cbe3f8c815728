/** pi's hooks: an extension of ours, in the shapes of `plugin-dialect.ts`. */
import { join } from "node:path";
import type { AgentHooks } from "../agent.ts";
import { pluginDialect, pluginHead } from "../hooks/plugin-dialect.ts";
import { userFolder } from "../hooks/settings/hook-target.ts";

export const piHooks: AgentHooks = {
  dialect: pluginDialect,
  tools: ["bash", "read", "write", "edit"],
  target(place) {
    const folder = place.project
      ? join(place.cwd, ".pi")
      : userFolder(place, "PI_CODING_AGENT_DIR", ".pi", "agent");
    return { form: "plugin", file: join(folder, "extensions", "unstuck.ts"), text: EXTENSION };
  },
};

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
    const { refuse } = await ask(event("before-tool", ctx, call(about)));
    return typeof refuse === "string" ? { block: true, reason: refuse } : undefined;
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
