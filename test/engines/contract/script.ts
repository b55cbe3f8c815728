/**
 * Scripted inputs for the engine suite: plans, and answers to commands that need no agent, tree or network.
 * Invariant: everything follows from the arguments; real `decide` and preset policies do the rest.
 */
import { categoryOf, type Failure } from "../../../src/core/failure.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import type { Policy } from "../../../src/core/policy/policy.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { Command } from "../../../src/core/run/command.ts";
import { decide } from "../../../src/core/run/decide/decide.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { InputOf, RunInput } from "../../../src/core/run/input.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

/** Waits exactly 5, 10 and 20 seconds for infrastructure failures. */
export const POLICY: Policy = ladder(PRESETS.hierarchical);
export const FIRST_WAIT_MS = 5000;

type StartCommand = Extract<Command, { readonly kind: "start" }>;

/** Subtasks in a row (each depends on the one before), or side by side. */
export function scriptedPlan(ids: readonly string[], shape: "row" | "beside"): Plan {
  return {
    goal: "a scripted goal",
    subtasks: ids.map((id, index) => ({
      id,
      prompt: `do ${id}`,
      dependsOn: shape === "row" ? ids.slice(Math.max(0, index - 1), index) : [],
      checks: 1,
    })),
    ladder: [{ agent: "scripted", tier: 1 }],
    concurrency: shape === "row" ? 1 : ids.length,
    budget: {},
    attemptCap: {},
  };
}

export const runStarted = (run: string, plan: Plan, at: number): InputOf<"run-started"> => ({
  kind: "run-started",
  run,
  plan,
  at,
  chance: 0.5,
});

/** The answer of a world in which everything goes well; none for commands that need no answer. */
export function goodAnswer(command: Command, at: number): RunInput | undefined {
  const occurred = { at, chance: 0.5 };
  switch (command.kind) {
    case "start":
      return attemptEnded(command, at);
    case "check": {
      const { subtask, attempt, round } = command;
      const result = { kind: "passed" } as const;
      return { kind: "checks-ended", subtask, attempt, round, result, ...occurred };
    }
    case "merge": {
      const { subtask, attempt } = command;
      const result = { kind: "merged", commit: `commit-${subtask}-${attempt}` } as const;
      return { kind: "merge-ended", subtask, attempt, result, ...occurred };
    }
    case "baseline":
      return {
        kind: "baseline-ended",
        round: command.round,
        outcomes: {},
        problems: [],
        ...occurred,
      };
    case "final-check": {
      const result = { kind: "passed" } as const;
      return {
        kind: "final-check-ended",
        round: command.round,
        result,
        confirmed: [],
        ...occurred,
      };
    }
    case "timer":
    case "ask":
    case "nudge":
    case "permit":
    case "interrupt":
    case "end":
      return undefined;
  }
}

export function attemptEnded(
  { subtask, attempt }: Pick<StartCommand, "subtask" | "attempt">,
  at: number,
): InputOf<"attempt-ended"> {
  return {
    kind: "attempt-ended",
    subtask,
    attempt,
    outcome: "finished",
    evidence: {},
    remains: {
      treeBefore: `${subtask}-${attempt - 1}`,
      treeAfter: `${subtask}-${attempt}`,
      approach: `approach ${attempt} of ${subtask}`,
      signals: { outputNovelty: 1, change: 1, markers: 0, checklist: 0 },
      used: {},
    },
    at,
    chance: 0.5,
  };
}

/** The provider has no place for this attempt: the policy will wait `FIRST_WAIT_MS` after `at`. */
export const attemptOverloaded = (command: StartCommand, at: number): InputOf<"attempt-ended"> =>
  attemptFailed(command, { kind: "server_overloaded", origin: "provider" }, at);

/** Failed with nothing done: no checks are run on it, the policy is asked. */
export function attemptFailed(
  command: StartCommand,
  { kind, origin }: Pick<Failure, "kind" | "origin">,
  at: number,
): InputOf<"attempt-ended"> {
  const { remains, ...ended } = attemptEnded(command, at);
  const category = categoryOf(kind, origin);
  return {
    ...ended,
    outcome: "failed",
    observed: { kind, category, origin, confidence: 1, because: ["scripted"], signature: kind },
    remains: { ...remains, treeAfter: remains.treeBefore },
  };
}

export const stopRequested = (at: number, reason = "a scripted stop"): RunInput => ({
  kind: "cancel-requested",
  reason,
  at,
  chance: 0.5,
});

/** What the same inputs lead to when they are decided one after the other. */
export function serially(
  inputs: readonly RunInput[],
  policy: Policy,
): { readonly events: readonly RunEvent[]; readonly state: RunState } {
  let state = NEW_RUN;
  const events: RunEvent[] = [];
  for (const input of inputs) {
    const decided = decide(state, input, policy, standardRules());
    if (decided.ignored !== undefined) continue;
    events.push({ kind: "received", input }, ...decided.decisions);
    state = decided.state;
  }
  return { events, state };
}
