/**
 * OpenCode as a server on loopback, so that it can be told something while it works and its own retries are seen.
 * Translates, never decides.
 */
import { randomBytes } from "node:crypto";
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { commandsIn } from "./check-commands.ts";
import { serverTalk } from "./opencode/conversation.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { CommandLine, TypedAdapter } from "./typed-agent.ts";

export const opencodeAdapter: TypedAdapter = {
  binary: "opencode",
  report: REPORT_FORMATS.opencode,
  turns: "counted",
  commandLine,
  talk: serverTalk,
};

/** Model, thinking, session and prompt go with the conversation. */
function commandLine({ permissions, checks = [] }: AgentRequest): CommandLine {
  const gate = JSON.stringify(permissionsFor(commandsIn(checks)));
  return {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_SERVER_PASSWORD: randomBytes(24).toString("hex"),
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
