/** Codex: `codex app-server`, which listens while it works. Translates, never decides. */
import { codexTalk } from "./codex-talk.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { TypedAdapter } from "./typed-agent.ts";

export const codexAdapter: TypedAdapter = {
  binary: "codex",
  report: { ...REPORT_FORMATS.codex, countsSession: false },
  turns: "counted",
  commandLine: () => ({ args: ["app-server", "-c", "check_for_update_on_startup=false"] }),
  talk: codexTalk,
};
