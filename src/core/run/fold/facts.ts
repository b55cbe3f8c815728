/**
 * What `fold` is made of: one function for each kind of fact, that is, of input and of decision. Invariant: none of them
 * asks policy, classifier or history; their cost does not depend on the number of subtasks or events.
 */
import { enqueue } from "../../persistent-collections.ts";
import type { Decision } from "../decision.ts";
import type { RunInput } from "../input.ts";
import { recordedIndex, subtaskAt, withSubtask, type RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";

export type Fact = RunInput | Decision;

export type Fold<F extends Fact> = (state: RunState, fact: F) => RunState;

export type Folds = {
  readonly [kind in Fact["kind"]]: Fold<Extract<Fact, { readonly kind: kind }>>;
};

/** Some of them, checked against their facts. */
export const someFolds = <K extends Fact["kind"]>(folds: Pick<Folds, K>): Pick<Folds, K> => folds;

type OfSubtask = Extract<Fact, { readonly subtask: string }>;
type Change<F> = (subtask: SubtaskState, fact: F) => Partial<SubtaskState>;

/** A fact that changes nothing but its subtask. */
export const inSubtask =
  <F extends OfSubtask>(change: Change<F>): Fold<F> =>
  (state, fact) => {
    const index = recordedIndex(state, fact.subtask);
    return withSubtask(state, index, change(subtaskAt(state, index), fact));
  };

/** A fact after which its subtask is to be dispatched, before those that have not begun. */
export const queuesSubtask =
  <F extends OfSubtask>(change: Change<F>): Fold<F> =>
  (state, fact) => {
    const index = recordedIndex(state, fact.subtask);
    const subtask = subtaskAt(state, index);
    const busy = subtask.running.length + subtask.stages.length > 0;
    const phase = busy ? "running" : "pending";
    const next = withSubtask(state, index, { phase, ...change(subtask, fact) });
    return { ...next, urgent: enqueue(next.urgent, index) };
  };
