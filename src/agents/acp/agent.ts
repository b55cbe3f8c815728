/**
 * Any agent that speaks the Agent Client Protocol on its standard streams; a plan gives its command. The
 * conversation is loaded when such an agent is started and not before: the protocol's SDK is not small.
 */
import type { AgentDescriptor } from "../agent.ts";
import { acpOutput } from "./output.ts";

export const acp: AgentDescriptor = {
  name: "acp",
  output: acpOutput,
  driver: {
    commandLine: () => ({ args: [] }),
    converse: async (request, reply) =>
      (await import("./conversation.ts")).converse(request, reply),
  },
};
