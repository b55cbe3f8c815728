/**
 * `unstuck hook <agent>`: the hook itself, called by an agent; `hook install|uninstall` change an agent's settings. The
 * hook runs on every Node version that the core supports, and never fails. Settings are changed only after the change
 * was shown, and without a terminal only with --yes; the modules for that are loaded on demand.
 */
import { Argument, Command } from "commander";
import { homeAnswers, homeFolder, isRemote } from "../../operations/home.ts";
import { HOOK_AGENTS, PAYLOAD_MAX, answerHook, noteFault } from "../../operations/hooks/answer.ts";
import {
  DEFAULT_SEND_BACKS,
  answerFully,
  standardDiagnosis,
} from "../../operations/hooks/full-answer.ts";
import type { HookInstallation, SettingsChange } from "../../operations/hooks/install.ts";
import { cleanLine } from "../../operations/text.ts";
import { EXIT, perform, readJsonFile, styled, write, writeJson } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { readToEnd, takeHandedOver, writeAll } from "../plain-io.ts";
import { isAgreed } from "../typed-answers.ts";

export function hook(): Command {
  const command = new Command("hook")
    .description(
      "Helps an agent you drive yourself: hints after failed tools, a guard against loops, a gate before it stops.",
    )
    .argument("[agent]", `called by the agent itself: ${HOOK_AGENTS.join(", ")}`)
    .action((agent: string | undefined) => {
      if (agent === undefined) return command.help();
      return runHook(agent);
    });
  command.addCommand(
    changing("install", "add the hook to an agent's settings; shows the change first")
      .option("--check <command...>", "a stop in this folder is sent back while this fails")
      .option("--send-backs <n>", "how often at most", String(DEFAULT_SEND_BACKS))
      .option("--tools <file>", "the tools the agent may call, with their schemas")
      .action(install),
  );
  command.addCommand(changing("uninstall", "remove it again").action(uninstall));
  return command;
}

const changing = (name: string, what: string): Command =>
  new Command(name)
    .description(what)
    .addArgument(new Argument("<agent>").choices([...HOOK_AGENTS]))
    .option("--project", "the settings of this checkout instead of your own")
    .option("--yes", "do not ask")
    .option("--json", "as JSON; with --yes or --dry-run")
    .option("--dry-run", "only show what would change");

/** Never an error, whatever goes wrong with the agent, its payload or this machine. */
async function runHook(agent: string): Promise<void> {
  try {
    const given = takeHandedOver();
    const read = (): Buffer => readToEnd(PAYLOAD_MAX);
    if (given === undefined && process.stdin.isTTY)
      return write(
        `an agent calls this; set it up with: unstuck hook install ${HOOK_AGENTS.join("|")}`,
      );
    // An unresponsive home would block the agent: it is skipped without a message.
    if (given === undefined && isRemote(homeFolder()) && !(await homeAnswers(homeFolder()))) {
      read();
      process.exit(0);
    }
    const caller = { read, say: writeAll, diagnosis: standardDiagnosis };
    const call = given ?? answerHook(agent, caller);
    if (call !== undefined) await answerFully(call);
  } catch (error) {
    noteFault(agent, error);
  }
}

interface Flags {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface InstallFlags extends Flags {
  readonly check?: readonly string[];
  readonly sendBacks: string;
  readonly tools?: string;
}

async function install(agent: string, flags: InstallFlags): Promise<void> {
  const { project, check, tools: file } = flags;
  const sendBacks = Number(flags.sendBacks);
  if (!Number.isInteger(sendBacks) || sendBacks < 0 || sendBacks > 20)
    throw new UsageError("--send-backs: expected a whole number from 0 to 20");
  const gate = check === undefined ? undefined : { checks: check, sendBacks };
  const tools = file === undefined ? undefined : { value: readJsonFile(file), called: file };
  const { installHook } = await import("../../operations/hooks/install.ts");
  const input = { agent, project, gate, tools };
  if (flags.json === true)
    return writeJson(await perform(installHook, withoutAsking(input, flags)));
  const planned = await perform(installHook, { ...input, dryRun: true });
  if (!(await mayChange(planned, flags, (name) => `the hook is already in ${name}`))) return;
  const { change, notes } = await perform(installHook, { ...input, agreed: planned.change });
  if (change !== undefined)
    write(`installed; undo with: unstuck hook uninstall ${agent}${project ? " --project" : ""}`);
  for (const note of notes) write(note);
}

async function uninstall(agent: string, flags: Flags): Promise<void> {
  const { uninstallHook } = await import("../../operations/hooks/install.ts");
  const input = { agent, project: flags.project };
  if (flags.json === true)
    return writeJson(await perform(uninstallHook, withoutAsking(input, flags)));
  const planned = await perform(uninstallHook, { ...input, dryRun: true });
  if (!(await mayChange(planned, flags, (name) => `there is no hook in ${name}`))) return;
  const { change } = await perform(uninstallHook, { ...input, agreed: planned.change });
  if (change !== undefined) write("uninstalled");
}

/** A caller that reads JSON cannot be prompted. */
function withoutAsking<Input>(input: Input, { yes, dryRun }: Flags): Input & { dryRun: boolean } {
  if (yes !== true && dryRun !== true)
    throw new UsageError("--json needs --yes, or --dry-run to only see the change");
  return { ...input, dryRun: dryRun === true };
}

async function mayChange(
  { file, change }: HookInstallation,
  { yes, dryRun }: Flags,
  unchanged: (file: string) => string,
): Promise<boolean> {
  const name = cleanLine(file, 300);
  if (change === undefined) {
    write(unchanged(name));
    return dryRun !== true;
  }
  write(styled("bold", change.after === null ? `${name} (removed)` : name));
  for (const line of await changedLines(change)) write(line);
  if (dryRun === true) return false;
  if (yes === true) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write("unstuck: nothing was changed; add --yes to change it\n");
    process.exitCode = EXIT.badInput;
    return false;
  }
  const agreed = await isAgreed("Change it?");
  if (!agreed) write("nothing was changed");
  return agreed;
}

const CONTEXT = 2;
const EDITS_MAX = 3000;
const WIDTH = 200;

/**
 * Removed and added lines with a little context; texts too different to compare are shown as all removed, all added.
 */
async function changedLines({ before, after }: SettingsChange): Promise<readonly string[]> {
  const { structuredPatch } = await import("diff");
  const [old, fresh] = [withFinalNewline(before ?? ""), withFinalNewline(after ?? "")];
  const options = { context: CONTEXT, maxEditLength: EDITS_MAX };
  const patch = structuredPatch("", "", old, fresh, "", "", options);
  const gone = linesOf(old);
  if (patch === undefined)
    return [...gone.map((line) => `-${line}`), ...linesOf(fresh).map((line) => `+${line}`)].map(
      shown,
    );
  return patch.hunks.flatMap(({ lines, oldStart, oldLines }) => [
    ...lines.map(shown),
    ...(oldStart + oldLines - 1 < gone.length ? ["@@"] : []),
  ]);
}

/** A missing newline at the end is not shown as a change. */
const withFinalNewline = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);

/** Indentation is kept: it makes a change readable. */
function shown(line: string): string {
  const [indent = ""] = /^.[ \t]{0,80}/.exec(line) ?? [];
  const [sign, text] = [line.charAt(0), cleanLine(line.slice(1), WIDTH)];
  const clean = `${sign} ${indent.slice(1)}${text}`.trimEnd();
  if (sign === "+") return styled("green", clean);
  return sign === "-" ? styled("red", clean) : clean;
}
