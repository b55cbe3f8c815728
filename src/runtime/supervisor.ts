/**
 * Carries out the commands of one run: starts attempts, checks and merges through the ports and delivers their
 * outcomes. The checks on the base before the first attempt and on the result before the end run on exactly the commit
 * they judge. Invariants:
 * - S1 nothing of an agent runs before its identity is recorded.
 * - S2 a command found open after a restart is never silently repeated: an attempt is proven dead and reported lost.
 * - S3 every command is answered by exactly one input, whatever went wrong on the way.
 * - S4 a broken invariant or a failing engine ends the run's owner, not the run: the journal has its state.
 */
import type { Command } from "../core/run/command.ts";
import { closeCutOffAttempt, runAttempt } from "./attempt.ts";
import { wakeWaiting } from "./breaker.ts";
import { checkAttempt, checksOf, mergeAttempt } from "./checks.ts";
import { untilDead, retryWhileFull } from "./waiting.ts";
import type { Policy } from "../core/policy/policy.ts";
import type { RunState } from "../core/run/state.ts";
import { deliver, type OwnedRun, type Perform, type Reply, type RunUnderway } from "./ports.ts";
import { cannotJudge, setupProblem } from "../core/checks/judgement.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { BaseProblem, CheckResult } from "../core/run/check-result.ts";
import { checkFailure } from "../core/run/decide/attempt-failure.ts";
import { standardRules } from "../core/rules/standard.ts";
import { hasUnfixedFailures } from "../core/run/note.ts";
import { vectorItems } from "../core/persistent-collections.ts";
import { couldNotRun, judge } from "./judge.ts";
import type { CheckRun } from "./ports-workspace.ts";

/** Takes ownership of the run and supervises it to its end; the same call resumes it after a crash. */
export async function superviseRun(
  underway: Omit<RunUnderway, "state">,
  policy: Policy,
  /** The run has ended and is about to be reopened: its end is not carried out again. */
  { reopens = false }: { readonly reopens?: boolean } = {},
): Promise<SupervisedRun> {
  const holder: { owned?: OwnedRun } = {};
  const state = (): RunState => {
    if (holder.owned === undefined)
      throw new Error("broken invariant: a command before the run is owned");
    return holder.owned.state();
  };
  const early: [Command, boolean][] = [];
  const whole = { ...underway, state };
  const { perform, done } = supervise(whole);
  const owned = await underway.ports.engine.own(underway.run, policy, (command, again) => {
    if (reopens && again && command.kind === "end") return;
    if (holder.owned === undefined) early.push([command, again]);
    else perform(command, again);
  });
  holder.owned = owned;
  for (const [command, again] of early) perform(command, again);
  return { owned, done, heardNews: () => wakeWaiting(whole) };
}

interface SupervisedRun {
  readonly owned: OwnedRun;
  /** Settles when the run has ended or this owner was told to let go; rejects if the owner has to die. */
  readonly done: Promise<void>;
  /** To be called when other runs of the user may have found a service well again. */
  readonly heardNews: () => Promise<void>;
}

