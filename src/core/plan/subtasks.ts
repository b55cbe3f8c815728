/**
 * Derives the subtasks of a plan from its file. Grounding means looking before acting: a read-only subtask comes first,
 * and its answer is an input of all others, unless the plan has a read-only subtask of its own. Invariant: grounding is
 * on by default only if it is worth its price: several subtasks share it, and every agent's answer can be separated
 * from its other output.
 */
import { defined } from "../defined.ts";
import { budgetOf, minutesToMs, PLAN_DEFAULTS } from "./run-plan.ts";
import type { ModelEntry, Subtask } from "./plan.ts";
import type { AgentPlan, CheckPlan, SubtaskPlan } from "./run-plan.ts";
import type { PlanFile } from "./schema.ts";
import type { CheckFile, SubtaskFile } from "./subtask-schema.ts";

export const GROUNDING_ID = "grounding";

export function isGroundedByDefault(
  policy: string,
  files: readonly SubtaskFile[],
  ladder: readonly ModelEntry[],
  agents: Readonly<Record<string, AgentPlan>>,
  plain: string,
): boolean {
  if (policy === "tier-ladder") return true; // its source document always looks first
  const used = ladder.filter(({ disabled }) => disabled !== true);
  return files.length > 1 && used.every(({ agent }) => isTyped(agents[agent], plain));
}

const isTyped = (agent: AgentPlan | undefined, plain: string): boolean =>
  agent !== undefined && (agent.adapter !== plain || agent.format !== undefined);

export function grounded(
  files: readonly SubtaskFile[],
  goal: string | undefined,
): readonly SubtaskFile[] {
  if (
    files.length === 0 ||
    files.some(({ id, readOnly }) => readOnly === true || id === GROUNDING_ID)
  )
    return files;
  const tasks = goal ?? files.map(({ prompt }) => prompt).join("\n");
  const first: SubtaskFile = {
    id: GROUNDING_ID,
    readOnly: true,
    prompt: [
      "Look before anything is changed. Read the files that the following work is about and report, briefly:",
      "what is there, what is missing, how it is built and checked, and what to be careful with.",
      "Change nothing. Report gaps; do not fill them with guesses.",
      "",
      tasks.slice(0, 20_000),
    ].join("\n"),
  };
  return [
    first,
    ...files.map((file) => ({ ...file, inputs: [GROUNDING_ID, ...(file.inputs ?? [])] })),
  ];
}

export function subtasksOf(
  file: PlanFile,
  flags: { readonly goal?: string },
): readonly SubtaskFile[] {
  if (file.subtasks !== undefined && flags.goal === undefined) return file.subtasks;
  const goal = flags.goal ?? file.goal;
  return goal === undefined ? [] : [{ id: "goal", prompt: goal }];
}

export function coreSubtask(file: SubtaskFile, checks: number): Subtask {
  const { id, prompt, dependsOn, tier, readOnly, critical, exploratory, output, limits } = file;
  return {
    id,
    prompt,
    dependsOn: [...new Set([...(dependsOn ?? []), ...(file.inputs ?? [])])],
    checks,
    ...defined({ tier, readOnly: readOnly || undefined, critical: critical || undefined }),
    ...(exploratory === true ? { exploratory } : {}),
    ...(output === undefined ? {} : { structuredOutput: true }),
    limits: defined({
      maxRetries: limits?.max_retries,
      budget: limits?.budget && budgetOf(limits.budget),
    }),
  };
}

export function subtaskPlan(
  file: PlanFile,
  flags: { readonly checks?: readonly string[] },
  of: SubtaskFile,
): SubtaskPlan {
  const checks = of.readOnly === true ? [] : (of.checks ?? flags.checks ?? file.checks ?? []);
  return {
    prompt: of.prompt,
    checks: checks.map(checkPlan),
    tests: of.tests ?? file.tests ?? "judge",
    inputs: of.inputs ?? [],
    ...defined({ output: of.output }),
    totalMs: minutesToMs(of.limits?.minutes ?? file.attempt?.minutes, PLAN_DEFAULTS.attemptMs),
    idleMs: minutesToMs(of.limits?.idleMinutes ?? file.attempt?.idleMinutes, PLAN_DEFAULTS.idleMs),
  };
}

function checkPlan(check: CheckFile): CheckPlan {
  const { run, name, minutes, expect } = typeof check === "string" ? { run: check } : check;
  return {
    run,
    name: name ?? run,
    timeoutMs: minutesToMs(minutes, PLAN_DEFAULTS.checkMs),
    ...(expect === "no-worse" ? { noWorse: true } : {}),
  };
}
