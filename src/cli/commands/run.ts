/**
 * `unstuck run`: takes a plan or a goal through an agent command to a verified end.
 * Imports the plan reader, the composition root and home. Exit codes of "Settled" 13.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { count } from "../../core/amounts.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import type { PlanFlags } from "../../core/plan/read-plan.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { tameLine } from "../../core/foreign-text.ts";
import type { Journal } from "../../journal/journal.ts";
import { inspect } from "../../workspace/inspect.ts";
import type { Inspection } from "../../workspace/types.ts";
import { RUN_ID_VARIABLE, startDetached } from "../detach.ts";
import { EXIT } from "../exit-codes.ts";
import { withHistory } from "../earlier-run.ts";
import { openHome } from "../home.ts";
import { readTextFile, textColumns, UsageError } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { wrapped } from "../screen/text-width.ts";
import { startRun } from "../start-run.ts";
import { isTrusted, trust, trustMark } from "../trust.ts";
import { userConfig } from "../user-config.ts";
import { watchRun } from "../watch-run.ts";

interface Flags {
  readonly goal?: string;
  readonly agent?: string;
  readonly check?: readonly string[];
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

const PLAN_FILE = "unstuck.yaml";

export function command(): Command {
  return new Command("run")
    .summary("run a plan through an agent")
    .description(
      "Runs a plan (unstuck.yaml) or a goal through an agent command, in a clone of this repository.",
    )
    .argument("[plan]", `plan file; default: ${PLAN_FILE} in this repository`)
    .option("--goal <text>", "what is to be done, instead of a plan file")
    .option("--agent <command>", "agent command; {prompt}, {promptFile} and {model} are filled in")
    .option("--check <command...>", "verifies the goal: exit code 0 is passed")
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
    .action(async (file: string | undefined, flags: Flags) => {
      process.exitCode = await runPlan(file, flags);
    });
}

async function runPlan(file: string | undefined, flags: Flags): Promise<number> {
  const repository = await inspected(process.cwd());
  const { plan: given, mark } = planOf(file, flags, repository.root);
  const home = openHome();
  if (mark !== undefined && !isTrusted(home.trust, mark)) {
    if (flags.trust !== true) return refuseUntrusted(given);
    trust(home.trust, mark);
  }
  const plan = flags.history === undefined ? given : await withHistory(home, given, flags.history);
  const { dirty } = repository;
  const changed = [...dirty.staged, ...dirty.unstaged, ...dirty.untracked];
  const tell = (words: string): void =>
    void process.stderr.write(`${wrapped(words, textColumns()).join("\n")}\n`);
  if (changed.length > 0 && flags.withChanges !== true && flags.inPlace !== true)
    tell(
      `note: ${count(changed.length, "uncommitted change is", "uncommitted changes are")} not part of this run (use --with-changes)`,
    );
  const run = process.env[RUN_ID_VARIABLE] ?? newRunId();
  const describe = (journal: Journal): Promise<void> =>
    journal.describe(run, {
      repo: repository.root,
      title: tameLine(plan.plan.goal, 80),
      at: Date.now(),
    });
  if (flags.detach === true && process.env[RUN_ID_VARIABLE] === undefined) {
    const journal = await openUserJournal(home);
    await describe(journal).finally(() => journal.close());
    const log = startDetached(home, run, process.argv.slice(2));
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ run, log })}\n`
        : `run ${run} goes on by itself: unstuck attach ${run}\n`,
    );
    return EXIT.ok;
  }
  const journal = await openUserJournal(home);
  try {
    tell(`run ${run}`);
    if (plan.permissions.full) tell("note: agents have full permissions, by your own word");
    await describe(journal);
    const pinned = await startRun({
      home,
      run,
      repository: repository.root,
      plan,
      withChanges: flags.withChanges === true,
      inPlace: flags.inPlace === true,
    });
    return await watchRun({ home, run, journal, pinned, isNew: true, json: flags.json === true });
  } finally {
    await journal.close();
  }
}

function planOf(
  file: string | undefined,
  flags: Flags,
  root: string,
): { readonly plan: RunPlan; readonly mark?: string } {
  const found =
    file ??
    (flags.goal === undefined && existsSync(join(root, PLAN_FILE))
      ? join(root, PLAN_FILE)
      : undefined);
  const text = found === undefined ? "" : readTextFile(found);
  const reading = readPlan(text, planFlags(flags));
  if (reading.ok)
    return { plan: reading.value, ...(found === undefined ? {} : { mark: trustMark(text) }) };
  const where = found ?? "plan";
  const lines = reading.problems.map(
    ({ line, column, path, message }) =>
      `${tameLine(where)}:${line}:${column}: ${path === "" ? "" : `${path}: `}${tameLine(message, 300)}`,
  );
  throw new UsageError(lines.join("\n"));
}

function planFlags(flags: Flags): PlanFlags {
  const concurrency = numberFlag("concurrency", flags.concurrency, [1, 64]);
  const stuckAfter = numberFlag("stuck-after", flags.stuckAfter, [1, 1000]);
  const recoveryBudget = numberFlag("recovery-budget", flags.recoveryBudget, [0, 1000]);
  const progressThreshold = numberFlag(
    "progress-threshold",
    flags.progressThreshold,
    [0, 1],
    false,
  );
  return {
    ...(flags.goal === undefined ? {} : { goal: flags.goal }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
    ...(flags.check === undefined ? {} : { checks: flags.check }),
    ...(flags.policy === undefined ? {} : { policy: flags.policy }),
    ...(flags.grounding === undefined ? {} : { grounding: flags.grounding }),
    ...(flags.inPlace === true ? { inPlace: true } : {}),
    ...(flags.fullPermissions === true || userConfig().permissions === "full"
      ? { full: true }
      : {}),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(stuckAfter === undefined ? {} : { stuckAfter }),
    ...(recoveryBudget === undefined ? {} : { recoveryBudget }),
    ...(progressThreshold === undefined ? {} : { progressThreshold }),
  };
}

/** What the plan's schema would refuse, a flag may not bring in either. */
function numberFlag(
  name: string,
  text: string | undefined,
  [least, most]: readonly [number, number],
  whole = true,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const fits = text.trim() !== "" && value >= least && value <= most;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const what = whole ? "a whole number" : "a number";
  throw new UsageError(
    `--${name}: expected ${what} from ${least} to ${most}, got ${tameLine(text, 40)}`,
  );
}

async function inspected(folder: string): Promise<Inspection> {
  const found = await inspect(folder);
  if (found.ok) return found.value;
  throw new UsageError(`cannot run here: ${tameLine(found.refusal.detail, 300)}`);
}

function refuseUntrusted(plan: RunPlan): number {
  const commands = [
    ...Object.entries(plan.agents).map(
      ([name, { adapter, command }]) => `agent ${name}: ${command ?? adapter}`,
    ),
    ...plan.setup.map((command) => `setup: ${command}`),
    ...new Set(
      Object.values(plan.subtasks).flatMap(({ checks }) =>
        checks.map(({ run }) => `check: ${run}`),
      ),
    ),
  ];
  process.stderr.write(
    `The plan of this repository would run:\n${commands.map((line) => `  ${tameLine(line, 200)}`).join("\n")}\n` +
      "Run it again with --trust if you trust that; the answer is kept for exactly this content.\n",
  );
  return EXIT.needsPerson;
}

/** Sorts by time, says its day, and cannot be mistaken for another. */
function newRunId(): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 13).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
