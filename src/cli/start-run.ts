/**
 * Starts a new run: opens its workspace, runs the checks once on the base, and writes down what is pinned.
 * Imports workspace, checks and home. Nothing of an agent runs here.
 */
import { baselineOf } from "../agents/checks/checker.ts";
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { OpenTree } from "../runtime/ports-workspace.ts";
import { tameLine } from "../core/foreign-text.ts";
import { keepCarried, type Carried } from "../workspace/carried.ts";
import { snapshot } from "../workspace/snapshot.ts";
import { checkoutWorktree } from "../workspace/view.ts";
import { slotEnvironment } from "../workspace/slot-git.ts";
import { leaseSlot, markReady } from "../workspace/slot.ts";
import { openRun } from "../workspace/run.ts";
import type { Result, Run } from "../workspace/types.ts";
import { crashPoint } from "./crash-point.ts";
import type { Home } from "./home.ts";
import { UsageError } from "./io.ts";
import { runSetup, userEnvironment } from "./run-workspace.ts";
import type { Pinned } from "./pinned.ts";

export interface StartOptions {
  readonly home: Home;
  readonly run: string;
  readonly repository: string;
  readonly plan: RunPlan;
  readonly withChanges: boolean;
  readonly inPlace: boolean;
  readonly tell: (words: string) => void;
}

export interface StartedRun {
  readonly pinned: Pinned;
  readonly goodCommit?: string;
}

const BASE_SLOT = "1";
/** The checkout as it was before a run in place touched it. */
export const START_SNAPSHOT = "start";

export async function startRun(options: StartOptions): Promise<StartedRun> {
  const { home, run, repository, plan, withChanges, inPlace, tell } = options;
  const workspace = `${home.runDir(run)}/workspace`;
  const base = withChanges || inPlace ? "with-changes" : "head";
  const opened = valueOf(
    run,
    await openRun(
      { id: run, repository, runDir: workspace, base, inPlace, at: Date.now() },
      { onPoint: crashPoint },
    ),
  );
  if (!inPlace && plan.carry.length > 0) {
    const kept = valueOf(run, await keepCarried(opened, plan.carry, { onPoint: crashPoint }));
    for (const words of carriedWords(kept)) tell(words);
  }
  if (inPlace)
    valueOf(
      run,
      await snapshot(opened, checkoutWorktree(opened), {
        label: START_SNAPSHOT,
        at: Date.now(),
        start: true,
      }),
    );
  const checks = Object.values(plan.subtasks).flatMap((subtask) => subtask.checks);
  const place = { workspace, ...(inPlace ? { inPlace } : {}) };
  if (checks.length === 0) return { pinned: { plan, baseline: {}, ...place } };
  tell("running the checks on the base, so that nobody is blamed for what is there already");
  const tree = inPlace
    ? { cwd: opened.root, env: userEnvironment() }
    : await baseTree(run, opened, plan);
  const baseline = await baselineOf(run, {
    place: { subtask: "base", attempt: 0, slot: BASE_SLOT },
    tree,
    checks,
    stop: new AbortController().signal,
  });
  const green = Object.values(baseline).every(({ kind }) => kind === "passed");
  for (const [command, { kind }] of Object.entries(baseline))
    tell(`  ${kind === "passed" ? "passes already" : kind}: ${command}`);
  return { pinned: { plan, baseline, ...place }, ...(green ? { goodCommit: opened.base } : {}) };
}

async function baseTree(run: string, opened: Run, plan: RunPlan): Promise<OpenTree> {
  const lease = valueOf(
    run,
    await leaseSlot(opened, {
      slot: BASE_SLOT,
      commit: opened.base,
      id: "base",
      at: Date.now(),
      carry: plan.carry,
    }),
  );
  const tree = {
    cwd: lease.worktree.path,
    env: { ...userEnvironment(), ...slotEnvironment(opened, lease.worktree) },
  };
  const problem = await runSetup(run, plan.setup, tree);
  if (problem !== undefined) throw new UsageError(`run ${run}: ${problem}`);
  valueOf(run, await markReady(opened, lease.worktree, JSON.stringify(plan.setup)));
  return tree;
}

/** What of it a person should know. */
function carriedWords({ left, repointed }: Carried): readonly string[] {
  const names = (some: readonly string[]): string =>
    tameLine(some.slice(0, 5).join(", ") + (some.length > 5 ? ", …" : ""), 400);
  return [
    ...(left.length === 0
      ? []
      : [`not carried (not there, tracked or unreadable): ${names(left)}`]),
    ...(repointed.length === 0
      ? []
      : [`carried files that name this checkout name the working tree there: ${names(repointed)}`]),
  ];
}

function valueOf<T>(run: string, result: Result<T>): T {
  if (result.ok) return result.value;
  const files =
    result.refusal.files === undefined ? "" : ` (${result.refusal.files.slice(0, 10).join(", ")})`;
  throw new UsageError(`run ${run}: ${result.refusal.detail}${files}`);
}
