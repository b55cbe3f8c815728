/**
 * Prepares a goal for its start: the repository's own checks and set-up, tried once on the commit that the work starts
 * from, a budget, and the resulting plan. Invariants: no agent is started and the checkout does not change; if consent
 * is needed and cannot be given, it refuses before anything runs.
 */
import { realpathSync } from "node:fs";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { openHome } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError, type InputOf } from "../operation.ts";
import { repositoryAt } from "../runs/open-run.ts";
import { lookForChecks } from "../setup/checks/find-checks.ts";
import { deriveSetup } from "../setup/repository-setup.ts";
import { tryOnBase, type TryHappening } from "../setup/try-on-base.ts";
import { sha256 } from "../text.ts";
import { isTrusted, trust } from "../user-config.ts";
import { goalBudget } from "./goal-budget.ts";
import { goalChecks, type GoalCheck, type LeftOutCheck } from "./goal-checks.ts";
import type { PreparedGoal } from "./schemas.ts";

const GOAL_CHARS = 100_000;

export const prepareGoal = operation({
  name: "prepare-goal",
  schemas: async () => (await import("./schemas.ts")).prepareGoal,
  async run({ cwd, signal }, input, on: (happening: TryHappening) => void): Promise<PreparedGoal> {
    if (input.yes === true) refuseInsideAttempt("--yes", { orphans: "allowed" });
    const goal = goalText(input.goal);
    const { agent, yes = false, canAsk = false, noChecks = false } = input;
    const repository = await withCommit(cwd);
    const { root } = repository;
    const folder = realpathSync(cwd);
    const setup = await setupFor(repository, folder, input);
    const isNamed = noChecks || input.checks !== undefined;
    const found = isNamed ? { checks: [], leftOut: [] } : lookForChecks(root, folder);
    const named = noChecks ? [] : (input.checks ?? []);
    const runs = [...named, ...found.checks.map(({ run }) => run)];
    const mark = sha256(JSON.stringify(["goal", root, agent.agent, runs, setup?.commands ?? []]));
    const isRemembered = isTrusted(openHome().trust, mark);
    if (!canAsk && !yes && !isRemembered) throw nobodyToAsk();
    if (runs.length === 0 && !noChecks && (yes || !canAsk) && !isRemembered) throw noChecksFound();
    const asked = { repository, folder, checks: found.checks };
    const withChanges = input.withChanges === true || input.inPlace === true;
    const more = defined({ setup: input.setup, stop: signal });
    // A user who agreed to exactly these commands need not see them again.
    const tell = (happening: TryHappening): void =>
      isRemembered && happening.kind === "about-to-run" ? undefined : on(happening);
    const tried = await tryOnBase({ ...asked, withChanges, isKept: true, ...more }, tell);
    const { checks, leftOut: cannot } = goalChecks(goal, tried.checks);
    const leftOut = [...cannot, ...found.leftOut.map(({ what: run, ...one }) => ({ run, ...one }))];
    const all: readonly GoalCheck[] = [
      ...named.map((run) => ({ run, expect: "pass" as const })),
      ...checks,
    ];
    const lostAll = runs.length > 0 && all.length === 0;
    if (lostAll && (yes || !canAsk)) throw noneRuns(leftOut);
    const budget = goalBudget(input.usd, agent.namesCost);
    return {
      ...{ goal, repository: root, from: repository.head, agent, ...defined({ setup }) },
      ...{ checks: all, leftOut, budget, mark, ...defined({ measured: tried.measured }) },
      changesLeftOut: withChanges ? 0 : changedFiles(repository),
      agreed: yes || (isRemembered && !lostAll),
      // Uses the set-up that was tried, even if the run would look for it in another folder.
      plan: planText({ goal, agent, budget, checks: all }, folder === root ? undefined : setup),
    };
  },
});

const changedFiles = ({ dirty }: Inspection): number =>
  new Set([...dirty.staged, ...dirty.unstaged, ...dirty.untracked]).size;

const planText = (
  { goal, agent, budget, checks }: Pick<PreparedGoal, "goal" | "agent" | "budget" | "checks">,
  setup: PreparedGoal["setup"],
): string =>
  JSON.stringify({
    ...{ goal, agent: agent.agent, budget },
    ...(checks.length > 0 ? { checks: checks.map(({ run, expect }) => ({ run, expect })) } : {}),
    ...(setup === undefined ? {} : { workspace: { setup: setup.commands } }),
  });

/** Records that a person agreed to start goals here with this agent, these checks and this set-up. */
export const agreeToStart = operation({
  name: "agree-to-start",
  schemas: async () => (await import("./schemas.ts")).agreeToStart,
  run(_, { mark }) {
    refuseInsideAttempt("agreeing to a start");
    trust(openHome().trust, mark);
    return { kept: true };
  },
});

function goalText(given: string): string {
  const goal = given.trim();
  if (goal === "")
    throw new ProblemError("bad-input", 'the goal is empty. Say what to do: unstuck "fix the bug"');
  if (goal.length > GOAL_CHARS)
    throw new ProblemError(
      "bad-input",
      `the goal is longer than ${GOAL_CHARS} characters: put it in a file and name the file in the goal`,
    );
  return goal;
}

async function withCommit(folder: string): Promise<Inspection> {
  const repository = await repositoryAt(folder);
  if (repository.head.commit === null)
    throw new ProblemError(
      "bad-input",
      "this repository has no commit yet. Make one first: git add -A && git commit -m start",
    );
  return repository;
}

async function setupFor(
  repository: Inspection,
  folder: string,
  { setup, withChanges = false }: InputOf<typeof prepareGoal>,
): Promise<PreparedGoal["setup"]> {
  if (setup !== undefined) return setup.length === 0 ? undefined : { commands: setup, from: "" };
  const { derived } = await deriveSetup({ repository, folder, withChanges, env: process.env });
  return derived && { commands: derived.setup, from: derived.from };
}

const nobodyToAsk = (): ProblemError =>
  new ProblemError("bad-input", "the first start in a repository needs your yes", {
    next: "--yes",
  });

const noChecksFound = (): ProblemError =>
  new ProblemError(
    "bad-input",
    "found no checks here, so nothing could be verified. Name one with --check, or add --no-checks",
    { next: "--check 'make test'" },
  );

function noneRuns(leftOut: readonly LeftOutCheck[]): ProblemError {
  const lines = leftOut.map(({ run, why }) => `  ${cleanLine(run, 200)}: ${cleanLine(why, 300)}`);
  return new ProblemError(
    "bad-input",
    `none of the checks found here can run, so nothing could be verified:\n${lines.join("\n")}\n` +
      "Name one that can with --check, or add --no-checks",
    { next: "--check 'make test'" },
  );
}