function supervise(underway: RunUnderway): {
  readonly perform: Perform;
  readonly done: Promise<void>;
} {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const underWay = new Set<Promise<void>>();
  const perform: Perform = (command, again) => {
    if (command.kind === "end") {
      // A cancelled run may end during a check or a merge: the result must no longer move when it is published.
      underway.letGo();
      Promise.allSettled(underWay)
        .then(() => publishResult(underway))
        .then(resolve, reject);
      return;
    }
    const work = answer(underway, command, again)
      .then(async (input) => void (await deliver(underway, input)))
      .catch(reject)
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  return { perform, done };
}

type Answerable = Exclude<Command, { readonly kind: "end" }>;

async function answer(
  underway: RunUnderway,
  command: Answerable,
  again: boolean,
): Promise<Reply | undefined> {
  if (again && !(await earlierWorkIsDead(underway, command))) return undefined;
  switch (command.kind) {
    case "start":
      return again ? closeCutOffAttempt(underway, command) : runAttempt(underway, command);
    case "check":
      return checkAttempt(underway, command);
    case "merge":
      return mergeAttempt(underway, command);
    case "baseline":
      return checkBase(underway, command);
    case "final-check":
      return checkResult(underway, command);
    case "interrupt":
      underway.running.get(`${command.subtask}/${command.attempt}`)?.attempt.stop(command.reason);
      return undefined;
    case "nudge":
      underway.running.get(`${command.subtask}/${command.attempt}`)?.attempt.steer?.(command.words);
      return undefined;
    case "permit": {
      const { subtask, attempt, request, allowed } = command;
      underway.running.get(`${subtask}/${attempt}`)?.permit(request, allowed);
      return undefined;
    }
    case "timer":
      return undefined;
    case "ask":
      underway.ports.notify(command);
      return undefined;
  }
}

/** An earlier owner's checks may still run in its trees. An attempt is found by its identity instead. */
async function earlierWorkIsDead(underway: RunUnderway, command: Answerable): Promise<boolean> {
  switch (command.kind) {
    case "check":
    case "merge":
      return untilDead(underway, `${underway.run}/${command.subtask}/${command.attempt}`);
    case "baseline":
    case "final-check":
      return untilDead(underway, command.id);
    default:
      return true;
  }
}

/** If the result cannot be published, the owner ends; the next one, or a person, deals with it. */
async function publishResult({ run, ports }: RunUnderway): Promise<void> {
  const published = await ports.workspace.publish();
  if (published.ok) {
    const given = await ports.standingTrees.releaseAll();
    if (!given.ok) ports.tell(`working trees stay on the disk: ${given.failure.because[0] ?? ""}`);
    return;
  }
  const why = published.failure.because[0] ?? published.failure.kind;
  const error = new Error(
    `the result of run ${run} could not be published: ${why}; see to that, then: unstuck resume ${run}`,
  );
  throw Object.assign(error, { code: "not-published" });
}

type Ask<K extends Command["kind"]> = Extract<Command, { readonly kind: K }>;

async function checkBase(
  underway: RunUnderway,
  { id, round }: Ask<"baseline">,
): Promise<Reply | undefined> {
  const { ports, plan, stop } = underway;
  const ended = { kind: "baseline-ended", round } as const;
  const cannot = (problem: BaseProblem): Reply => ({ ...ended, outcomes: {}, problems: [problem] });
  const noTree = (why = "the tree for the checks could not be made"): Reply =>
    cannot({
      ...{ check: "check tree", why, needed: true },
      mend: "see to that, then let the checks run again",
    });
  const base = await retryWhileFull(underway, () => ports.commits.base());
  if (!base.ok) return noTree(base.failure.because[0]);
  const checks = distinct(Object.values(plan.subtasks).flatMap((subtask) => subtask.checks));
  const answer = await retryWhileFull(underway, () =>
    ports.checkTrees.lend({ attemptId: id, commit: base.value }, (tree) =>
      ports.checker.baseline({
        ...{ attemptId: id, subtask: "base", slot: tree.slot, tree, checks, stop },
        memory: { tree: base.value.tree, fresh: round > 1, isCold: tree.cold },
      }),
    ),
  );
  if (stop.aborted) return undefined;
  if (!answer.ok) return noTree(answer.failure.because[0]);
  if (answer.value.kind === "not-ready")
    return cannot(setupProblem(answer.value.command, answer.value.run));
  const runs = Object.entries(answer.value.value);
  const outcomes = Object.fromEntries(runs.map(([check, ran]) => [check, ran.outcome]));
  const problems = runs.flatMap(([check, ran]) => cannotJudge(check, ran) ?? []);
  const green = runs.every(([, { outcome }]) => outcome.kind === "passed");
  const broken = runs.some(([, ran]) => !green && isBrokenBuild(ran));
  return {
    ...{ ...ended, outcomes, problems, ...(green ? { goodCommit: base.value.commit } : {}) },
    ...(broken ? { broken } : {}),
  };
}

const isBrokenBuild = ({ outcome, stdout, stderr }: CheckRun): boolean =>
  outcome.kind === "failed" &&
  checkFailure({ stdout, stderr }, standardRules()).kind === "broken_build";

const distinct = (checks: readonly CheckPlan[]): readonly CheckPlan[] => [
  ...new Map(checks.map((check) => [check.run, check])).values(),
];

async function checkResult(
  underway: RunUnderway,
  { id, round }: Ask<"final-check">,
): Promise<Reply | undefined> {
  const ended = { kind: "final-check-ended", round } as const;
  const tip = await retryWhileFull(underway, () => underway.ports.commits.tip());
  if (!tip.ok) return { ...ended, result: couldNotRun(tip.failure.because[0]), confirmed: [] };
  const cold = underway.plan.finalCheck === "cold";
  const judged = (checks: readonly CheckPlan[]): Promise<CheckResult> =>
    judge(underway, tip.value, {
      ...{ subtask: "result", attemptId: id, checks, cold, fresh: round > 1 },
    });
  const { must, open } = doneSubtasks(underway);
  const result = await judged(
    distinct(must.flatMap((subtask) => checksOf(underway, subtask).checks)),
  );
  const confirmed: string[] = [];
  for (const subtask of open) {
    if (underway.stop.aborted) return undefined;
    if ((await judged(checksOf(underway, subtask).checks)).kind === "passed")
      confirmed.push(subtask);
  }
  return underway.stop.aborted ? undefined : { ...ended, result, confirmed };
}

/** Subtasks whose checks the result has to pass, and subtasks that kept failures of the base. */
function doneSubtasks({ state }: RunUnderway): Record<"must" | "open", readonly string[]> {
  const { plan, subtasks } = state();
  const must: string[] = [];
  const open: string[] = [];
  for (const [index, { phase, notes }] of vectorItems(subtasks).entries()) {
    const id = plan.subtasks[index]?.id ?? "";
    if (notes.some(hasUnfixedFailures)) open.push(id);
    else if (phase === "verified" || (phase === "unverified" && notes.length > 0)) must.push(id);
  }
  return { must, open };
}
