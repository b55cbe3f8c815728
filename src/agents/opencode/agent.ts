/** OpenCode as a server on loopback, so that it can be told something while it works and its own retries are seen. */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine } from "../agent.ts";
import { commandsIn } from "../check-commands.ts";
import { opencodeHooks } from "./hooks.ts";
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
  hooks: opencodeHooks,
};

/** Model, thinking, session and prompt go with the conversation. */
function commandLine({ permissions, checks = [] }: AgentRequest): CommandLine {
  const gate = JSON.stringify(permissionsFor(commandsIn(checks)));
  return {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_SERVER_PASSWORD: password(),
      ...(permissions === "full" ? {} : { OPENCODE_PERMISSION: gate }),
    },
  };
}

/** Files here may be edited; of commands, only the checks. The last pattern that fits decides. */
function permissionsFor(commands: readonly string[]): unknown {
  const bash: Record<string, string> = { "*": "deny" };
  for (const command of commands) {
    bash[command] = "allow";
    bash[`${command} *`] = "allow";
  }
  return {
    edit: "allow",
    bash,
    external_directory: "deny",
  };
}

const password = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex");
