/**
 * A base that was broken before anybody worked on it (C9): several subtasks keep failing the same check in the way it failed on the
 * base. One of them goes on trying; the others wait for it with one question, which is closed by itself when that one is merged.
 * Imports types and the draft. Invariant: a subtask waits only after failing so twice in a row, and only for one that is not settled.
 */
import type { Choice } from "../policy/policy.ts";
import { emit, placeOf } from "./draft.ts";
import type { Draft, Place } from "./draft.ts";
import { onMendedBase } from "./spec.ts";
import { indexOf, subtaskAt } from "./state.ts";
import type { RunState, SubtaskState } from "./state.ts";

const IN_A_ROW = 2;
const MOST_CAUSES = 100;

/** What it keeps failing of, if that is what fails on the base. */
export function baseCause({ attempts }: Pick<SubtaskState, "attempts">): string | undefined {
  const last = attempts.filter(({ counted }) => counted).slice(-IN_A_ROW);
  const signature = last[0]?.signature;
  const alike = last.every((record) => record.onBase === true && record.signature === signature);
  return last.length === IN_A_ROW && alike ? `base ${signature}` : undefined;
}

/** Who is the first to keep failing of each cause. */
export function withSuspect(state: RunState, subtask: string, own: SubtaskState): RunState {
  const cause = baseCause(own);
  const { suspects } = state;
  if (cause === undefined || cause in suspects || Object.keys(suspects).length >= MOST_CAUSES)
    return state;
  return { ...state, suspects: { ...suspects, [cause]: subtask } };
}

export function withoutSuspect(state: RunState, subtask: string): RunState {
  const all = Object.entries(state.suspects);
  const kept = all.filter(([, holder]) => holder !== subtask);
  if (kept.length === all.length) return state;
  return { ...state, suspects: Object.fromEntries(kept) };
}

/** Ask, together with the others, while the first of them goes on. */
export function waitForBase({ state }: Draft, place: Place): Choice | undefined {
  const cause = baseCause(place.state);
  const holder = cause === undefined ? undefined : state.suspects[cause];
  if (holder === undefined || holder === place.id) return undefined;
  const index = indexOf(state, holder);
  const phase = index === undefined ? undefined : subtaskAt(state, index).phase;
  if (phase === undefined || phase === "verified" || phase === "skipped") return undefined;
  return {
    recoveries: [{ kind: "ask" }],
    rung: "guard:broken-base",
    because: `fails as the base did before the work began, and so does ${holder}: one of them is enough`,
    considered: [],
  };
}

/** The causes others wait for this subtask with; asked before it is done. */
export const causesHeldBy = ({ state }: Draft, subtask: string): readonly string[] =>
  Object.entries(state.suspects).flatMap(([cause, holder]) => (holder === subtask ? cause : []));

const BY = "unstuck";

/** What they failed of is mended and merged: whoever waits tries again on top of it, unless a person is at it by hand. */
export function baseMended(draft: Draft, causes: readonly string[]): void {
  for (const cause of causes) {
    const asked = draft.state.causes[cause];
    const checkpoint = asked === undefined ? undefined : placeOf(draft, asked).state.checkpoint;
    if (asked === undefined || checkpoint === undefined || checkpoint.takenBy !== undefined)
      continue;
    const answer = { kind: "retry", words: "" } as const;
    const also = checkpoint.also ?? [];
    const closed = {
      kind: "checkpoint-closed",
      checkpoint: checkpoint.id,
      answer,
      by: BY,
    } as const;
    emit(draft, { ...closed, subtask: asked });
    for (const subtask of also)
      emit(draft, { kind: "checkpoint-followed", subtask, checkpoint: checkpoint.id, answer });
    for (const subtask of [asked, ...also]) {
      const specs = [onMendedBase(placeOf(draft, subtask).state)];
      emit(draft, { kind: "attempt-queued", subtask, specs });
    }
  }
}
