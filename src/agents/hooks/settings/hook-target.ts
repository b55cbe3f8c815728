/**
 * What is put where for an agent's hooks, for the user or for one checkout; each agent says its own target.
 * Invariant: the command succeeds silently when `unstuck` is gone.
 */
import { join } from "node:path";
import type { TomlHook } from "./toml-block.ts";

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

/** How long, in seconds, an agent waits for an answer: to a stop, for as long as checks may take. */
export const SHORT_S = 10;
export const STOP_S = 600;

export const hookCommand = (agent: string): string =>
  `command -v unstuck >/dev/null 2>&1 && unstuck hook ${agent} || true`;

/** Also a command of an older version, or one that a person has changed. */
export const isHookCommand =
  (agent: string) =>
  (command: string): boolean =>
    command.includes(`unstuck hook ${agent}`);

/** The hook command for each event; `unit`: of the agent's time limits, in a second. */
export function commandEntries(
  agent: string,
  events: Readonly<Record<string, number>>,
  unit = 1,
): Record<string, unknown> {
  const command = hookCommand(agent);
  return Object.fromEntries(
    Object.entries(events).map(([event, seconds]) => [
      event,
      { hooks: [{ type: "command", command, timeout: seconds * unit }] },
    ]),
  );
}

/** The user's own settings folder of an agent, where a variable may have moved it. */
export function userFolder(
  { home, env }: TargetPlace,
  variable: string,
  ...usual: readonly string[]
): string {
  const given = env[variable] ?? "";
  return given === "" ? join(home, ...usual) : given;
}
