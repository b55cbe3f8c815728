/**
 * Checks a plan as it is being written: its errors, each with its line, or what a run of it would start, check and cost
 * at most. Invariant: nothing is started, written or kept.
 */
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import { defined, operation, problemOf } from "../operation.ts";
import { problemsBeforeStart, type StartProblem } from "../runs/before-start.ts";
import { givenPlan } from "../runs/given-plan.ts";
import { repositoryAt } from "../runs/open-run.ts";
import { planPlaces } from "../runs/plan-places.ts";
import { describePlan } from "./describe-plan.ts";

const MOST = 20;

export const checkPlan = operation({
  name: "check-plan",
  schemas: async () => (await import("./schemas.ts")).checkPlan,
  async run(context, { planText }) {
    const read = readPlan(planText, {}, PLAN_AGENTS);
    if (!read.ok) {
      const problems = read.problems.slice(0, MOST).map(({ line, column, message, path }) => ({
        ...(line > 0 ? { line, column } : {}),
        message: cleanLine(path === "" ? message : `${path}: ${message}`, 400),
      }));
      return { problems };
    }
    const repository = await repositoryAt(context.cwd);
    try {
      const { plan } = await givenPlan(context, { planText }, repository);
      const places = planPlaces(PLAN, planText, {});
      const found = problemsBeforeStart({ plan, places, repository, fromCheckout: false });
      return { problems: found.slice(0, MOST).map(placed), plan: describePlan(plan) };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      return { problems: [{ message: problem.message }] };
    }
  },
});

const PLAN = "plan";

function placed({ place, message, next }: StartProblem) {
  const [, line, column] = /^plan:(\d{1,9}):(\d{1,9})$/.exec(place ?? "") ?? [];
  const at = line === undefined ? {} : { line: Number(line), column: Number(column) };
  return { ...at, message: cleanLine(message, 400), ...defined({ next: cleanLine(next, 400) }) };
}
