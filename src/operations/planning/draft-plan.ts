/**
 * A plan written by the user's own agent from a goal, a document or open issues (U19), for review. Invariants: nothing
 * is written and nothing of the plan is run; the agent works in a throw-away tree; foreign text reaches it as quoted
 * data.
 */
import { join } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import { DOCUMENTS_MAX_CHARS, type PlanSources } from "../../core/plan/plan-request.ts";
import { deriveSetup } from "../setup/repository-setup.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import { defined, operation, ProblemError, type Context } from "../operation.ts";
import { PLAN_FILE, withUnreportedUse } from "../runs/given-plan.ts";
import { repositoryAt } from "../runs/open-run.ts";
import { findProjectChecks } from "../setup/checks/find-checks.ts";
import { describeProblems, textIfThere } from "../text.ts";
import { askForPlan, type PlanHappening } from "./ask-for-plan.ts";
import { describePlan } from "./describe-plan.ts";
import { openIssues } from "./open-issues.ts";
import { planningAgent } from "./planning-agent.ts";
import { planText } from "./plan-text.ts";
import type { PlanDescription } from "./schemas.ts";

export type { PlanDescription, PlanHappening };

export const draftPlan = operation({
  name: "plan",
  schemas: async () => (await import("./schemas.ts")).draftPlan,
  async run(context, input, on: (happening: PlanHappening) => void) {
    const { goal, document, issues, change, agent: asked, usd: limit } = input;
    if ((goal ?? document?.text ?? "x").trim() === "")
      throw new ProblemError("bad-input", "there is nothing to plan: the goal is empty");
    const repository = await repositoryAt(context.cwd);
    const planner = await planningAgent(repository.root, asked);
    const documents = [
      ...(document === undefined ? [] : [document]),
      ...(issues === undefined ? [] : await openIssues(repository.root, issues, context.signal)),
    ];
    const checks = findProjectChecks(repository.root, repository.root);
    const sources = { ...defined({ goal, change }), documents, checks };
    tellCut(context, sources);
    const signal = defined({ signal: context.signal });
    const { plan, ...spent } = await askForPlan(repository, planner, sources, { ...signal, on });
    const text = planText(plan, {
      goal: goal ?? plan.goal ?? documents.map(({ name }) => name).join(", "),
      agent: planner.named,
      usd: limit,
      existing: asked === undefined ? textIfThere(join(repository.root, PLAN_FILE)) : undefined,
    });
    const description = await describedText(text, repository);
    return { ...description, text, agent: planner.named, ...spent };
  },
});

/** The text as a run would read it. */
async function describedText(text: string, repository: Inspection): Promise<PlanDescription> {
  const { root: folder } = repository;
  const place = { repository, folder, withChanges: false, env: process.env };
  const { derived } = await deriveSetup(place);
  const read = readPlan(text, defined({ derived }), PLAN_AGENTS);
  if (!read.ok) throw new ProblemError("bad-input", describeProblems(PLAN_FILE, read.problems));
  return describePlan(withUnreportedUse(read.value));
}

function tellCut({ tell }: Context, { documents }: PlanSources): void {
  const each = Math.floor(DOCUMENTS_MAX_CHARS / Math.max(1, documents.length));
  const long = documents.filter(({ text }) => text.length > each);
  if (long.length === 0) return;
  const names = long.map(({ name }) => cleanLine(name, 60)).join(", ");
  tell?.(`note: too long to be read in full, the middle is left out: ${names}`);
}
