/**
 * A base that was broken before anybody worked on it (C9): several subtasks keep failing the same check in the way
 * it failed on the base. One of them goes on trying; the others wait for it with one question, which is closed by
 * itself when that one is merged. Invariant: a subtask waits only after failing so twice in a row, and only for
 * one that is not settled.
 */
import type { Choice } from "../../policy/policy.ts";
import { UNSTUCK } from "../checkpoint.ts";
import { baseCause } from "../across-attempts.ts";
import { guard } from "./guard-rails.ts";
import { onMendedBase } from "./next-attempt.ts";
import { emit, subtaskNow, type SubtaskNow, type Turn } from "./turn.ts";

/** Ask, together with the others, while the first of them goes on. */
export function waitForBase(turn: Turn, current: SubtaskNow): Choice | undefined {
  const cause = baseCause(current.state);
  const holder = cause === undefined ? undefined : turn.state.suspects[cause];
  if (holder === undefined || holder === current.id) return undefined;
  const { phase } = subtaskNow(turn, holder).state;
  if (phase === "verified" || phase === "skipped") return undefined;
  const because = `fails as the base did before the work began, and so does ${holder}: one of them is enough`;
  return guard("broken-base", { kind: "ask" }, because);
}

/** The causes others wait for this subtask with; asked before it is done. */
export const causesHeldBy = ({ state }: Turn, subtask: string): readonly string[] =>
  Object.entries(state.suspects).flatMap(([cause, holder]) => (holder === subtask ? cause : []));

/** What they failed of is mended and merged: whoever waits tries again on top of it, unless a person is at it by hand. */
export function baseMended(turn: Turn, causes: readonly string[]): void {
  for (const cause of causes) {
    const asked = turn.state.causes[cause];
    const open = asked === undefined ? undefined : subtaskNow(turn, asked).state.checkpoint;
    if (asked === undefined || open === undefined || open.takenBy !== undefined) continue;
    const { id: checkpoint, also = [] } = open;
    const answer = { kind: "retry", words: "" } as const;
    emit(turn, { kind: "checkpoint-closed", checkpoint, answer, by: UNSTUCK, subtask: asked });
    for (const subtask of also)
      emit(turn, { kind: "checkpoint-followed", subtask, checkpoint, answer });
    for (const subtask of [asked, ...also]) {
      const specs = [onMendedBase(subtaskNow(turn, subtask).state)];
      emit(turn, { kind: "attempt-queued", subtask, specs });
    }
  }
}
