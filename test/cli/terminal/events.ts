/** Recorded events of a run, as short as they can be said, for tests of what reads them. */
import type { Failure } from "../../../src/core/failure.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import type { ChosenBy, Considered } from "../../../src/core/policy/situation.ts";
import type { Recovery, RecoveryName } from "../../../src/core/recovery.ts";
import type { AttemptSpec } from "../../../src/core/run/attempt.ts";
import type { Checkpoint } from "../../../src/core/run/checkpoint.ts";
import type { DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import type { RunInput } from "../../../src/core/run/input.ts";

export const T0: number = Date.UTC(2026, 0, 1, 12, 0, 0);

const ENTRY = { agent: "agent", tier: 1 };

export const received = (input: RunInput): RunEvent => ({ kind: "received", input });

export function started(...ids: readonly string[]): RunEvent {
  const plan: Plan = {
    goal: "the goal",
    subtasks: ids.map((id) => ({ id, prompt: `do ${id}`, dependsOn: [], checks: 1 })),
    ladder: [ENTRY],
    concurrency: 2,
    budget: {},
    attemptCap: {},
  };
  return received({ kind: "run-started", at: T0, chance: 0, run: "r1", plan });
}

const spec = (recovery?: RecoveryName): AttemptSpec => ({
  entry: ENTRY,
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
  ...(recovery === undefined ? {} : { recovery }),
});

export const queued = (subtask: string, recovery?: RecoveryName): RunEvent => ({
  kind: "attempt-queued",
  subtask,
  specs: [spec(recovery)],
});

export const dispatched = (
  subtask: string,
  attempt: number,
  at: number,
  recovery?: RecoveryName,
): RunEvent => ({
  kind: "attempt-dispatched",
  subtask,
  attempt,
  spec: spec(recovery),
  cap: {},
  from: attempt === 1 ? "ready" : "urgent",
  at,
});

export const ended = (subtask: string, attempt: number, at: number, approach = ""): RunEvent =>
  received({
    kind: "attempt-ended",
    subtask,
    attempt,
    at,
    chance: 0,
    outcome: "finished",
    evidence: {},
    remains: {
      treeBefore: "t0",
      treeAfter: `t${attempt}`,
      approach,
      signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
      used: { usd: 0.5 },
    },
  });

export const failure = (kind: FailureKind, because = `it is ${kind}`): Failure => ({
  ...classify({ message: because, origin: "check" }),
  kind,
  because: [because],
});

export const failed = (
  subtask: string,
  attempt: number,
  kind: FailureKind,
  error = "",
): DecisionOf<"failure-classified"> => ({
  kind: "failure-classified",
  subtask,
  attempt,
  failure: failure(kind),
  counted: true,
  verdict: true,
  error,
  failing: ["adds up"],
});

const chosenBy = (rule: string): ChosenBy => {
  const [, by = "rung", id = rule] = /^(guard|structure):(.*)$/.exec(rule) ?? [];
  return { by: by as ChosenBy["by"], id };
};

export const chosen = (
  subtask: string,
  recoveries: readonly Recovery[],
  rule: string,
  considered: readonly Considered[] = [],
): DecisionOf<"recovery-chosen"> => ({
  kind: "recovery-chosen",
  subtask,
  recoveries,
  chosenBy: chosenBy(rule),
  because: `because of ${rule}`,
  considered,
  usesRung: false,
});

export const checkpoint = (subtask: string, more: Partial<Checkpoint> = {}): Checkpoint => ({
  id: `${subtask}/c1`,
  trigger: "HICCUP",
  subtask,
  question: `Subtask ${subtask} failed. How should it go on?`,
  context: { goal: "g", error: "the error", attempts: 2, blocks: ["other"], blocksCount: 1 },
  options: [
    { answer: "skip", label: "Skip this subtask" },
    { answer: "retry", label: "Retry with modifications" },
    { answer: "manual", label: "Handle manually" },
  ],
  recommendation: "retry",
  default: "skip",
  ...more,
});
