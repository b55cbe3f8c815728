/**
 * What a seed stands for: a plan, a policy, and how often what goes wrong. Invariant: everything follows from the
 * seed and the policy asked for.
 */
import type { Budget } from "../../../src/core/budget.ts";
import type { ModelEntry, Subtask } from "../../../src/core/plan/plan.ts";
import type { RunPlan, SubtaskPlan } from "../../../src/core/plan/run-plan.ts";
import { ADAPTIVE, type AdaptivePolicy } from "../../../src/core/adaptive/policy-data.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { TEMPERS, type Temper } from "./agent-script.ts";
import type { Chance } from "./chance.ts";

export interface Scenario {
  readonly plan: RunPlan;
  /** Agents of the plan that are not there. */
  readonly missingAgents: readonly string[];
  readonly temper: Temper;
  readonly faults: Faults;
}

export interface Faults {
  /** Of each named point and each effect of the owner. */
  readonly deathRate: number;
  readonly deathsMax: number;
  readonly guardLossRate: number;
  readonly refusalRate: number;
  readonly flakyRate: number;
  readonly brokenCheckRate: number;
  /** The checks fail on the base: no work is good enough until somebody mends it. */
  readonly brokenBase: boolean;
  readonly writeFaultRate: number;
  readonly diskFullPeriods: number;
  readonly clockJumps: number;
  readonly duplicates: number;
  readonly cancelled: boolean;
  readonly pauses: number;
  /** The owner leaves when only a person can help, as the command line does. */
  readonly leavesWhenPaused: boolean;
  /** Another process wrongly believes the owner dead and takes the run. */
  readonly usurper: boolean;
  readonly snapshotSize: number;
}

const MINUTE = 60_000;
const AGENTS = ["small", "codex", "large"] as const;

export function scenarioOf(chance: Chance, policy: PresetName | "adaptive" | undefined): Scenario {
  const names = Object.keys(PRESETS) as PresetName[];
  const preset = chance.happens(0.5) ? "standard" : chance.pick(names);
  const drawn = chance.fork("policy").happens(0.5) ? "adaptive" : preset;
  return {
    plan: planOf(chance.fork("plan"), policy ?? drawn),
    missingAgents: chance.happens(0.05) ? [chance.pick(AGENTS)] : [],
    temper: chance.pick(TEMPERS),
    faults: faultsOf(chance.fork("faults")),
  };
}

function faultsOf(chance: Chance): Faults {
  return {
    deathRate: chance.pick([0, 0.003, 0.01, 0.03]),
    deathsMax: chance.between(1, 8),
    guardLossRate: chance.pick([0, 0.2, 0.6]),
    refusalRate: chance.pick([0, 0, 0.02, 0.05]),
    flakyRate: chance.pick([0, 0.1, 0.3]),
    brokenCheckRate: chance.pick([0, 0, 0.05, 0.15]),
    writeFaultRate: chance.pick([0, 0, 0, 0.005]),
    diskFullPeriods: chance.pick([0, 0, 0, 2]),
    clockJumps: chance.pick([0, 0, 1, 4]),
    duplicates: chance.pick([0, 2, 6]),
    cancelled: chance.happens(0.15),
    leavesWhenPaused: chance.happens(0.5),
    usurper: chance.happens(0.05),
    snapshotSize: chance.pick([500, 5000, 50_000]),
    brokenBase: chance.happens(0.3),
    pauses: chance.pick([0, 0, 0, 1, 3]),
  };
}

