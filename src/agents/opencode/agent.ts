/** OpenCode as a server on loopback, so that it accepts messages while it works and its own retries are visible. */
import { join } from "node:path";
import { isShellRefusal } from "../../core/agent-words/refusal.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine } from "../agent.ts";
import { commandsIn } from "../check-commands.ts";
import { pluginDialect } from "../hooks/dialects.ts";
import { pluginHead } from "../hooks/event-reader.ts";
import { settingsFolder } from "../hooks/hook-target.ts";
import { opencodeOutput } from "./output.ts";

export const opencode: AgentDescriptor = {
  name: "opencode",
  profile: {
    title: "OpenCode",
    binary: "opencode",
    versionArgs: ["--version"],
    tested: { from: "1.18.0", below: "1.20.0" },
    install: "npm install -g opencode-ai",
    login: "opencode auth login",
    account: "at the provider of its model; opencode auth list names those it is logged in to",
    keyVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    loginFiles: [".local/share/opencode/auth.json"],
    features: [
      "typed-output",
      "reports-cost",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "least-permissions",
      "hooks",
      "mcp",
    ],
  },
  output: opencodeOutput,
  driver: {
    turns: "counted",
    commandLine,
    converse: async (request, reply) =>
      (await import("./conversation.ts")).converse(request, reply),
  },
  hooks: {
    dialect: pluginDialect,
    tools: ["bash", "read", "write", "edit", "list", "glob"],
    calls: {
      ...{ bash: ["command"], read: ["filePath"], write: ["filePath", "content"], list: [] },
      ...{ edit: ["filePath", "oldString", "newString"], glob: ["pattern"], grep: ["pattern"] },
      ...{ webfetch: ["url"], task: ["prompt"], todowrite: ["todos"], todoread: [] },
    },
    target(place) {
      const folder = place.project
        ? join(place.cwd, ".opencode")
        : join(settingsFolder(place, "XDG_CONFIG_HOME", ".config"), "opencode");
      return { form: "plugin", file: join(folder, "plugin", "unstuck.js"), text: PLUGIN };
    },
  },
};

/** Model, thinking, session and prompt are set in the conversation. */
function commandLine({ permissions, checks = [], allowed = [] }: AgentRequest): CommandLine {
  const exactly = allowed.filter(isShellRefusal).map(({ command }) => command);
  const gate = JSON.stringify(permissionsFor(commandsIn(checks), exactly));
  return {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_SERVER_PASSWORD: password(),
      ...(permissions === "full" ? {} : { OPENCODE_PERMISSION: gate }),
    },
  };
}

/** Allows editing files here, and of commands only the checks. The last matching pattern decides. */
function permissionsFor(commands: readonly string[], exactly: readonly string[]): unknown {
  const bash: Record<string, string> = { "*": "deny" };
  for (const command of commands) {
    bash[command] = "allow";
    bash[`${command} *`] = "allow";
  }
  for (const command of exactly) if (!/[*?]/.test(command)) bash[command] = "allow";
  return { edit: "allow", bash, external_directory: "deny" };
}

const password = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex");

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
      const { refuse, end } = await ask(event("before-tool", sessionID, call));
      if (typeof end === "string")
        void client?.session?.abort?.({ path: { id: sessionID } })?.catch?.(() => undefined);
      const reason = end ?? refuse;
      if (typeof reason === "string") throw new Error(reason);
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
