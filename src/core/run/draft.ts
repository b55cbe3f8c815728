/**
 * A draft of one append: the input and the decisions made so far, with the state they give. It lives only inside
 * one `decide`; each decision is folded as it is made, so that the next one sees it.
 */
import { assert } from "../assert.ts";
import type { RuleBook } from "../classify/rule-book.ts";
import type { Policy } from "../policy/policy.ts";
import type { Decision } from "./decision.ts";
import { fold } from "./fold.ts";
import type { RunInput } from "./input.ts";
import { indexOf, planSubtask, subtaskAt } from "./state.ts";
import type { RunState, SubtaskState } from "./state.ts";
import type { Subtask } from "../plan/plan.ts";

export interface Draft {
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
): Draft {
  const state = fold(before, { kind: "received", input });
  return { state, before, input, policy, rules, decisions: [] };
}

export function emit(draft: Draft, decision: Decision): void {
  draft.decisions.push(decision);
  draft.state = fold(draft.state, decision);
}

/** One subtask as plan and state have it now. */
export interface Place {
  readonly index: number;
  readonly id: string;
  readonly plan: Subtask;
  readonly state: SubtaskState;
}

export function placeOf(draft: Draft, subtask: string): Place {
  const index = indexOf(draft.state, subtask);
  assert(index !== undefined, `a checked input names a subtask of the plan: ${subtask}`);
  return placeAt(draft, index);
}

export function placeAt(draft: Draft, index: number): Place {
  const plan = planSubtask(draft.state, index);
  return { index, id: plan.id, plan, state: subtaskAt(draft.state, index) };
}
