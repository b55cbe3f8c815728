/**
 * The checks that frame a run: on the base before the first attempt, on the result before the end. Invariant: both
 * run in check trees, on exactly the commit they speak of.
 */
import { cannotJudge, setupCannot } from "../core/checks/judgement.ts";
import type { Command } from "../core/run/command.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { CheckResult } from "../core/run/input.ts";
import { leavesFailing } from "../core/run/note.ts";
import { vectorItems } from "../core/persistent-vector.ts";
import { couldNotRun } from "./check-results.ts";
import { checksOf } from "./checks.ts";
import { judge } from "./judge.ts";
import { untilDead, withRoom } from "./patience.ts";
import type { Commit } from "./ports-workspace.ts";
import type { Reply, RunUnderway } from "./ports.ts";

type Ask<K extends Command["kind"]> = Extract<Command, { readonly kind: K }>;

export async function checkBase(
  supervised: RunUnderway,
  { id, round }: Ask<"baseline">,
  again: boolean,
): Promise<Reply | undefined> {
  const { ports, plan, stop } = supervised;
  if (again && !(await untilDead(supervised, id, undefined))) return undefined;
  const ended = { kind: "baseline-ended", round } as const;
  const unable = (why = "the tree for the checks could not be made"): Reply => ({
    ...{ ...ended, outcomes: {} },
    problems: [
      {
        ...{ check: "check tree", why, needed: true },
        mend: "see to that, then let the checks run again",
      },
    ],
  });
  const base = await withRoom(supervised, () => ports.commits.base());
  if (!base.ok) return unable(base.failure.because[0]);
  const checks = distinct(
    Object.keys(plan.subtasks).flatMap((one) => plan.subtasks[one]?.checks ?? []),
  );
  const answer = await withRoom(supervised, () =>
    ports.checkTrees.lend({ attemptId: id, commit: base.value }, (tree) =>
      ports.checker.baseline({
        ...{ attemptId: id, subtask: "base", slot: tree.slot, tree, checks, stop },
        memory: { tree: base.value.tree, fresh: round > 1, isCold: tree.cold },
      }),
    ),
  );
  if (stop.aborted) return undefined;
  if (!answer.ok) return unable(answer.failure.because[0]);
  if (answer.value.kind === "not-ready")
    return {
      ...ended,
      outcomes: {},
      problems: [setupCannot(answer.value.command, answer.value.run)],
    };
  const runs = answer.value.value;
  const outcomes = Object.fromEntries(
    Object.entries(runs).map(([check, ran]) => [check, ran.outcome]),
  );
  const problems = Object.entries(runs).flatMap(([check, ran]) => {
    const problem = cannotJudge(check, ran);
    return problem === undefined ? [] : [problem];
  });
  const green = Object.values(outcomes).every(({ kind }) => kind === "passed");
  return { ...ended, outcomes, problems, ...(green ? { goodCommit: base.value.commit } : {}) };
}

const distinct = (checks: readonly CheckPlan[]): readonly CheckPlan[] => [
  ...new Map(checks.map((check) => [check.run, check])).values(),
];

export async function checkResult(
  supervised: RunUnderway,
  { id, round }: Ask<"final-check">,
  again: boolean,
): Promise<Reply | undefined> {
  if (again && !(await untilDead(supervised, id, undefined))) return undefined;
  const ended = { kind: "final-check-ended", round } as const;
  const tip = await withRoom(supervised, () => supervised.ports.commits.tip());
  if (!tip.ok) return { ...ended, result: couldNotRun(tip.failure.because[0]), confirmed: [] };
  const { must, open } = doneSubtasks(supervised);
  const checks = distinct(must.flatMap((subtask) => checksOf(supervised, subtask).checks));
  const result = await ofTip(supervised, tip.value, { id, round, checks });
  const confirmed: string[] = [];
  for (const subtask of open) {
    if (supervised.stop.aborted) return undefined;
    const own = { id, round, checks: checksOf(supervised, subtask).checks };
    if ((await ofTip(supervised, tip.value, own)).kind === "passed") confirmed.push(subtask);
  }
  return supervised.stop.aborted ? undefined : { ...ended, result, confirmed };
}

function ofTip(
  supervised: RunUnderway,
  tip: Commit,
  ask: { readonly id: string; readonly round: number; readonly checks: readonly CheckPlan[] },
): Promise<CheckResult> {
  const cold = supervised.plan.finalCheck === "cold";
  const { checks } = ask;
  return judge(supervised, tip, {
    ...{ subtask: "result", attemptId: ask.id, checks, cold, fresh: ask.round > 1 },
  });
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
