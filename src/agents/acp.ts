/**
 * Any agent that speaks the Agent Client Protocol on its standard streams. Translates, never decides. What it is
 * told is the conversation's, which is loaded when such an agent is started and not before.
 */
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { TypedAdapter } from "./typed-agent.ts";

export const acpAdapter: TypedAdapter = {
  binary: "",
  report: REPORT_FORMATS.acp,
  commandLine: () => ({ args: [] }),
  talk: async (request, answer) =>
    (await import("./acp/conversation.ts")).converse(request, answer),
};
