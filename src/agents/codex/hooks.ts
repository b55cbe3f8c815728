/**
 * Codex's hooks: Claude Code's shapes, but there is no event for a failed tool, and the output comes mostly
 * without its exit code.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentHooks } from "../agent.ts";
import { claudeAnswer, claudeDialect } from "../claude/hooks.ts";
import type { Dialect } from "../hooks/hook-event.ts";
import { callOf, placeOf, toolResult } from "../hooks/payload.ts";
import {
  commandEntries,
  hookCommand,
  SHORT_S,
  STOP_S,
  userFolder,
} from "../hooks/settings/hook-target.ts";
import type { HookTarget } from "../hooks/settings/hook-target.ts";
import { hasHookTables, hasHookValues } from "../hooks/settings/toml-block.ts";

const EVENTS = {
  ...{ PreToolUse: SHORT_S, PostToolUse: SHORT_S, UserPromptSubmit: SHORT_S },
  ...{ PreCompact: SHORT_S, Stop: STOP_S },
};

const dialect: Dialect = {
  read(payload) {
    const place = placeOf(payload);
    if (place.name !== "PostToolUse") return claudeDialect.read(payload);
    const { output, exitCode } = toolResult(payload["tool_response"]);
    const outcome =
      exitCode === undefined
        ? ({ outcome: "unsure" } as const)
        : ({ outcome: exitCode === 0 ? "ok" : "failed", exitCode } as const);
    return { kind: "after-tool", ...place, ...callOf(payload), output, ...outcome };
  },
  write: claudeAnswer,
};

export const codexHooks: AgentHooks = {
  dialect,
  tools: ["shell", "apply_patch"],
  target: (place) =>
    targetIn(place.project ? join(place.cwd, ".codex") : userFolder(place, "CODEX_HOME", ".codex")),
  afterInstall: "Codex runs new hooks only once you trust them: open codex, type /hooks",
};

/** Codex warns where one folder lists hooks in two files: so in the file that has them already. */
function targetIn(folder: string): HookTarget {
  const json = join(folder, "hooks.json");
  const toml = join(folder, "config.toml");
  const config = existsSync(json) || !existsSync(toml) ? "" : readFileSync(toml, "utf8");
  if (!hasHookTables(config) || hasHookValues(config))
    return { form: "json", file: json, entries: commandEntries("codex", EVENTS) };
  const command = hookCommand("codex");
  const hooks = Object.entries(EVENTS).map(([event, timeout]) => ({ event, command, timeout }));
  return { form: "toml", file: toml, hooks };
}
