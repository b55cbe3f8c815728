/**
 * Any agent that speaks the Agent Client Protocol on its standard streams; a plan gives its command. The conversation
 * module is loaded only when such an agent starts, because the protocol's SDK is large. A command may not show which
 * agent is behind it, so all get the variables that turn down the retries of agents with a setting for it; others
 * ignore them.
 */
import type { AgentDescriptor } from "../agent.ts";
import { CLAUDE_UNSEEN_RETRIES } from "../claude/retries.ts";
import { geminiDefaults } from "../gemini/defaults.ts";
import { acpOutput } from "./output.ts";

export const acp: AgentDescriptor = {
  name: "acp",
  output: acpOutput,
  driver: {
    commandLine(request) {
      const { env, files } = geminiDefaults(request);
      return { args: [], env: { ...CLAUDE_UNSEEN_RETRIES, ...env }, files };
    },
    converse: async (request, reply) =>
      (await import("./conversation.ts")).converse(request, reply),
  },
};
