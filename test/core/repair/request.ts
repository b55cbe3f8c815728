/**
 * Repair requests for tests: a failure of a kind as `classify` would give it, and the four basic
 * tools.
 */
import type { Evidence } from "../../../src/core/evidence.ts";
import { categoryOf, type Failure } from "../../../src/core/failure.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { repairPlan } from "../../../src/core/repair/repair-plan.ts";
import type {
  Repair,
  RepairPlan,
  RepairRequest,
  RepairStep,
} from "../../../src/core/repair/repair.ts";

export const ROOT = "/srv/run/tree";

export function failureOf(kind: FailureKind, more: Partial<Failure> = {}): Failure {
  const base = {
    kind,
    category: categoryOf(kind, "tool"),
    origin: "tool",
    confidence: 0.9,
  } as const;
  return { ...base, because: ["made by hand"], signature: "0123456789abcdef", ...more };
}

export function planFor(
  kind: FailureKind,
  evidence: Evidence,
  more: Partial<RepairRequest> = {},
): RepairPlan {
  return repairPlan({
    failure: failureOf(kind),
    evidence,
    tools: ["run_bash", "read_file", "read_dir", "write_file"],
    sandboxRoot: ROOT,
    mode: "suggest",
    ...more,
  });
}

export const repairsOf = (plan: RepairPlan): readonly Repair[] => [plan, ...plan.alternatives];

export const namesOf = (plan: RepairPlan): readonly string[] =>
  repairsOf(plan).map(({ strategy }) => strategy);

export const stepsOf = (plan: RepairPlan, strategy: string): readonly RepairStep[] =>
  repairsOf(plan).find((repair) => repair.strategy === strategy)?.steps ?? [];

/** Tool and arguments of each step, or the action where nothing is called. */
export const callsOf = (plan: RepairPlan, strategy: string): readonly unknown[] =>
  stepsOf(plan, strategy).map(({ action, tool, args }) => [tool ?? action, args]);
