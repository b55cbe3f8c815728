/**
 * Codex's hooks: Claude Code's shapes, but there is no event for a failed tool, and the output comes mostly
 * without its exit code.
 */
import { CLAUDE, claudeAnswer } from "./claude.ts";
import type { Dialect } from "./hook-event.ts";
import { callOf, placeOf, toolResult } from "./payload.ts";

export const CODEX: Dialect = {
  read(payload) {
    const place = placeOf(payload);
    if (place.name !== "PostToolUse") return CLAUDE.read(payload);
    const { output, exitCode } = toolResult(payload["tool_response"]);
    const outcome =
      exitCode === undefined
        ? ({ outcome: "unsure" } as const)
        : ({ outcome: exitCode === 0 ? "ok" : "failed", exitCode } as const);
    return { kind: "after-tool", ...place, ...callOf(payload), output, ...outcome };
  },
  write: claudeAnswer,
};
