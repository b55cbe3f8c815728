/**
 * Any agent that speaks the Agent Client Protocol on its standard streams; a plan gives its command. The
 * conversation is loaded when such an agent is started and not before: the protocol's SDK is not small. A command
 * need not show which agent stands behind it, so every one is given what turns down the retries of those that have a
 * setting for them: the others do not know these names.
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
