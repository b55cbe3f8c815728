/**
 * Drives `decide` in tests the way a runtime would: feeds inputs, keeps the journal, and checks after every input that
 * folding the journal from the start gives the live state.
 */
import assert from "node:assert/strict";
import type { Evidence } from "../../../src/core/evidence.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { categoryOf, type Failure } from "../../../src/core/failure.ts";
import type { ModelEntry, Plan, Subtask } from "../../../src/core/plan/plan.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import type { Policy } from "../../../src/core/policy/policy.ts";
import type { Command } from "../../../src/core/run/command.ts";
import { decide, type Decided } from "../../../src/core/run/decide/decide.ts";
import type { Decision, DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import type { Answer, AttemptLeftovers, InputOf, RunInput } from "../../../src/core/run/input.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { indexOf, subtaskAt, type RunState } from "../../../src/core/run/state.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

export const LADDER: readonly ModelEntry[] = [
  { agent: "small", model: "s1", tier: 1 },
  { agent: "small", model: "s2", tier: 1 },
  { agent: "codex", model: "m1", tier: 2 },
  { agent: "large", model: "l1", tier: 3 },
];

export const subtask = (id: string, more: Partial<Subtask> = {}): Subtask => ({
  id,
  prompt: `do ${id}`,
  dependsOn: [],
  checks: 1,
  ...more,
});

export const plan = (subtasks: readonly Subtask[], more: Partial<Plan> = {}): Plan => ({
  goal: "a goal",
  subtasks,
  ladder: LADDER,
  branchAgents: { "bottom-up": "codex", "research-first": "gemini", constrained: "codex" },
  concurrency: 1,
  budget: {},
  attemptCap: {},
  ...more,
});

export const failureOf = (kind: FailureKind, more: Partial<Failure> = {}): Failure => {
  const origin = more.origin ?? "agent";
  return {
    kind,
    category: categoryOf(kind, origin),
    origin,
    confidence: 1,
    because: ["seen"],
    signature: `sig-${kind}`,
    ...more,
  };
};

/** An attempt that gets on: something new is said and changed each time. */
const GETS_ON = { outputNovelty: 1, change: 1, markers: 0, checklist: 0 };
export const NO_PROGRESS = { outputNovelty: 0, change: 0, markers: 0, checklist: 0 };

type Ended = Partial<Omit<InputOf<"attempt-ended">, "kind" | "remains">> & {
  readonly remains?: Partial<AttemptLeftovers>;
};

export class Driver {
  state: RunState = NEW_RUN;
  readonly journal: RunEvent[] = [];
  readonly commands: Command[] = [];
  now = 1_000_000;
  chance = 0.5;
  trees = 0;
  last: Decided | undefined;
  readonly policy: Policy;

  constructor(policy: PresetName | Policy, of: Plan, more: { readonly goodCommit?: string } = {}) {
    this.policy = typeof policy === "string" ? ladder(PRESETS[policy]) : policy;
    this.give({ kind: "run-started", run: "r1", plan: of, ...more });
  }

  /** Delivers an input; returns the decisions it led to. */
  give(input: { readonly kind: RunInput["kind"] } & Record<string, unknown>): readonly Decision[] {
    const whole = { at: this.now, chance: this.chance, ...input } as unknown as RunInput;
    const before = this.state;
    const decided = decide(before, whole, this.policy, standardRules());
    this.last = decided;
    if (decided.ignored === undefined) {
      this.journal.push({ kind: "received", input: whole }, ...decided.decisions);
      this.commands.push(...decided.commands);
      assert.deepEqual(
        foldAll(before, [{ kind: "received", input: whole }, ...decided.decisions]),
        decided.state,
      );
    } else assert.equal(decided.state, before);
    this.state = decided.state;
    return decided.decisions;
  }

  of(id: string): SubtaskState {
    const index = indexOf(this.state, id);
    assert.ok(index !== undefined);
    return subtaskAt(this.state, index);
  }

  /** The attempt of this subtask that runs now (the first, if several do). */
  running(id: string): number {
    const attempt = this.of(id).running[0]?.attempt;
    assert.ok(attempt !== undefined, `${id} runs no attempt but is ${this.of(id).phase}`);
    return attempt;
  }

  ended(id: string, more: Ended = {}): readonly Decision[] {
    const attempt = more.attempt ?? this.running(id);
    this.trees += 1;
    const remains: AttemptLeftovers = {
      treeBefore: `t${this.trees - 1}`,
      treeAfter: `t${this.trees}`,
      approach: `approach ${this.trees}`,
      signals: GETS_ON,
      used: {},
      ...more.remains,
    };
    return this.give({
      kind: "attempt-ended",
      subtask: id,
      outcome: "finished",
      evidence: {},
      ...more,
      attempt,
      remains,
    });
  }

  /** The agent fails in a way that is already known. */
  fails(
    id: string,
    kind: FailureKind,
    more: Ended & { readonly failure?: Partial<Failure> } = {},
  ): readonly Decision[] {
    const { failure, ...rest } = more;
    const observed = failureOf(kind, { signature: `sig-${kind}-${this.trees}`, ...failure });
    return this.ended(id, { outcome: "failed", observed, ...rest });
  }

  checked(
    id: string,
    failing: readonly string[] | "passed",
    more: { evidence?: Evidence; round?: number } = {},
  ): readonly Decision[] {
    const stage = this.of(id).stages.find(({ kind }) => kind === "checks");
    assert.ok(stage?.kind === "checks", `${id} is not being checked`);
    const evidence = more.evidence ?? {
      stdout: `failing: ${[...failing].join(", ")} ${this.trees}`,
    };
    const result =
      failing === "passed" ? { kind: "passed" } : { kind: "failed", failing, evidence };
    return this.give({
      kind: "checks-ended",
      subtask: id,
      attempt: stage.attempt,
      round: stage.round,
      result,
    });
  }

  /** The agent says it is done, but the checks fail, as often as they are run. */
  red(
    id: string,
    more: Ended & { readonly failing?: readonly string[] } = {},
  ): readonly Decision[] {
    const { failing = ["t"], ...rest } = more;
    let decisions = this.ended(id, rest);
    while (this.of(id).stages.some(({ kind }) => kind === "checks"))
      decisions = this.checked(id, failing);
    return decisions;
  }

  /** The agent is done, checks pass, the merge goes through. */
  green(id: string, more: Ended = {}): readonly Decision[] {
    this.ended(id, more);
    this.checked(id, "passed");
    return this.merged(id);
  }

  merged(id: string): readonly Decision[] {
    const stage = this.of(id).stages.find(({ kind }) => kind === "merge");
    assert.ok(stage !== undefined, `${id} is not being merged`);
    const result = { kind: "merged", commit: `commit-${id}-${stage.attempt}` };
    return this.give({ kind: "merge-ended", subtask: id, attempt: stage.attempt, result });
  }

  /** Fires the timer of a waiting subtask at its due time. */
  fire(id: string): readonly Decision[] {
    const { timer } = this.of(id);
    assert.ok(timer !== undefined, `${id} does not wait`);
    this.now = timer.dueAt;
    return this.give({ kind: "timer-fired", subtask: id, timer: timer.id });
  }

  answer(checkpoint: string, answer: Answer): readonly Decision[] {
    return this.give({ kind: "checkpoint-answered", checkpoint, answer, by: "alice" });
  }

  all<K extends Decision["kind"]>(kind: K): DecisionOf<K>[] {
    return this.journal.filter((event): event is DecisionOf<K> => event.kind === kind);
  }

  /** The recoveries chosen so far, in the words of the design. */
  recoveries(): string[] {
    return this.all("recovery-chosen").map(({ recoveries }) =>
      recoveries.map(({ kind }) => kind).join("+"),
    );
  }
}
