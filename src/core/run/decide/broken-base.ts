/**
 * Handles a base that was already broken: several subtasks keep failing the same check as it failed on the base. One of
 * them keeps trying; the others wait for it with one shared question, which closes automatically when that subtask is
 * merged. Invariant: a subtask waits only after two such failures in a row, and only for a subtask that is not settled.
 */
import type { Choice } from "../../policy/policy.ts";
import { UNSTUCK } from "../checkpoint.ts";
import { baseCause } from "../across-attempts.ts";
import { guard } from "./guard-rails.ts";
import { specOnFixedBase } from "./next-attempt.ts";
import { emit, subtaskNow, type SubtaskNow, type Turn } from "./turn.ts";

/**
 * The choice to join the shared question while the first of these subtasks keeps trying; undefined if it does not
 * apply.
 */
export function waitForBase(turn: Turn, current: SubtaskNow): Choice | undefined {
  const cause = baseCause(current.state);
  const holder = cause === undefined ? undefined : turn.state.suspects[cause];
  if (holder === undefined || holder === current.id) return undefined;
  const { phase } = subtaskNow(turn, holder).state;
  if (phase === "verified" || phase === "skipped") return undefined;
  const because = `fails as the base did before the work began, and so does ${holder}: one of them is enough`;
  return guard("broken-base", { kind: "ask" }, because);
}

/** The causes for which others wait for this subtask. Has to be called before the subtask is done. */
export const causesHeldBy = ({ state }: Turn, subtask: string): readonly string[] =>
  Object.entries(state.suspects).flatMap(([cause, holder]) => (holder === subtask ? cause : []));

/**
 * The base's failure is fixed and merged: the waiting subtasks try again on top of it, unless a person is handling it
 * by hand.
 */
export function resumeAfterBaseFix(turn: Turn, causes: readonly string[]): void {
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
      const specs = [specOnFixedBase(subtaskNow(turn, subtask).state)];
      emit(turn, { kind: "attempt-queued", subtask, specs });
    }
  }
}
