/** How each agent's output is read into a report: its steps, its typed events, which of them are final. */
import { acpEvents } from "./acp.ts";
import { CLAUDE_FINALS, claudeEvents } from "./claude.ts";
import { CODEX_FINALS, codexEvents } from "./codex.ts";
import { GEMINI_FINALS, geminiEvents } from "./gemini.ts";
import { LOOSE_FINALS, looseEvents } from "./loose.ts";
import { OPENCODE_FINALS, opencodeEvents } from "./opencode.ts";
import { PI_FINALS, piEvents } from "./pi.ts";
import type { ReportFormat } from "./report.ts";

export const REPORT_FORMATS = {
  claude: {
    steps: "claude",
    events: claudeEvents,
    finals: CLAUDE_FINALS,
    sessionGone: ["no conversation found"],
  },
  codex: {
    steps: "codex",
    events: codexEvents,
    finals: CODEX_FINALS,
    sessionGone: ["no rollout found", "thread not found", "session not found"],
    countsSession: true,
  },
  gemini: {
    steps: "gemini",
    events: geminiEvents,
    finals: GEMINI_FINALS,
    sessionGone: ["error resuming session", "invalid session identifier", "no previous sessions"],
    loopStop: ["loop detected, stopping"],
  },
  opencode: {
    steps: "opencode",
    events: opencodeEvents,
    finals: OPENCODE_FINALS,
    sessionGone: ["session not found"],
  },
  pi: {
    steps: "pi",
    events: piEvents,
    finals: PI_FINALS,
    sessionGone: ["no session found"],
  },
  acp: {
    steps: "acp",
    events: acpEvents,
    finals: LOOSE_FINALS,
    sessionGone: ["session not found", "resource not found"],
  },
  loose: {
    steps: "loose",
    events: looseEvents,
    finals: LOOSE_FINALS,
    sessionGone: [],
    loopStop: ["loop detected, stopping", "loop detection halted"],
    unknown: true,
  },
} as const satisfies Record<string, ReportFormat>;
