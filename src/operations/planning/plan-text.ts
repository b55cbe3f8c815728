/**
 * The plan file made from an agent's answer. The settings of an existing plan (agents, models, limits, set-up) stay as
 * the user has them: only the goal, the subtasks and their checks are new. A new file names the agent and limits the
 * attempts. Invariant: the written file can be read as a plan.
 */
import { Document, isMap, parseDocument, YAMLSeq } from "yaml";
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { assert } from "../../core/assert.ts";
import type { WrittenPlan } from "../../core/plan/plan-answer.ts";
import { readPlan } from "../../core/plan/read-plan.ts";

/** Limit per subtask in a new plan. */
const ATTEMPTS_EACH = 6;

interface PlanSettings {
  readonly goal: string;
  /** Set if it was chosen for this plan rather than taken from the existing one. */
  readonly agent: string;
  /** The text of the existing plan. */
  readonly existing?: string | undefined;
  readonly usd?: number | undefined;
}

export function planText(plan: WrittenPlan, settings: PlanSettings): string {
  const { goal, agent, usd } = settings;
  const document = kept(settings.existing) ?? fresh(agent, plan.subtasks.length);
  document.set("goal", goal);
  const subtasks = new YAMLSeq();
  for (const [index, one] of plan.subtasks.entries()) {
    const subtask = document.createNode<object>(one);
    subtask.spaceBefore = index > 0;
    subtasks.add(subtask);
  }
  document.set("subtasks", subtasks);
  document.delete("checks");
  if (usd !== undefined) document.setIn(["budget", "usd"], usd);
  const text = document.toString({ lineWidth: 0 });
  assert(readPlan(text, {}, PLAN_AGENTS).ok, "the plan that is written can be read");
  return text;
}

function fresh(agent: string, subtasks: number): Document {
  const document = new Document({
    ...{ goal: "", agent, budget: { attempts: subtasks * ATTEMPTS_EACH } },
  });
  document.commentBefore = " A plan for Unstuck. Start it with: unstuck run";
  return document;
}

/** The existing plan; undefined if there is none, or it is not valid. */
function kept(existing: string | undefined): Document | undefined {
  if (existing === undefined || !readPlan(existing, {}, PLAN_AGENTS).ok) return undefined;
  const document = parseDocument(existing) as Document;
  return isMap(document.contents) ? document : undefined;
}