function planOf(chance: Chance, policy: PresetName | "adaptive"): RunPlan {
  const count = chance.pick([1, 2, 2, 3, 3, 4, 5, 6]);
  const ids = Array.from({ length: count }, (_, index) => "abcdef"[index] ?? "z");
  const subtasks = ids.map((id, index) => subtaskOf(chance, id, ids.slice(0, index)));
  return {
    plan: {
      goal: "a simulated goal",
      subtasks,
      ladder: ladderOf(chance),
      concurrency: chance.between(1, 4),
      ...(subtasks.some(({ checks }) => checks > 0) && chance.happens(0.8) ? { judged: true } : {}),
      ...(chance.happens(0.2) ? { maxSubtaskRetries: chance.between(0, 4) } : {}),
      budget: chance.happens(0.4) ? budgetOf(chance, count) : {},
      ...(chance.happens(0.2) ? { expireMs: chance.between(1, 600) * MINUTE } : {}),
      ...(chance.happens(0.15) ? { recoveryBudget: { attempts: chance.between(1, 8) } } : {}),
      attemptCap: chance.happens(0.4) ? { usd: 1, timeMs: 20 * MINUTE } : {},
    },
    policy: policy === "adaptive" ? adaptiveOf(chance.fork("person")) : PRESETS[policy],
    subtasks: Object.fromEntries(
      subtasks.map((subtask) => [subtask.id, detailsOf(chance, subtask)]),
    ),
    agents: Object.fromEntries(
      AGENTS.map((agent) => [agent, { adapter: "command" as const, command: `${agent} {prompt}` }]),
    ),
    permissions: { sudo: "deny", install: "deny", delete: "deny", full: false },
    setup: [],
    carry: [],
    protect: [],
    setupInputs: [],
    finalCheck: "cold",
    forbidProtected: false,
  };
}

const adaptiveOf = (chance: Chance): AdaptivePolicy =>
  chance.happens(0.5) ? { ...ADAPTIVE, quietHours: "22:00-07:00" } : ADAPTIVE;

function ladderOf(chance: Chance): readonly ModelEntry[] {
  const all: readonly ModelEntry[] = [
    { agent: "small", model: "s1", tier: 1 },
    { agent: "small", model: "s2", tier: 1 },
    { agent: "codex", model: "m1", tier: 2 },
    { agent: "large", model: "l1", tier: 3 },
  ];
  return all.filter((_, index) => index === 0 || chance.happens(0.7));
}

function budgetOf(chance: Chance, subtasks: number): Budget {
  return {
    ...(chance.happens(0.6) ? { attempts: subtasks * chance.between(1, 6) } : {}),
    ...(chance.happens(0.4) ? { usd: subtasks * chance.between(1, 8) } : {}),
    ...(chance.happens(0.4) ? { timeMs: subtasks * chance.between(10, 90) * MINUTE } : {}),
  };
}

function subtaskOf(chance: Chance, id: string, earlier: readonly string[]): Subtask {
  const readOnly = chance.happens(0.15);
  return {
    id,
    prompt: `do ${id}`,
    dependsOn: earlier.filter(() => chance.happens(0.3)),
    checks: readOnly || chance.happens(0.15) ? 0 : chance.between(1, 2),
    ...(chance.happens(0.3) ? { tier: chance.between(1, 3) } : {}),
    ...(readOnly ? { readOnly } : {}),
    ...(chance.happens(0.1) ? { structuredOutput: true } : {}),
    ...(chance.happens(0.2) ? { critical: true } : {}),
    ...(chance.happens(0.3) ? { limits: limitsOf(chance) } : {}),
  };
}

const limitsOf = (chance: Chance): NonNullable<Subtask["limits"]> => ({
  ...(chance.happens(0.5) ? { maxRetries: chance.between(0, 3) } : {}),
  ...(chance.happens(0.5) ? { budget: budgetOf(chance, 1) } : {}),
});

function detailsOf(chance: Chance, subtask: Subtask): SubtaskPlan {
  const { id, prompt, dependsOn, structuredOutput } = subtask;
  const check = (_: unknown, index: number) => ({
    ...{ name: `${id} ${index}`, run: `checkit ${id} ${index}`, timeoutMs: 5 * MINUTE },
  });
  return {
    prompt,
    checks: Array.from({ length: subtask.checks }, check),
    tests: "judge",
    inputs: dependsOn.filter(() => chance.happens(0.5)),
    ...(structuredOutput === true
      ? {
          output: {
            type: "object",
            properties: { count: { type: "number" } },
            required: ["count"],
          },
        }
      : {}),
    totalMs: chance.between(15, 60) * MINUTE,
    idleMs: chance.between(2, 12) * MINUTE,
  };
}
