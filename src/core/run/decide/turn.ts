/**
 * One turn of a run: an input, the decisions made so far because of it, and the resulting state. It exists only within
 * one `decide`. Each decision is folded as it is made, so the next one sees it.
 */
import { knownAmount } from "../../amounts.ts";
import type { RuleBook } from "../../classify/rule-book.ts";
import type { Subtask } from "../../plan/plan.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Decision } from "../decision.ts";
import { fold } from "../fold/fold.ts";
import type { RunInput } from "../input.ts";
import { planSubtask, recordedIndex, subtaskAt, type RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";

export interface Turn {
  state: RunState;
  /** The state before the input. */
  readonly before: RunState;
  readonly input: RunInput;
  readonly policy: Policy;
  /** Used to find out from an output why it failed. */
  readonly rules: RuleBook;
  readonly decisions: Decision[];
}

export function openTurn(before: RunState, input: RunInput, policy: Policy, rules: RuleBook): Turn {
  const state = fold(before, { kind: "received", input });
  return { state, before, input, policy, rules, decisions: [] };
}

export function emit(turn: Turn, decision: Decision): void {
  turn.decisions.push(decision);
  turn.state = fold(turn.state, decision);
}

/** A subtask's plan and its current state. */
export interface SubtaskNow {
  readonly id: string;
  readonly plan: Subtask;
  readonly state: SubtaskState;
}

export function subtaskNow({ state }: Turn, id: string): SubtaskNow {
  const index = recordedIndex(state, id);
  return { id, plan: planSubtask(state, index), state: subtaskAt(state, index) };
}

export const subtaskBefore = ({ before }: Turn, id: string): SubtaskState =>
  subtaskAt(before, recordedIndex(before, id));

/** Records a subtask's history from its first failure to the outcome, for learning. */
export function recordEpisode(turn: Turn, subtask: string, success: boolean): void {
  const { state } = subtaskNow(turn, subtask);
  const { at } = turn.input;
  emit(turn, {
    kind: "episode-recorded",
    episode: {
      id: `ep-${turn.state.run}/${subtask}/${state.attempt}`,
      time: new Date(at).toISOString(),
      goal: subtask,
      success,
      cost: knownAmount({ ledger: state.ledger, limit: {} }, "usd").amount,
      duration: Math.max(0, at - (state.startedAt ?? at)) / 1000,
      error: success ? null : (state.attempts.at(-1)?.error ?? ""),
      retry_count: Math.max(0, state.attempt - 1),
      recovery_level: success ? state.level : "escalate",
    },
  });
}
