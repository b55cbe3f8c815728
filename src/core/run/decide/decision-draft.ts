/**
 * A draft of one append: the input and the decisions made so far, with the state they give. It lives only inside
 * one `decide`; each decision is folded as it is made, so that the next one sees it.
 */
import { assert } from "../../assert.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Decision } from "../decision.ts";
import { fold } from "../fold/fold.ts";
import type { RunInput } from "../input.ts";
import { indexOf, planSubtask, subtaskAt } from "../state.ts";
import type { RunState, SubtaskState } from "../state.ts";
import type { Subtask } from "../../plan/plan.ts";
import type { RuleBook } from "../../classify/rule-book.ts";

export interface DecisionDraft {
  state: RunState;
  /** The state before the input. */
  readonly before: RunState;
  readonly input: RunInput;
  readonly policy: Policy;
  /** What tells from an output why it failed. */
  readonly rules: RuleBook;
  readonly decisions: Decision[];
}

export function openDraft(
  before: RunState,
  input: RunInput,
  policy: Policy,
  rules: RuleBook,
): DecisionDraft {
  const state = fold(before, { kind: "received", input });
  return { state, before, input, policy, rules, decisions: [] };
}

export function emit(draft: DecisionDraft, decision: Decision): void {
  draft.decisions.push(decision);
  draft.state = fold(draft.state, decision);
}

/** One subtask as plan and state have it now. */
export interface SubtaskNow {
  readonly index: number;
  readonly id: string;
  readonly plan: Subtask;
  readonly state: SubtaskState;
}

export function subtaskNow(draft: DecisionDraft, subtask: string): SubtaskNow {
  const index = indexOf(draft.state, subtask);
  assert(index !== undefined, `a checked input names a subtask of the plan: ${subtask}`);
  return subtaskNowAt(draft, index);
}

export function subtaskNowAt(draft: DecisionDraft, index: number): SubtaskNow {
  const plan = planSubtask(draft.state, index);
  return { index, id: plan.id, plan, state: subtaskAt(draft.state, index) };
}
