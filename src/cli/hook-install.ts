/**
 * `unstuck hook install|uninstall <agent>`: puts the hook into an agent's settings and takes it out again. The
 * change is shown before it is made; without a terminal it is made only with --yes.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { AgentHooks } from "../agents/agent.ts";
import { setStopGate, toolsFileIn } from "../agents/hooks/hook-settings.ts";
import { installChange, uninstallChange } from "../agents/hooks/settings/hook-change.ts";
import type { HookChange } from "../agents/hooks/settings/hook-change.ts";
import {
  installedIn,
  readSettings,
  recordInstalled,
  removeSettings,
  writeSettings,
} from "../agents/hooks/settings/hook-files.ts";
import { isHookCommand } from "../agents/hooks/settings/hook-target.ts";
import type { HookTarget } from "../agents/hooks/settings/hook-target.ts";
import { hooksOf } from "../agents/registry.ts";
import { tameLine } from "../core/foreign-text.ts";
import { readToolSpecs } from "../core/validate/tool-spec.ts";
import { refuseBelowAttempt } from "./answer-gate.ts";
import { EXIT } from "./exit-codes.ts";
import { hooksFolder } from "./hook-call.ts";
import { readJsonFile, styled, UsageError, write } from "./io.ts";
import { lineDiff } from "./line-diff.ts";

export interface Flags {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export interface InstallFlags extends Flags {
  readonly check?: readonly string[];
  readonly sendBacks: string;
  readonly tools?: string;
}

export async function install(agent: string, flags: InstallFlags): Promise<void> {
  refuseBelowAttempt("hook install");
  const sendBacks = Number(flags.sendBacks);
  if (!Number.isInteger(sendBacks) || sendBacks < 0 || sendBacks > 20)
    throw new UsageError("--send-backs: expected a whole number from 0 to 20");
  const tools = flags.tools === undefined ? undefined : toolsFrom(flags.tools);
  const target = targetOf(agent, flags);
  const before = readFile(target.file);
  const change = installChange(target, before, isHookCommand(agent));
  if (change.kind === "nothing") write(`the hook is in ${tameLine(target.file, 300)} already`);
  const go = await shownAndAgreed(target, change, flags);
  if (!go) return;
  const folder = hooksFolder();
  if (change.kind === "change" && change.after !== undefined) {
    const folders = writeFile(target.file, change.after);
    const created = change.before === undefined;
    recordInstalled(folder, target.file, { pieces: change.pieces, created, folders });
    write(
      `installed; undo with: unstuck hook uninstall ${agent}${flags.project ? " --project" : ""}`,
    );
  }
  if (flags.check !== undefined)
    setStopGate(folder, resolve("."), { checks: flags.check, sendBacks });
  if (tools !== undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(toolsFileIn(folder, agent), `${JSON.stringify(tools)}\n`, { mode: 0o600 });
  }
  const { afterInstall } = agentHooks(agent);
  if (afterInstall !== undefined) write(afterInstall);
  if (!onPath()) write("unstuck is not on your PATH: until it is, the hook does nothing");
}

export async function uninstall(agent: string, flags: Flags): Promise<void> {
  refuseBelowAttempt("hook uninstall");
  const folder = hooksFolder();
  const target = targetOf(agent, flags);
  const installed = installedIn(folder, target.file);
  const before = readFile(target.file);
  const change = uninstallChange(target, before, installed, isHookCommand(agent));
  if (change.kind === "nothing") write(`there is no hook in ${tameLine(target.file, 300)}`);
  if (!(await shownAndAgreed(target, change, flags))) return;
  if (change.kind === "change") {
    if (change.after === undefined) removeSettings(target.file, installed?.folders ?? []);
    else writeFile(target.file, change.after);
    write("uninstalled");
  }
  recordInstalled(folder, target.file, undefined);
  setStopGate(folder, resolve("."), undefined);
}

const targetOf = (agent: string, { project }: Flags): HookTarget =>
  agentHooks(agent).target({
    home: homedir(),
    cwd: process.cwd(),
    project: project === true,
    env: process.env,
  });

function agentHooks(agent: string): AgentHooks {
  const hooks = hooksOf(agent);
  if (hooks === undefined) throw new UsageError(`${tameLine(agent)} has no hooks`);
  return hooks;
}

/** True: go on. */
async function shownAndAgreed(
  { file }: HookTarget,
  change: HookChange,
  { yes, dryRun }: Flags,
): Promise<boolean> {
  const name = tameLine(file, 300);
  if (change.kind === "refused")
    throw new UsageError(`${name} was left as it is: ${tameLine(change.problem, 200)}`);
  if (change.kind === "nothing") return dryRun !== true;
  write(styled("bold", change.after === undefined ? `${name} (removed)` : name));
  for (const line of lineDiff(change.before ?? "", change.after ?? ""))
    write(
      line.startsWith("+")
        ? styled("green", line)
        : line.startsWith("-")
          ? styled("red", line)
          : line,
    );
  if (dryRun === true) return false;
  if (yes === true) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write("unstuck: nothing was changed: give --yes to change it\n");
    process.exitCode = EXIT.badInput;
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const said = await lines.question("Change it? [y/N] ").finally(() => lines.close());
  if (/^y(es)?$/i.test(said.trim())) return true;
  write("nothing was changed");
  return false;
}

function readFile(file: string): string | undefined {
  return orUsageError(file, "read", () => readSettings(file));
}

function writeFile(file: string, text: string): readonly string[] {
  return orUsageError(file, "write", () => writeSettings(file, text));
}

function orUsageError<T>(file: string, what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot ${what} ${tameLine(file, 300)}: ${tameLine(words, 200)}`);
  }
}

function toolsFrom(file: string): unknown {
  const value = readJsonFile(file);
  const reading = readToolSpecs(value);
  if (!reading.ok) throw new UsageError(`${tameLine(file)}${reading.place}: ${reading.problem}`);
  return value;
}

const onPath = (): boolean =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, "unstuck")));
