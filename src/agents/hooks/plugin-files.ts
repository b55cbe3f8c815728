/**
 * The plugin files for agents whose hooks are code: OpenCode's plugin and pi's extension. Both only pass events to
 * `unstuck hook` and answers back, in the shapes of `plugin-dialect.ts`. Invariants: whatever goes wrong in them,
 * or if `unstuck` is gone, the agent goes on as if they were not there; below a run they do nothing.
 */

const head = (agent: string): string => `\
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

const OPENCODE = `${head("opencode")}
export const Unstuck = async ({ client, directory }) => {
  if (process.env.UNSTUCK_RUN) return {};
  const calls = new Map();
  const event = (name, session, more) => ({
    hook_event_name: name,
    session_id: session ?? "",
    cwd: directory ?? process.cwd(),
    ...more,
  });
  return {
    "chat.message": async (input, output) => {
      const text = (output?.parts ?? []).map((part) => part?.text ?? "").join("\\n");
      await ask(event("prompt", input?.sessionID, { text }));
    },
    "tool.execute.before": async (input, output) => {
      const { tool, sessionID, callID } = input;
      if (calls.size > 100) calls.clear();
      calls.set(callID, output?.args);
      const call = { tool_name: tool, tool_input: output?.args, tool_use_id: callID };
      const { refuse } = await ask(event("before-tool", sessionID, call));
      if (typeof refuse === "string") throw new Error(refuse);
    },
    "tool.execute.after": async (input, output) => {
      const { tool, sessionID, callID } = input;
      const args = input.args ?? calls.get(callID);
      calls.delete(callID);
      const call = { tool_name: tool, tool_input: args, tool_use_id: callID };
      const result = { output: output?.output, exit_code: output?.metadata?.exit };
      const { hint } = await ask(event("after-tool", sessionID, { ...call, ...result }));
      if (typeof hint === "string") output.output = \`\${output.output ?? ""}\\n\\n\${hint}\`;
    },
    event: async ({ event: { type, properties } }) => {
      const session = properties?.sessionID;
      if (type === "session.compacted") await ask(event("compaction", session));
      if (type === "session.error" && properties?.error?.name !== "MessageAbortedError") {
        const { name, data } = properties?.error ?? {};
        await ask(event("model-failure", session, { type: name, text: data?.message }));
      }
      if (type !== "session.idle") return;
      const text = (await ask(event("stop", session), 600_000))["send-back"];
      if (typeof text !== "string") return;
      const parts = [{ type: "text", text }];
      await client.session.prompt({ path: { id: session }, body: { parts } }).catch(() => {});
    },
  };
};
`;

const PI = `${head("pi")}
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

export const PLUGIN_FILES = { opencode: OPENCODE, pi: PI } as const;
