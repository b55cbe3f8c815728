/** `unstuck run`: takes a plan or a goal through an agent command to a verified end. */
import { Command } from "commander";
import { PLAN_FILE } from "../../operations/runs/given-plan.ts";
import { startRun } from "../../operations/runs/start.ts";
import { cleanLine } from "../../operations/text.ts";
import { perform, UsageError, write, writeJson } from "../io.ts";
import { workInTerminal } from "../work-in-terminal.ts";

interface Flags {
  readonly goal?: string;
  readonly agent?: string;
  readonly check?: readonly string[];
  readonly setup?: readonly string[] | false;
  readonly carry?: readonly string[];
  readonly policy?: string;
  readonly concurrency?: string;
  readonly grounding?: boolean;
  readonly stuckAfter?: string;
  readonly recoveryBudget?: string;
  readonly progressThreshold?: string;
  readonly withChanges?: boolean;
  readonly inPlace?: boolean;
  readonly trust?: boolean;
  readonly fullPermissions?: boolean;
  readonly history?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("run")
    .summary("run a plan through an agent")
    .description(
      "Runs a plan (unstuck.yaml) or a goal through an agent command, in a clone of this repository.",
    )
    .argument(
      "[plan]",
      `plan file; default: ${PLAN_FILE} here or above, up to the repository's root`,
    )
    .option("--goal <text>", "what is to be done, instead of a plan file")
    .option("--agent <command>", "agent command; {prompt}, {promptFile} and {model} are filled in")
    .option("--check <command...>", "verifies the goal: exit code 0 is passed")
    .option(
      "--setup <command...>",
      "makes each working tree ready; default: what the lock file asks for",
    )
    .option("--no-setup", "no set-up, whatever the plan or the lock file asks for")
    .option("--carry <path...>", "untracked paths that are copied into each working tree")
    .option("--policy <name>", "recovery policy; default: standard")
    .option("--concurrency <n>", "subtasks at a time")
    .option("--grounding", "a read-only first subtask that looks before anything is changed")
    .option("--no-grounding", "no read-only first subtask")
    .option("--stuck-after <n>", "attempts without progress before recovery")
    .option("--recovery-budget <n>", "most iterations of recovery per subtask")
    .option("--progress-threshold <x>", "a score below this is no progress")
    .option("--with-changes", "start from the working tree with its uncommitted changes")
    .option("--in-place", "let agents work in this checkout itself; unstuck undo takes it back")
    .option("--trust", "trust the commands in the plan file")
    .option("--full-permissions", "agents start without any gate of their own")
    .option(
      "--history <run>",
      "tell agents what failed at the same subtasks in an earlier or imported run",
    )
    .option("--detach", "go on without this terminal; watch it with unstuck attach")
    .option("--json", "events as JSON lines")
    .action(async (plan: string | undefined, flags: Flags) => {
      process.exitCode = await run(plan, flags);
    });
}

async function run(plan: string | undefined, flags: Flags): Promise<number> {
  const { check, setup, json, detach, ...same } = flags;
  const input = {
    ...same,
    plan,
    checks: check,
    setup: setup === false ? [] : setup,
    concurrency: numberOf("concurrency", flags.concurrency, 1, 64),
    stuckAfter: numberOf("stuck-after", flags.stuckAfter, 1, 1000),
    recoveryBudget: numberOf("recovery-budget", flags.recoveryBudget, 0, 1000),
    progressThreshold: numberOf("progress-threshold", flags.progressThreshold, 0, 1, false),
    detach: detach === true ? process.argv.slice(2) : undefined,
  };
  return workInTerminal(json === true, async (view, how) => {
    const left = await perform(startRun, { ...input, view }, how);
    if (!("log" in left)) return left;
    if (json === true) writeJson(left);
    else write(`run ${left.run} goes on by itself: unstuck attach ${left.run}`);
    return undefined;
  });
}

/** What the plan's schema would refuse, a flag may not bring in either. */
function numberOf(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
  isWhole = true,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const fits = text.trim() !== "" && value >= least && value <= most;
  if (fits && (!isWhole || Number.isInteger(value))) return value;
  const what = isWhole ? "a whole number" : "a number";
  throw new UsageError(
    `--${name}: expected ${what} from ${least} to ${most}, got ${cleanLine(text, 40)}`,
  );
}
