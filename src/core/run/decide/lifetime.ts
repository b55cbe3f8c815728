/**
 * What pausing, resuming and cancelling do to a run (U16). Invariants: a pause uses nothing up: what it cuts off
 * counts towards no cap and goes on as it was; a paused run starts nothing; a cancelled run never goes on.
 */
import { isCutOffByPause } from "../attempt.ts";
import type { AttemptSpec } from "../attempt.ts";
import { emit, subtaskNowAt, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import type { InputOf } from "../input.ts";
import { subtaskAt } from "../state.ts";

/** Interrupts whatever runs; what it has done is kept. */
export function interruptAll(
  draft: DecisionDraft,
  reason: string,
  cutBy: "pause" | "cancel",
): void {
  for (let index = 0; index < draft.state.plan.subtasks.length; index += 1) {
    const { id: subtask, state } = subtaskNowAt(draft, index);
    for (const { attempt } of state.running)
      emit(draft, {
        ...{ kind: "attempt-interrupted", subtask, attempt, reason },
        ...(cutBy === "pause" ? { pause: true } : {}),
      });
  }
}

/** The same attempt once more, as soon as the run goes on: false where the pause is not why it ended. */
export function resumesLater(draft: DecisionDraft, input: InputOf<"attempt-ended">): boolean {
  const { subtask, attempt, remains } = input;
  const { index } = subtaskNow(draft, subtask);
  const { running } = subtaskAt(draft.before, index);
  const cut = running.find((other) => other.attempt === attempt);
  if (cut === undefined || !isCutOffByPause(cut, input.observed?.kind)) return false;
  const spec: AttemptSpec = {
    ...cut.spec,
    context: "keep",
    tree: remains.treeBefore === "" ? cut.spec.tree : { kind: "keep" },
    resumes: true,
  };
  emit(draft, { kind: "attempt-cut-off", subtask, attempt, spec });
  return true;
}

/** Once its agents are gone a run is paused: checks and merges that are under way are done anew when it goes on. */
export function pauseIfStill(draft: DecisionDraft): void {
  const { phase, agents, paused, pauses: pause } = draft.state;
  if (phase !== "pausing" || agents > 0 || paused === undefined) return;
  emit(draft, { kind: "run-paused", pause, ...paused });
}
