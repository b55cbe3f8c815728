/**
 * Puts the hook into an agent's settings and takes it out again. With `dryRun` the change is only worked out; with
 * `agreed` it is made only if the file is still what the person saw.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { AgentHooks } from "../../agents/agent.ts";
import {
  installedIn,
  readSettings,
  recordInstalled,
  removeSettings,
  setStopGate,
  toolsFileIn,
  writeSettings,
} from "../../agents/hooks/hook-settings.ts";
import type { StopGate } from "../../agents/hooks/hook-settings.ts";
import { installChange, uninstallChange } from "../../agents/hooks/hook-change.ts";
import type { HookChange } from "../../agents/hooks/hook-change.ts";
import { isHookCommand } from "../../agents/hooks/hook-target.ts";
import type { HookTarget } from "../../agents/hooks/hook-target.ts";
import { hooksOf } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { readToolSpecs } from "../../core/validate/tool-call.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";
import type { Context } from "../operation.ts";
import { hooksFolder } from "./answer.ts";

export interface UninstallInput {
  readonly agent: string;
  /** The settings of this checkout instead of the user's own. */
  readonly project?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly agreed?: SettingsChange | undefined;
}

export interface InstallInput extends UninstallInput {
  /** A stop in the current folder is sent back while a check fails. */
  readonly gate?: StopGate | undefined;
  /** The tools the agent may call, with their schemas. `called`: as the person named them. */
  readonly tools?: { readonly value: unknown; readonly called: string } | undefined;
}

/** Null where there was, or will be, no file. */
export interface SettingsChange {
  readonly before: string | null;
  readonly after: string | null;
}

export interface HookInstallation {
  readonly file: string;
  /** Absent where the settings are as they should be already. */
  readonly change?: SettingsChange;
  /** What else the person has to do. */
  readonly notes: readonly string[];
}

export const installHook = operation<InstallInput, HookInstallation>({
  name: "hook-install",
  schemas: async () => (await import("./schemas.ts")).installHook,
  run(context, input) {
    refuseInsideAttempt("hook install");
    const { agent, gate, tools } = input;
    if (tools !== undefined) refuseBadTools(tools.value, tools.called);
    const target = targetOf(context, input);
    const before = onFile(target, "read", () => readSettings(target.file));
    const change = installChange(target, before, isHookCommand(agent));
    const planned = plannedChange(target, change, input);
    if (input.dryRun === true) return { ...planned, notes: [] };
    const folder = hooksFolder();
    if (change.kind === "change") {
      const { after = "", pieces } = change;
      const folders = onFile(target, "write", () => writeSettings(target.file, after));
      recordInstalled(folder, target.file, { pieces, created: before === undefined, folders });
    }
    if (gate !== undefined) setStopGate(folder, context.cwd, gate);
    if (tools !== undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const text = `${JSON.stringify(tools.value)}\n`;
      writeFileSync(toolsFileIn(folder, agent), text, { mode: 0o600 });
    }
    return { ...planned, notes: notesFor(agent) };
  },
});

export const uninstallHook = operation<UninstallInput, HookInstallation>({
  name: "hook-uninstall",
  schemas: async () => (await import("./schemas.ts")).uninstallHook,
  run(context, input) {
    refuseInsideAttempt("hook uninstall");
    const folder = hooksFolder();
    const target = targetOf(context, input);
    const installed = installedIn(folder, target.file);
    const before = onFile(target, "read", () => readSettings(target.file));
    const change = uninstallChange(target, before, installed, isHookCommand(input.agent));
    const planned = plannedChange(target, change, input);
    if (input.dryRun === true) return { ...planned, notes: [] };
    if (change.kind === "change") {
      const { after } = change;
      if (after === undefined) removeSettings(target.file, installed?.folders ?? []);
      else onFile(target, "write", () => writeSettings(target.file, after));
    }
    recordInstalled(folder, target.file, undefined);
    setStopGate(folder, context.cwd, undefined);
    return { ...planned, notes: [] };
  },
});

const targetOf = ({ cwd }: Context, { agent, project = false }: UninstallInput): HookTarget =>
  agentHooks(agent).target({ home: homedir(), cwd, project, env: process.env });

function agentHooks(agent: string): AgentHooks {
  const hooks = hooksOf(agent);
  if (hooks === undefined) throw new ProblemError("bad-input", `${cleanLine(agent)} has no hooks`);
  return hooks;
}

function plannedChange(
  { file }: HookTarget,
  change: HookChange,
  { agreed }: UninstallInput,
): Omit<HookInstallation, "notes"> {
  const name = cleanLine(file, 300);
  if (change.kind === "refused") {
    const problem = cleanLine(change.problem, 200);
    throw new ProblemError("bad-input", `${name} was left as it is: ${problem}`);
  }
  if (change.kind === "nothing") return { file };
  const { before = null, after = null } = change;
  if (agreed !== undefined && (agreed.before !== before || agreed.after !== after))
    throw new ProblemError("not-now", `${name} was left as it is: it has changed in the meantime`);
  return { file, change: { before, after } };
}

function onFile<T>({ file }: HookTarget, what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    const words = cleanLine(error instanceof Error ? error.message : String(error), 200);
    throw new ProblemError("bad-input", `cannot ${what} ${cleanLine(file, 300)}: ${words}`);
  }
}

function refuseBadTools(value: unknown, called: string): void {
  const reading = readToolSpecs(value);
  if (!reading.ok)
    throw new ProblemError("bad-input", `${cleanLine(called)}${reading.place}: ${reading.problem}`);
}

function notesFor(agent: string): string[] {
  const { afterInstall } = agentHooks(agent);
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = folders.some((folder) => folder !== "" && existsSync(join(folder, "unstuck")));
  return [
    ...(afterInstall === undefined ? [] : [afterInstall]),
    ...(onPath ? [] : ["unstuck is not on your PATH: until it is, the hook does nothing"]),
  ];
}
