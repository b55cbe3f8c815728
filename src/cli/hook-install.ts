/**
 * `unstuck hook install|uninstall <agent>`: the change is shown before it is made; without a terminal it is made
 * only with --yes.
 */
import { createInterface } from "node:readline/promises";
import { structuredPatch } from "diff";
import { installHook, uninstallHook } from "../operations/hooks/install.ts";
import type { HookInstallation, SettingsChange } from "../operations/hooks/install.ts";
import { tameLine } from "../operations/text.ts";
import { EXIT } from "./exit-codes.ts";
import { perform, readJsonFile, styled, UsageError, write } from "./io.ts";

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
  const { project, check, tools: file } = flags;
  const sendBacks = Number(flags.sendBacks);
  if (!Number.isInteger(sendBacks) || sendBacks < 0 || sendBacks > 20)
    throw new UsageError("--send-backs: expected a whole number from 0 to 20");
  const gate = check === undefined ? undefined : { checks: check, sendBacks };
  const tools = file === undefined ? undefined : { value: readJsonFile(file), called: file };
  const input = { agent, project, gate, tools };
  const planned = await perform(installHook, { ...input, dryRun: true });
  if (planned.change === undefined) write(`the hook is in ${tameLine(planned.file, 300)} already`);
  if (!(await isAgreed(planned, flags))) return;
  const { change, notes } = await perform(installHook, { ...input, agreed: planned.change });
  if (change !== undefined)
    write(`installed; undo with: unstuck hook uninstall ${agent}${project ? " --project" : ""}`);
  for (const note of notes) write(note);
}

export async function uninstall(agent: string, flags: Flags): Promise<void> {
  const input = { agent, project: flags.project };
  const planned = await perform(uninstallHook, { ...input, dryRun: true });
  if (planned.change === undefined) write(`there is no hook in ${tameLine(planned.file, 300)}`);
  if (!(await isAgreed(planned, flags))) return;
  const { change } = await perform(uninstallHook, { ...input, agreed: planned.change });
  if (change !== undefined) write("uninstalled");
}

async function isAgreed(
  { file, change }: HookInstallation,
  { yes, dryRun }: Flags,
): Promise<boolean> {
  if (change === undefined) return dryRun !== true;
  const name = tameLine(file, 300);
  write(styled("bold", change.after === null ? `${name} (removed)` : name));
  for (const line of changedLines(change)) write(styledLine(line));
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

function styledLine(line: string): string {
  if (line.startsWith("+")) return styled("green", line);
  return line.startsWith("-") ? styled("red", line) : line;
}

const CONTEXT = 2;
const EDITS_MAX = 3000;
const WIDTH = 200;

/** What goes, what comes, a little around it; texts that differ too much for a comparison are gone and come. */
function changedLines({ before, after }: SettingsChange): readonly string[] {
  const [old, fresh] = [withFinalNewline(before ?? ""), withFinalNewline(after ?? "")];
  const options = { context: CONTEXT, maxEditLength: EDITS_MAX };
  const patch = structuredPatch("", "", old, fresh, "", "", options);
  const gone = linesOf(old);
  if (patch === undefined)
    return [
      ...gone.map((line) => shown(`-${line}`)),
      ...linesOf(fresh).map((line) => shown(`+${line}`)),
    ];
  return patch.hunks.flatMap(({ lines, oldStart, oldLines }) => [
    ...lines.map(shown),
    ...(oldStart + oldLines - 1 < gone.length ? ["@@"] : []),
  ]);
}

/** A missing newline at the end is no change that a person should see. */
const withFinalNewline = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);

/** Indentation is kept: it is what makes a change readable. */
function shown(line: string): string {
  const [indent = ""] = /^.[ \t]{0,80}/.exec(line) ?? [];
  return `${line.charAt(0)} ${indent.slice(1)}${tameLine(line.slice(1), WIDTH)}`.trimEnd();
}
