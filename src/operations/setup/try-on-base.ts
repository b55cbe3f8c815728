/**
 * Runs checks once on the commit that a run would start from, to find out which are reliable: in a clean tree of that
 * commit, after the run's set-up, exactly as a run checks its base. Invariants: the user's checkout does not change;
 * when it settles, every process has ended and the tree is gone; one check does not stop the others.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { processChecker } from "../../agents/checks/checker.ts";
import { proveDead } from "../../agents/process/proof-of-death.ts";
import { PLAN_AGENTS, AGENTS } from "../../agents/registry.ts";
import { assert } from "../../core/assert.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { secretsOf } from "../../core/redact/known-values.ts";
import { redactionOf } from "../../core/redact/redaction.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";
import { forceRemove, removeLeftovers } from "../../workspace/base/remove.ts";
import { gitCheckTrees } from "../../workspace/check-trees-port.ts";
import { gitCommits } from "../../workspace/port.ts";
import { heldFiles } from "../../workspace/repository/checkout.ts";
import { inspect, type Inspection } from "../../workspace/repository/inspect.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { cleanUp } from "../../workspace/result/clean-up.ts";
import { treesOf, userEnvironment } from "../composition.ts";
import { openHome } from "../home.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { keepMeasured, triesFolder } from "../runs/measured-base.ts";
import { accepted, refused, refusalText } from "../runs/open-run.ts";
import { openWorkspace } from "../runs/open-workspace.ts";
import { findProjectChecks } from "./checks/find-checks.ts";
import type { FoundCheck } from "./checks/reading.ts";
import { deriveSetup } from "./repository-setup.ts";
import type { TriedCheck, TriedChecks } from "./schemas.ts";
import { cannotSetUp, triedCheck } from "./tried-check.ts";

export interface TryRequest {
  readonly repository: Inspection;
  /** Where set-up is searched for: the repository's root, or a project below it. */
  readonly folder: string;
  readonly checks: readonly FoundCheck[];
  /** With the uncommitted changes of the checkout. */
  readonly withChanges: boolean;
  /** Replaces what the repository's files ask for. */
  readonly setup?: readonly string[];
  /** Per check. */
  readonly limitMs?: number;
  readonly stop?: AbortSignal;
  /** Keep the outcomes, so that a run started right afterwards need not try the checks again. */
  readonly isKept?: boolean;
}

export type TryHappening =
  /** Sent before anything of the repository runs: all commands, in order. */
  | { readonly kind: "about-to-run"; readonly commands: readonly string[] }
  | { readonly kind: "set-up"; readonly commands: readonly string[] }
  | { readonly kind: "check-started"; readonly run: string }
  | { readonly kind: "check-ended"; readonly check: TriedCheck };

const LIMIT_MS = 10 * 60_000;
const GRACE_MS = 3000;

export const tryChecks = operation({
  name: "try-checks",
  schemas: async () => (await import("./schemas.ts")).tryChecks,
  async run({ cwd, signal }, input, on: (happening: TryHappening) => void) {
    const found = await inspect(cwd);
    if (!found.ok)
      throw refused(
        found.refusal,
        found.refusal.kind === "not-a-repository"
          ? "checks can only be tried in a git repository; to make one here: git init"
          : `cannot try the checks here: ${refusalText(found.refusal)}`,
      );
    const repository = found.value;
    const { checks = findProjectChecks(repository.root, cwd), withChanges = false } = input;
    const { setup, limitMs } = input;
    const request = { repository, folder: cwd, checks, withChanges };
    return tryOnBase({ ...request, ...defined({ setup, limitMs, stop: signal }) }, on);
  },
});

