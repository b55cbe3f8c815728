/**
 * The building blocks of `fold`: one function per kind of fact, that is, of input and of decision. Invariant: none of
 * them consults policy, classifier or history, and their cost does not depend on the number of subtasks or events.
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

/** A part of all folds, type-checked against its facts. */
export const someFolds = <K extends Fact["kind"]>(folds: Pick<Folds, K>): Pick<Folds, K> => folds;

type OfSubtask = Extract<Fact, { readonly subtask: string }>;
type Change<F> = (subtask: SubtaskState, fact: F) => Partial<SubtaskState>;

/** The fold of a fact that changes only its subtask. */
export const inSubtask =
  <F extends OfSubtask>(change: Change<F>): Fold<F> =>
  (state, fact) => {
    const index = recordedIndex(state, fact.subtask);
    return withSubtask(state, index, change(subtaskAt(state, index), fact));
  };

/** The fold of a fact after which its subtask is dispatched, before those that have not started. */
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
