/**
 * How each agent's hook speaks: its payload to an event, an answer to what it prints. Invariants: an event the
 * agent did not ask an answer for gets none; a payload of another shape is no event.
 */
import { CLAUDE } from "./claude.ts";
import { CODEX } from "./codex.ts";
import { GEMINI } from "./gemini.ts";
import type { Dialect, HookAgent } from "./hook-event.ts";
import { PLUGIN } from "./plugin-dialect.ts";

const DIALECTS: Readonly<Record<HookAgent, Dialect>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: PLUGIN,
  pi: PLUGIN,
};

export const dialectOf = (agent: HookAgent): Dialect => DIALECTS[agent];
