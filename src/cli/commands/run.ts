/** `unstuck run`: takes a plan or a goal through an agent command to a verified end. Exit codes of "Settled" 13. */
import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { count } from "../../core/amounts.ts";
import { tameLine } from "../../core/foreign-text.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { Journal } from "../../journal/journal.ts";
import { inspect } from "../../workspace/repository/inspect.ts";
import { environmentFor, environmentProblem } from "../../workspace/carry/environment.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { RUN_ID_VARIABLE, startDetached } from "../detach.ts";
import { EXIT } from "../exit-codes.ts";
import { withHistory } from "../earlier-run.ts";
import { planOf, untrustedWords, wordsOf } from "../given-plan.ts";
import type { RunFlags } from "../given-plan.ts";
import { openHome } from "../home.ts";
import { tell as say, textColumns, UsageError } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { refused } from "../refused.ts";
import { keyWarning } from "../plan-keys.ts";
import { PLAN_FILE } from "../plan-place.ts";
import { redactionOfRun } from "../redaction.ts";
import { removeClaimed } from "../removal.ts";
import { wrapped } from "../screen/text-width.ts";
import { userEnvironment } from "../run-workspace.ts";
import { refuseStart, startRun } from "../start-run.ts";
import { isTrusted, trust } from "../trust.ts";
import { withUntold } from "../untold.ts";
import { watchRun } from "../watch-run.ts";

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
    .action(async (file: string | undefined, flags: RunFlags) => {
      process.exitCode = await runPlan(file, flags);
    });
}

/** What only a person may give, and a detached process has been given before. */
const GIVEN = { trust: "--trust", fullPermissions: "--full-permissions" } as const;

async function runPlan(file: string | undefined, flags: RunFlags): Promise<number> {
  for (const flag of ["trust", "fullPermissions"] as const)
    if (flags[flag] === true) refuseBelowAttempt(`run ${GIVEN[flag]}`, { orphans: "allowed" });
  const repository = await inspected(process.cwd());
  const given = await planOf(file, flags, repository);
  const { mark } = given;
  const home = openHome();
  if (mark !== undefined && !isTrusted(home.trust, mark)) {
    if (flags.trust !== true) {
      say(untrustedWords(given.plan).trimEnd());
      return EXIT.needsPerson;
    }
    trust(home.trust, mark);
  }
  const told = withUntold(given.plan);
  const plan = flags.history === undefined ? told : await withHistory(home, told, flags.history);
  const { dirty } = repository;
  const changed = [...dirty.staged, ...dirty.unstaged, ...dirty.untracked];
  const tell = (words: string): void => say(wrapped(words, textColumns()).join("\n"));
  if (changed.length > 0 && flags.withChanges !== true && flags.inPlace !== true)
    tell(
      `note: ${count(changed.length, "uncommitted change is", "uncommitted changes are")} not part of this run (use --with-changes)`,
    );
  for (const words of wordsOf(given, flags, repository.root)) tell(words);
  await tellEnvironment(plan, repository.root, tell);
  const warning = keyWarning(plan);
  if (warning !== undefined) tell(warning);
  const run = process.env[RUN_ID_VARIABLE] ?? newRunId();
  const redaction = redactionOfRun(home.runDir(run));
  const describe = (journal: Journal): Promise<void> =>
    journal.describe(run, {
      repo: repository.root,
      title: tameLine(redaction.text(plan.plan.goal), 80),
      at: Date.now(),
    });
  const start = {
    ...{ home, run, repository: repository.root, plan, tell },
    withChanges: flags.withChanges === true,
    inPlace: flags.inPlace === true,
  };
  await refuseStart(start, repository);
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
    const claim = await journal.claim(run, Date.now());
    const pinned = await startRun(start).catch(async (error: unknown) => {
      await removeClaimed({ home, journal, row: { id: run, repo: repository.root } }, claim);
      throw error;
    });
    await journal.release(claim);
    return await watchRun({ home, run, journal, pinned, isNew: true, json: flags.json === true });
  } finally {
    await journal.close();
  }
}

/** What the environment would do to checks: re-pointed and said, or refused with what mends it. */
async function tellEnvironment(
  plan: RunPlan,
  root: string,
  tell: (words: string) => void,
): Promise<void> {
  const env = userEnvironment();
  const problem = plan.setup.length > 0 ? undefined : await environmentProblem(root, env);
  if (problem !== undefined) throw new UsageError(tameLine(problem, 500));
  for (const words of environmentFor(root, "/", env).said) tell(`note: ${tameLine(words, 300)}`);
}

async function inspected(folder: string): Promise<Inspection> {
  const found = await inspect(folder);
  if (found.ok) return found.value;
  const { kind, detail } = found.refusal;
  throw refused(kind, `cannot run here: ${tameLine(detail, 300)}`);
}

/** Sorts by time, says its day, and cannot be mistaken for another. */
function newRunId(): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 13).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
