/**
 * Where and what to install for an agent's hooks, for the user or for one checkout; each agent defines its own target.
 * Invariant: the command silently succeeds if `unstuck` is missing.
 */
import { join } from "node:path";
import type { EventNames } from "./event-reader.ts";

export type HookTarget =
  | { readonly form: "json"; readonly file: string; readonly entries: Record<string, unknown> }
  | { readonly form: "toml"; readonly file: string; readonly hooks: readonly EventHook[] }
  | { readonly form: "plugin"; readonly file: string; readonly text: string };

export interface EventHook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

export interface TargetPlace {
  readonly home: string;
  readonly cwd: string;
  /** Use the checkout's settings instead of the user's. */
  readonly project: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How long an agent waits for an answer, in seconds; for a stop, as long as checks may take. */
const SHORT_S = 10;
const STOP_S = 600;

export const hookCommand = (agent: string): string =>
  `command -v unstuck >/dev/null 2>&1 && unstuck hook ${agent} || true`;

/** Also matches a command of an older version, or one that a person has changed. */
export const isHookCommand =
  (agent: string) =>
  (command: string): boolean =>
    command.includes(`unstuck hook ${agent}`);

/** The hook command for each event; `unit`: the agent's units of time per second. */
export const eventHooks = (agent: string, names: EventNames, unit = 1): readonly EventHook[] =>
  Object.entries(names).map(([event, kind]) => ({
    event,
    command: hookCommand(agent),
    timeout: (kind === "stop" ? STOP_S : SHORT_S) * unit,
  }));

export const jsonTarget = (file: string, hooks: readonly EventHook[]): HookTarget => ({
  form: "json",
  file,
  entries: Object.fromEntries(
    hooks.map(({ event, ...hook }) => [event, { hooks: [{ type: "command", ...hook }] }]),
  ),
});

/** The checkout's settings folder of an agent, or the user's, which a variable may have moved. */
export function settingsFolder(
  { home, cwd, project, env }: TargetPlace,
  variable: string,
  ...usual: readonly string[]
): string {
  if (project) return join(cwd, usual[0] ?? "");
  return (env[variable] ?? "") || join(home, ...usual);
}
