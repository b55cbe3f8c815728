/**
 * Starts a run: its plan is read and trusted, its workspace is opened, and this process works on it to its end.
 * Invariants: problems are reported before anything is created; a failed start leaves nothing behind.
 */
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, basename, resolve } from "node:path";
import { count } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { Journal } from "../../journal/journal.ts";
import { environmentFor, environmentProblem } from "../../workspace/carry/environment.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { checkStart } from "../../workspace/repository/open-run.ts";
import { userEnvironment } from "../composition.ts";
import { openHome, type Home } from "../home.ts";
import { fleetUrl } from "../fleet/url.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError, type Context } from "../operation.ts";
import { redactionOfRun } from "../redaction.ts";
import { DECIDED_BY, isTrusted, trust } from "../user-config.ts";
import type { RunHappening } from "../follow/follow.ts";
import {
  givenPlan,
  keyWarning,
  PLAN_FILE,
  planNotes,
  untrustedText,
  withHistory,
  type GivenPlan,
  type StartInput,
} from "./given-plan.ts";
import { problemsBeforeStart, refuseProblems } from "./before-start.ts";
import { refusalText, refused, repositoryAt, withHome } from "./open-run.ts";
import { removeClaimed } from "./clean.ts";
import { DETACHED_RUN, giveMeasured } from "./measured-base.ts";
import type { AskedStart } from "./started-with.ts";
import { workAndFollow } from "./work-on-run.ts";
import { spawn } from "node:child_process";
import { openWorkspace, openPlan } from "./open-workspace.ts";

/** With a fleet configured, the runs of this machine would not be visible. */
function refuseWithFleet(): void {
  if (fleetUrl() === undefined) return;
  throw new ProblemError(
    "not-now",
    "UNSTUCK_FLEET is set, so nothing is started on this machine\n" +
      "  Hand it to the fleet: unstuck submit --repo <git url>\n" +
      "  Or start it here: UNSTUCK_FLEET= unstuck run",
  );
}

export const startRun = operation({
  name: "start",
  schemas: async () => (await import("./schemas.ts")).startRun,
  async run(context, input, on: (happening: RunHappening) => void) {
    refuseWithFleet();
    // Consent that only a person may give; a detached process was given it before.
    if (input.trust === true) refuseInsideAttempt("run --trust", { orphans: "allowed" });
    if (input.fullPermissions === true)
      refuseInsideAttempt("run --full-permissions", { orphans: "allowed" });
    const tell = context.tell ?? (() => undefined);
    const repository = await repositoryAt(context.cwd);
    const { root } = repository;
    const given = await givenPlan(context, input, repository);
    refuseProblems(
      problemsBeforeStart({
        ...{ plan: given.plan, places: given.places, repository },
        fromCheckout: input.withChanges === true || input.inPlace === true,
      }),
    );
    const home = openHome();
    refuseUntrusted(given, input, home);
    const plan = await toldPlan(context, input, given, repository);
    await tellEnvironment(plan, root, tell);
    for (const words of keyWarning(plan)) tell(words);
    const run = process.env[DETACHED_RUN] ?? newRunId();
    const redaction = redactionOfRun(home.runDir(run));
    // Only once the journal exists: a secret in the goal creates the run's folder, to number it.
    const describe = (journal: Journal): Promise<void> => {
      const title = cleanLine(redaction.text(plan.plan.goal), 80);
      return journal.describe(run, { repo: root, title, at: Date.now() });
    };
    const asked = {
      ...{ repository: root, plan },
      withChanges: input.withChanges === true,
      inPlace: input.inPlace === true,
    };
    await refuseStart(home, run, asked, repository);
    const { detach } = input;
    if (detach !== undefined && process.env[DETACHED_RUN] === undefined) {
      await withHome(({ journal }) => describe(journal));
      giveMeasured(home, input.measured, run);
      return {
        run,
        log: startDetached(home, run, withKeptPlan(home, run, input.planText, detach), context),
      };
    }
    return withHome(async ({ journal }) => {
      tell(`run ${run}`);
      if (plan.permissions.full) tell("note: agents have full permissions, as you asked");
      await describe(journal);
      const claim = await journal.claim(run, Date.now());
      const start = await openWorkspace(home, run, asked, tell, repository).catch(
        async (error: unknown) => {
          await removeClaimed({ home, journal, row: { id: run, repo: root } }, claim);
          throw error;
        },
      );
      await journal.release(claim);
      giveMeasured(home, input.measured, run);
      const work = { home, run, journal, start, isNew: true };
      return workAndFollow(context, work, input.view, on);
    });
  },
});

