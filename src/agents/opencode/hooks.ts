/** OpenCode's hooks: a plugin of ours, in the shapes of `plugin-dialect.ts`. */
import { join } from "node:path";
import type { AgentHooks } from "../agent.ts";
import { pluginDialect, pluginHead } from "../hooks/plugin-dialect.ts";
import { userFolder } from "../hooks/settings/hook-target.ts";

export const opencodeHooks: AgentHooks = {
  dialect: pluginDialect,
  tools: ["bash", "read", "write", "edit", "list", "glob"],
  target(place) {
    const folder = place.project
      ? join(place.cwd, ".opencode")
      : join(userFolder(place, "XDG_CONFIG_HOME", ".config"), "opencode");
    return { form: "plugin", file: join(folder, "plugin", "unstuck.js"), text: PLUGIN };
  },
};

const PLUGIN = `${pluginHead("opencode")}
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
