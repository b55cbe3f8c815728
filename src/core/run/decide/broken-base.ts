/**
 * A base that was broken before anybody worked on it (C9): several subtasks keep failing the same check in the way
 * it failed on the base. One of them goes on trying; the others wait for it with one question, which is closed by
 * itself when that one is merged. Invariant: a subtask waits only after failing so twice in a row, and only for
 * one that is not settled.
 */
import type { Choice } from "../../policy/policy.ts";
import { baseCause } from "../fold/base-suspects.ts";
import { emit, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft, SubtaskNow } from "./decision-draft.ts";
import { onMendedBase } from "./next-attempt.ts";
import { indexOf, subtaskAt } from "../state.ts";

/** Ask, together with the others, while the first of them goes on. */
export function waitForBase({ state }: DecisionDraft, current: SubtaskNow): Choice | undefined {
  const cause = baseCause(current.state);
  const holder = cause === undefined ? undefined : state.suspects[cause];
  if (holder === undefined || holder === current.id) return undefined;
  const index = indexOf(state, holder);
  const phase = index === undefined ? undefined : subtaskAt(state, index).phase;
  if (phase === undefined || phase === "verified" || phase === "skipped") return undefined;
  return {
    recoveries: [{ kind: "ask" }],
    chosenBy: { by: "guard", id: "broken-base" },
    because: `fails as the base did before the work began, and so does ${holder}: one of them is enough`,
    considered: [],
  };
}

/** The causes others wait for this subtask with; asked before it is done. */
export const causesHeldBy = ({ state }: DecisionDraft, subtask: string): readonly string[] =>
  Object.entries(state.suspects).flatMap(([cause, holder]) => (holder === subtask ? cause : []));

/** Who closes a question when what it asks about is no more. */
export const UNSTUCK = "unstuck";

/** What they failed of is mended and merged: whoever waits tries again on top of it, unless a person is at it by hand. */
export function baseMended(draft: DecisionDraft, causes: readonly string[]): void {
  for (const cause of causes) {
    const asked = draft.state.causes[cause];
    const checkpoint = asked === undefined ? undefined : subtaskNow(draft, asked).state.checkpoint;
    if (asked === undefined || checkpoint === undefined || checkpoint.takenBy !== undefined)
      continue;
    const answer = { kind: "retry", words: "" } as const;
    const also = checkpoint.also ?? [];
    const closed = {
      kind: "checkpoint-closed",
      checkpoint: checkpoint.id,
      answer,
      by: UNSTUCK,
    } as const;
    emit(draft, { ...closed, subtask: asked });
    for (const subtask of also)
      emit(draft, { kind: "checkpoint-followed", subtask, checkpoint: checkpoint.id, answer });
    for (const subtask of [asked, ...also]) {
      const specs = [onMendedBase(subtaskNow(draft, subtask).state)];
      emit(draft, { kind: "attempt-queued", subtask, specs });
    }
  }
}
