/**
 * Adds the hook to an agent's settings and removes it again. With `dryRun` the change is only computed; with `agreed`
 * it is made only if the file is still what the user was shown.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import * as z from "zod";
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
import { installChange, uninstallChange, type HookChange } from "../../agents/hooks/hook-change.ts";
import { isHookCommand, type HookTarget } from "../../agents/hooks/hook-target.ts";
import { HOOK_AGENTS, hooksOf } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { toolsFrom } from "../advice/advice.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError, type Context } from "../operation.ts";
import { flag, text, texts } from "../schema-fields.ts";
import { hooksFolder } from "./answer.ts";

/** Null if the file does not exist before, or after, the change. */
const change = z.strictObject({ before: text.nullable(), after: text.nullable() });

const uninstallInput = z.strictObject({
  agent: z.enum(HOOK_AGENTS),
  project: flag.describe("The settings of this checkout instead of the user's own"),
  dryRun: flag,
  agreed: change.optional().describe("The change that the person saw"),
});

const installInput = uninstallInput.extend({
  gate: z
    .strictObject({ checks: texts, sendBacks: z.number() })
    .optional()
    .describe("A stop in the current folder is sent back while a check fails"),
  tools: z
    .strictObject({ value: z.unknown(), called: text })
    .optional()
    .describe("The tools the agent may call, with their schemas, as the person named them"),
});

const output = z.strictObject({
  file: text,
  /** Absent if the settings already are as they should be. */
  change: change.exactOptional(),
  /** What else the user has to do. */
  notes: texts,
});

type UninstallInput = z.infer<typeof uninstallInput>;
export type InstallInput = z.infer<typeof installInput>;
export type SettingsChange = z.infer<typeof change>;
export type HookInstallation = z.infer<typeof output>;

export const installHook = operation({
  name: "hook-install",
  schemas: () => Promise.resolve({ input: installInput, output }),
  run(context, input) {
    refuseInsideAttempt("hook install");
    const { agent, gate, tools } = input;
    if (tools !== undefined) toolsFrom(tools.value, tools.called);
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

export const uninstallHook = operation({
  name: "hook-uninstall",
  schemas: () => Promise.resolve({ input: uninstallInput, output }),
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

function notesFor(agent: string): string[] {
  const { afterInstall } = agentHooks(agent);
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = folders.some((folder) => folder !== "" && existsSync(join(folder, "unstuck")));
  return [
    ...(afterInstall === undefined ? [] : [afterInstall]),
    ...(onPath ? [] : ["unstuck is not on your PATH: until it is, the hook does nothing"]),
  ];
}
