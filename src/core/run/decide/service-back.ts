/**
 * A service is back that subtasks wait for (C9): they go on at once, one after the other. Invariant: a wait is
 * named by its timer, so the same news twice changes nothing.
 */
import { emit, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import type { InputOf } from "../input.ts";
import { indexOf, subtaskAt } from "../state.ts";
import type { RunState } from "../state.ts";

/** Not all in the same moment: the service has only just come back. */
const STAGGER_MS = 500;

type Waiting = InputOf<"service-back">["waits"][number];

export const stillWaiting = (
  state: RunState,
  { waits }: InputOf<"service-back">,
): readonly Waiting[] =>
  waits.filter(({ subtask, timer }) => {
    const index = indexOf(state, subtask);
    return index !== undefined && subtaskAt(state, index).timer?.id === timer;
  });

export function serviceBack(draft: DecisionDraft, input: InputOf<"service-back">): void {
  for (const [place, { subtask }] of stillWaiting(draft.before, input).entries()) {
    const { state } = subtaskNow(draft, subtask);
    const dueAt = input.at + place * STAGGER_MS;
    if (dueAt < (state.timer?.dueAt ?? 0))
      emit(draft, { kind: "wait-shortened", subtask, timer: state.timers + 1, dueAt });
  }
}