export function refuseUntrusted({ plan, mark }: GivenPlan, input: StartInput, home: Home): void {
  if (mark === undefined || isTrusted(home.trust, mark)) return;
  if (input.trust !== true) throw new ProblemError("needs-consent", untrustedText(plan));
  trust(home.trust, mark);
}

/** The plan with the history to tell its agents, after a person was told what to know about it. */
async function toldPlan(
  context: Context,
  input: StartInput,
  given: GivenPlan,
  repository: Inspection,
): Promise<RunPlan> {
  const { history } = input;
  const plan = history === undefined ? given.plan : await withHistory(context, given.plan, history);
  const { root } = repository;
  const changed = changesBeside(context, input, repository);
  if (changed > 0 && input.withChanges !== true && input.inPlace !== true)
    context.tell?.(
      `note: ${count(changed, "uncommitted change is", "uncommitted changes are")} not part of this run (use --with-changes)`,
    );
  for (const words of planNotes(context, given, input, root)) context.tell?.(words);
  if (input.inPlace !== true) for (const words of unsignedNote(repository)) context.tell?.(words);
  return plan;
}

/** A run's commits are never signed. */
const unsignedNote = ({ signsCommits }: Inspection): readonly string[] =>
  signsCommits
    ? [
        "note: you sign your commits (commit.gpgsign), this run's commits are not signed; " +
          "unstuck apply shows the command that signs them",
      ]
    : [];

/** The number of changed files the run leaves out, not counting its own plan. */
function changesBeside(
  { cwd }: Context,
  { plan = PLAN_FILE }: StartInput,
  { dirty, root }: Pick<Inspection, "dirty" | "root">,
): number {
  const own = relative(root, resolve(cwd, plan));
  const files = new Set([...dirty.staged, ...dirty.unstaged, ...dirty.untracked]);
  return [...files].filter((file) => file !== own && basename(file) !== PLAN_FILE).length;
}

/** What the environment would do to checks: redirected and reported, or refused with the remedy. */
async function tellEnvironment(
  plan: RunPlan,
  root: string,
  tell: (words: string) => void,
): Promise<void> {
  const env = userEnvironment();
  const problem = plan.setup.length > 0 ? undefined : await environmentProblem(root, env);
  if (problem !== undefined) throw new ProblemError("not-now", cleanLine(problem, 500));
  for (const words of environmentFor(root, "/", env).said) tell(`note: ${cleanLine(words, 300)}`);
}

/** Sorts by time, shows the date, and is unique. */
export function newRunId(): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 13).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

/** Throws the problems that prevent a start, before anything is created or written. */
async function refuseStart(
  home: Home,
  run: string,
  asked: AskedStart,
  found: Inspection,
): Promise<void> {
  const plan = openPlan(home, run, asked);
  const runDir = join(realpathSync(home.root), relative(home.root, plan.runDir));
  const may = await checkStart(found, { ...plan, runDir });
  if (!may.ok) throw refused(may.refusal, `cannot run here: ${refusalText(may.refusal)}`);
}

/** A plan that is in no file is stored with the run, where the process that works on it reads it. */
function withKeptPlan(
  home: Home,
  run: string,
  planText: string | undefined,
  [command = "", ...flags]: readonly string[],
): readonly string[] {
  if (planText === undefined) return [command, ...flags];
  const folder = home.runDir(run);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "goal.json");
  writeFileSync(file, planText, { mode: 0o600 });
  return [command, file, ...flags];
}

export function startDetached(
  home: Home,
  run: string,
  args: readonly string[],
  { cwd, who }: Partial<Context> = {},
): string {
  const folder = home.runDir(run);
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "log.txt");
  const file = openSync(log, "a", 0o600);
  const entry = process.argv[1] ?? "";
  const child = spawn(process.execPath, [entry, ...args], {
    ...defined({ cwd }),
    detached: true,
    stdio: ["ignore", file, file],
    env: { ...process.env, [DETACHED_RUN]: run, ...defined({ [DECIDED_BY]: who }) },
  });
  child.unref();
  closeSync(file);
  return log;
}