export async function tryOnBase(
  request: TryRequest,
  on: (happening: TryHappening) => void = () => undefined,
): Promise<TriedChecks & { readonly measured?: string }> {
  const { repository, withChanges, stop = new AbortController().signal } = request;
  const base = { ...defined({ commit: repository.head.commit ?? undefined }), withChanges };
  if (request.checks.length === 0) return { base, checks: [] };
  const plan = await planFor(request);
  const own = openHome();
  const tries = triesFolder(own);
  const home = { ...own, runDir: (id: string) => join(tries, id) };
  const id = `try-${randomBytes(6).toString("hex")}`;
  await removeLeftovers(tries);
  try {
    const asked = { repository: repository.root, plan, withChanges, inPlace: false };
    const start = await openWorkspace(home, id, asked, () => undefined);
    const workspace = accepted(id, await loadRun(start.workspace));
    const redaction = redactionOf(secretsOf(process.env));
    const trees = treesOf(id, workspace, start, redaction, {
      ...{ stop, now: () => Date.now(), tell: () => undefined },
      untilDead: async (attemptId) => void (await proveDead({ attemptId }, { graceMs: GRACE_MS })),
    });
    const setUp = plan.setupWhenChanged === true ? [] : plan.setup;
    on({ kind: "about-to-run", commands: [...setUp, ...request.checks.map(({ run }) => run)] });
    if (setUp.length > 0) on({ kind: "set-up", commands: setUp });
    const commit = await gitCommits(trees).base();
    if (!commit.ok) throw new ProblemError("machine", commit.failure.because[0] ?? "no tree");
    const checker = processChecker(id, redaction);
    const attemptId = `${id}/base/1`;
    const runs: Record<string, CheckRun> = {};
    const lent = await gitCheckTrees(trees).lend({ attemptId, commit: commit.value }, (tree) =>
      eachCheck(request, on, async (run) => {
        const checks = plan.subtasks["goal"]?.checks.filter((check) => check.run === run) ?? [];
        const ask = { attemptId, subtask: "base", slot: tree.slot, tree, checks, stop };
        const ran = (await checker.baseline(ask))[run];
        assert(ran !== undefined, `${run} was run`);
        runs[run] = ran;
        return ran;
      }),
    );
    if (stop.aborted) throw new ProblemError("not-now", "stopped before every check had run");
    if (!lent.ok) throw new ProblemError("machine", lent.failure.because[0] ?? "no tree");
    const setup = plan.setup.length === 0 ? {} : { setup: plan.setup };
    if (lent.value.kind === "lent") {
      const about = { plan, env: userEnvironment(), now: Date.now() };
      if (request.isKept === true)
        keepMeasured(own, id, { tree: commit.value.tree, runs, ...about });
      const measured = request.isKept === true ? { measured: id } : {};
      return { base, ...setup, checks: lent.value.value, ...measured };
    }
    const { command, run } = lent.value;
    const checks = request.checks.map((check) => cannotSetUp(check, command, run));
    for (const check of checks) on({ kind: "check-ended", check });
    return { base, ...setup, checks };
  } finally {
    await removeTry(home.runDir(id));
  }
}

/** Also removes what pins its base in the user's repository. */
async function removeTry(folder: string): Promise<void> {
  const loaded = await loadRun(join(folder, "workspace"));
  if (loaded.ok) await cleanUp(loaded.value);
  await forceRemove(folder);
}

async function eachCheck(
  { repository, checks, withChanges, stop }: TryRequest,
  on: (happening: TryHappening) => void,
  runOnce: (run: string) => Promise<CheckRun>,
): Promise<readonly TriedCheck[]> {
  const files = [...new Set(checks.map(({ from }) => from))];
  const held = await heldFiles(repository, files, withChanges);
  const tried: TriedCheck[] = [];
  for (const check of checks) {
    if (stop?.aborted === true) break;
    on({ kind: "check-started", run: check.run });
    const isHeld = !held.ok || held.value.includes(check.from);
    const ran = await runOnce(check.run);
    const ended = triedCheck(check, ran, repository.root, isHeld);
    tried.push(ended);
    on({ kind: "check-ended", check: ended });
  }
  return tried;
}

/** The plan of a run with these checks and nothing else. */
async function planFor(request: TryRequest): Promise<RunPlan> {
  const { repository, folder, withChanges, setup, limitMs = LIMIT_MS } = request;
  const checks = [...new Set(request.checks.map(({ run }) => run))];
  const { derived } =
    setup === undefined
      ? await deriveSetup({ repository, folder, withChanges, env: process.env })
      : {};
  const flags = { goal: "Try the checks", agent: AGENTS[0]?.name ?? "", checks };
  const reading = readPlan("", { ...flags, ...defined({ setup, derived }) }, PLAN_AGENTS);
  if (!reading.ok)
    throw new ProblemError("bad-input", reading.problems.map(({ message }) => message).join("; "));
  const plan = reading.value;
  const subtasks = Object.entries(plan.subtasks).map(
    ([id, subtask]) =>
      [
        id,
        { ...subtask, checks: subtask.checks.map((check) => ({ ...check, timeoutMs: limitMs })) },
      ] as const,
  );
  return { ...plan, subtasks: Object.fromEntries(subtasks) };
}
