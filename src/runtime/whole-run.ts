/**
 * The checks that frame a run: on the base before the first attempt, on the result before the end. Invariant: both
 * run in check trees, on exactly the commit they speak of.
 */
import { cannotJudge, setupCannot } from "../core/checks/judgement.ts";
import type { Command } from "../core/run/command.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { BaseProblem, CheckResult } from "../core/run/check-result.ts";
import { leavesFailing } from "../core/run/note.ts";
import { vectorItems } from "../core/persistent-collections.ts";
import { couldNotRun, judge } from "./judge.ts";
import { checksOf } from "./checks.ts";
import { withRoom } from "./waiting.ts";
import type { Reply, RunUnderway } from "./ports.ts";

type Ask<K extends Command["kind"]> = Extract<Command, { readonly kind: K }>;

export async function checkBase(
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
  const base = await withRoom(underway, () => ports.commits.base());
  if (!base.ok) return noTree(base.failure.because[0]);
  const checks = distinct(Object.values(plan.subtasks).flatMap((subtask) => subtask.checks));
  const answer = await withRoom(underway, () =>
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
    return cannot(setupCannot(answer.value.command, answer.value.run));
  const runs = Object.entries(answer.value.value);
  const outcomes = Object.fromEntries(runs.map(([check, ran]) => [check, ran.outcome]));
  const problems = runs.flatMap(([check, ran]) => cannotJudge(check, ran) ?? []);
  const green = runs.every(([, { outcome }]) => outcome.kind === "passed");
  return { ...ended, outcomes, problems, ...(green ? { goodCommit: base.value.commit } : {}) };
}

const distinct = (checks: readonly CheckPlan[]): readonly CheckPlan[] => [
  ...new Map(checks.map((check) => [check.run, check])).values(),
];

export async function checkResult(
  underway: RunUnderway,
  { id, round }: Ask<"final-check">,
): Promise<Reply | undefined> {
  const ended = { kind: "final-check-ended", round } as const;
  const tip = await withRoom(underway, () => underway.ports.commits.tip());
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

/** Those whose checks the result has to pass, and those that were kept with failures of the base. */
function doneSubtasks({ state }: RunUnderway): {
  readonly must: readonly string[];
  readonly open: readonly string[];
} {
  const { plan, subtasks } = state();
  const must: string[] = [];
  const open: string[] = [];
  for (const [index, { phase, notes }] of vectorItems(subtasks).entries()) {
    const id = plan.subtasks[index]?.id ?? "";
    if (notes.some(leavesFailing)) open.push(id);
    else if (phase === "verified" || (phase === "unverified" && notes.length > 0)) must.push(id);
  }
  return { must, open };
}
