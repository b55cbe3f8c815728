/**
 * Claude Code's hooks (also Qwen Code's, which took them over). A failed tool has an event of its own, so a
 * `PostToolUse` is a success.
 */
import { textOf } from "../output/json.ts";
import type { Dialect, HookAnswer, HookEvent } from "../hooks/hook-event.ts";
import { callOf, placeOf, toolResult } from "../hooks/payload.ts";
import { join } from "node:path";
import type { AgentHooks } from "../agent.ts";
import { commandEntries, SHORT_S, STOP_S, userFolder } from "../hooks/settings/hook-target.ts";

const EVENTS = {
  ...{ PreToolUse: SHORT_S, PostToolUse: SHORT_S, PostToolUseFailure: SHORT_S },
  ...{ UserPromptSubmit: SHORT_S, PreCompact: SHORT_S, StopFailure: SHORT_S, Stop: STOP_S },
};

export const claudeDialect: Dialect = {
  read(payload) {
    const place = placeOf(payload);
    switch (place.name) {
      case "PreToolUse":
        return { kind: "before-tool", ...place, ...callOf(payload) };
      case "PostToolUse": {
        const { output } = toolResult(payload["tool_response"]);
        return { kind: "after-tool", ...place, ...callOf(payload), output, outcome: "ok" };
      }
      case "PostToolUseFailure": {
        const { output, exitCode } = toolResult(payload["error"]);
        const code = exitCode === undefined ? {} : { exitCode };
        const result = { output, outcome: "failed", ...code } as const;
        return { kind: "after-tool", ...place, ...callOf(payload), ...result };
      }
      case "UserPromptSubmit":
        return { kind: "prompt", ...place, text: textOf(payload["prompt"]) };
      case "StopFailure": {
        const words = [payload["error_details"], payload["last_assistant_message"]].map(textOf);
        const text = words.filter((word) => word !== "").join("\n");
        return { kind: "model-failure", ...place, type: textOf(payload["error"]), text };
      }
      case "Stop":
        return { kind: "stop", ...place };
      case "PreCompact":
        return { kind: "compaction", ...place };
      default:
        return undefined;
    }
  },
  write: claudeAnswer,
};

export const claudeHooks: AgentHooks = {
  dialect: claudeDialect,
  tools: ["Bash", "Read", "Write", "Edit", "Glob", "Grep"],
  target(place) {
    const folder = place.project
      ? join(place.cwd, ".claude")
      : userFolder(place, "CLAUDE_CONFIG_DIR", ".claude");
    const entries = commandEntries("claude", EVENTS);
    return { form: "json", file: join(folder, "settings.json"), entries };
  },
};

/** Codex reads the same answers, and drops a whole answer for one field it does not know: so no field more than needed. */
export function claudeAnswer({ name }: HookEvent, { kind, words }: HookAnswer): object {
  if (kind === "send-back") return { decision: "block", reason: words };
  const said =
    kind === "hint"
      ? { additionalContext: words }
      : { permissionDecision: "deny", permissionDecisionReason: words };
  return { hookSpecificOutput: { hookEventName: name, ...said } };
}
