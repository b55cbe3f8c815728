/**
 * What a person's answer to a checkpoint leads to (D4, D5, D7). Invariant: the first answer stands; a later one
 * was stale before it came here.
 */
import { assert, unreachable } from "../../assert.ts";
import { emit, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { episodeOf } from "./episode.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { Answer, InputOf } from "../input.ts";
import { firstSpec, onResult, retryByPerson } from "./next-attempt.ts";
import { openCheckpoint } from "./staleness.ts";
import { subtaskAt } from "../state.ts";

export function answered(draft: DecisionDraft, input: InputOf<"checkpoint-answered">): void {
  const checkpoint = openCheckpoint(draft.state, input.checkpoint);
  assert(checkpoint !== undefined, "a stale answer is not decided on");
  settle(draft, checkpoint, input.answer, input.by);
}

/** Who answers for people who did not: their question's default, which is never a risky one. */
export const NOBODY = "nobody in time";

/** A timer that was set for a question: nobody answered it in time. */
export function expired(draft: DecisionDraft, { subtask, timer }: InputOf<"timer-fired">): void {
  const { index, state } = subtaskNow(draft, subtask);
  if (subtaskAt(draft.before, index).expiry?.id !== timer) return;
  const { checkpoint } = state;
  assert(checkpoint?.default === "skip", "a question that expires is open, and its default is no");
  settle(draft, checkpoint, { kind: "skip" }, NOBODY);
}

function settle(draft: DecisionDraft, checkpoint: Checkpoint, answer: Answer, by: string): void {
  const { subtask, id } = checkpoint;
  if (subtask === undefined) {
    emit(draft, { kind: "checkpoint-closed", checkpoint: id, answer, by });
    if (checkpoint.trigger === "CHECKS" && answer.kind === "retry")
      emit(draft, { kind: "baseline-dispatched", round: rounds(draft) + 1 });
    return;
  }
  if (answer.kind === "manual" && !answer.done) {
    emit(draft, { kind: "checkpoint-taken", checkpoint: id, by, subtask });
    return;
  }
  emit(draft, { kind: "checkpoint-closed", checkpoint: id, answer, by, subtask });
  for (const other of checkpoint.also ?? []) follow(draft, other, id, answer, by);
  const { index, plan, state } = subtaskNow(draft, subtask);
  switch (answer.kind) {
    case "skip":
      emit(draft, {
        kind: "subtask-parked",
        subtask,
        phase: "skipped",
        reason: `skipped by ${by}`,
      });
      return;
    case "retry":
      emit(draft, { kind: "attempt-queued", subtask, specs: [retryByPerson(state)] });
      return;
    case "top-up":
      emit(draft, {
        kind: "attempt-queued",
        subtask,
        specs: state.next.length > 0 ? [] : [firstSpec(state)],
      });
      return;
    case "manual":
      if (plan.checks > 0)
        emit(draft, { kind: "checks-dispatched", subtask, attempt: state.attempt + 1, round: 1 });
      else {
        const attempt = state.attempt;
        emit(draft, { kind: "subtask-done", subtask, attempt, phase: "unverified" });
        emit(draft, { kind: "episode-recorded", episode: episodeOf(draft, index, true) });
      }
      return;
    case "without":
      throw new Error("broken invariant: only checks on the base can be gone without");
    default:
      unreachable(answer);
  }
}

/** Each run of the checks on the base has a number of its own; so many questions, so many rounds. */
const rounds = ({ state }: DecisionDraft): number => state.checkpoints;

/** What the answer to a shared question means for one that had joined it: what was cured by hand is tried again. */
function follow(
  draft: DecisionDraft,
  subtask: string,
  checkpoint: string,
  answer: Answer,
  by: string,
): void {
  emit(draft, { kind: "checkpoint-followed", subtask, checkpoint, answer });
  const { state } = subtaskNow(draft, subtask);
  if (answer.kind === "skip") {
    const reason = `skipped by ${by}`;
    emit(draft, { kind: "subtask-parked", subtask, phase: "skipped", reason });
  } else {
    const spec = answer.kind === "retry" ? retryByPerson(state) : firstSpec(state);
    emit(draft, { kind: "attempt-queued", subtask, specs: [spec] });
  }
}

/** What ended unverified is tried on, because a person says so. */
export function retryRequested(
  draft: DecisionDraft,
  { subtask }: InputOf<"retry-requested">,
): void {
  const specs = [onResult(subtaskNow(draft, subtask).state)];
  emit(draft, { kind: "attempt-queued", subtask, specs });
}
