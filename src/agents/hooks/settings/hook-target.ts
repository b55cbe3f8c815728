/**
 * Where each agent's hooks stand, for the user or for one checkout, and what is put there. Invariant: the command
 * succeeds silently when `unstuck` is gone.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookAgent } from "../hook-event.ts";
import { PLUGIN_FILES } from "../plugin-files.ts";
import type { TomlHook } from "./toml-block.ts";
import { hasHookTables, hasHookValues } from "./toml-block.ts";

export type HookTarget =
  | { readonly form: "json"; readonly file: string; readonly entries: Record<string, unknown> }
  | { readonly form: "toml"; readonly file: string; readonly hooks: readonly TomlHook[] }
  | { readonly form: "plugin"; readonly file: string; readonly text: string };

export interface TargetPlace {
  readonly home: string;
  readonly cwd: string;
  /** The checkout's settings instead of the user's. */
  readonly project: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const SHORT_S = 10;
const STOP_S = 600;

/** Events and how long, in seconds, the agent waits for an answer. */
const EVENTS = {
  claude: {
    ...{ PreToolUse: SHORT_S, PostToolUse: SHORT_S, PostToolUseFailure: SHORT_S },
    ...{ UserPromptSubmit: SHORT_S, PreCompact: SHORT_S, StopFailure: SHORT_S, Stop: STOP_S },
  },
  codex: {
    ...{ PreToolUse: SHORT_S, PostToolUse: SHORT_S, UserPromptSubmit: SHORT_S },
    ...{ PreCompact: SHORT_S, Stop: STOP_S },
  },
  gemini: {
    // Not PreCompress: it comes before every request, whether anything is left out or not.
    ...{ BeforeTool: SHORT_S, AfterTool: SHORT_S, BeforeAgent: SHORT_S, AfterAgent: STOP_S },
  },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

export const hookCommand = (agent: string): string =>
  `command -v unstuck >/dev/null 2>&1 && unstuck hook ${agent} || true`;

/** Also a command of an older version, or one that a person has changed. */
export const isHookCommand =
  (agent: string) =>
  (command: string): boolean =>
    command.includes(`unstuck hook ${agent}`);

export function hookTarget(agent: HookAgent, place: TargetPlace): HookTarget {
  const folder = folderOf(agent, place);
  switch (agent) {
    case "opencode":
      return {
        form: "plugin",
        file: join(folder, "plugin", "unstuck.js"),
        text: PLUGIN_FILES.opencode,
      };
    case "pi":
      return {
        form: "plugin",
        file: join(folder, "extensions", "unstuck.ts"),
        text: PLUGIN_FILES.pi,
      };
    case "codex":
      return codexTarget(folder);
    case "claude":
      return { form: "json", file: join(folder, "settings.json"), entries: entriesOf(agent, 1) };
    case "gemini":
      return { form: "json", file: join(folder, "settings.json"), entries: entriesOf(agent, 1000) };
  }
}

function folderOf(agent: HookAgent, { home, cwd, project, env }: TargetPlace): string {
  const own = (variable: string, ...path: string[]): string => {
    const given = env[variable] ?? "";
    return given === "" ? join(home, ...path) : given;
  };
  switch (agent) {
    case "claude":
      return project ? join(cwd, ".claude") : own("CLAUDE_CONFIG_DIR", ".claude");
    case "codex":
      return project ? join(cwd, ".codex") : own("CODEX_HOME", ".codex");
    case "gemini":
      return join(project ? cwd : home, ".gemini");
    case "opencode":
      return project ? join(cwd, ".opencode") : join(own("XDG_CONFIG_HOME", ".config"), "opencode");
    case "pi":
      return project ? join(cwd, ".pi") : own("PI_CODING_AGENT_DIR", ".pi", "agent");
  }
}

function entriesOf(agent: keyof typeof EVENTS, unit: number): Record<string, unknown> {
  const command = hookCommand(agent);
  return Object.fromEntries(
    Object.entries(EVENTS[agent]).map(([event, seconds]) => [
      event,
      { hooks: [{ type: "command", command, timeout: seconds * unit }] },
    ]),
  );
}

/** Codex warns where one folder lists hooks in two files: so in the file that has them already. */
function codexTarget(folder: string): HookTarget {
  const json = join(folder, "hooks.json");
  const toml = join(folder, "config.toml");
  const config = existsSync(json) || !existsSync(toml) ? "" : readFileSync(toml, "utf8");
  if (!hasHookTables(config) || hasHookValues(config))
    return { form: "json", file: json, entries: entriesOf("codex", 1) };
  const command = hookCommand("codex");
  const hooks = Object.entries(EVENTS.codex).map(([event, timeout]) => ({
    event,
    command,
    timeout,
  }));
  return { form: "toml", file: toml, hooks };
}
