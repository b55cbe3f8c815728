/**
 * Which inputs no longer mean anything: duplicates, late results, answers to closed questions. Invariant: an input
 * that is stale once stays stale, because attempts, timers and checkpoints are never numbered twice.
 */
import { unreachable } from "../../assert.ts";
import type { InputOf, RunInput } from "../input.ts";
import { stillWaiting } from "./service-back.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { indexOf, subtaskAt } from "../state.ts";
import type { RunState, SubtaskState } from "../state.ts";

/** Why this input changes nothing, or nothing if it does. */
export function staleness(state: RunState, input: RunInput): string | undefined {
  if (input.kind === "run-started")
    return state.phase === "new" ? undefined : "the run has started";
  if (state.phase === "new") return "the run has not started";
  if (input.kind === "retry-requested") return notReopened(state, input.subtask);
  if (state.phase === "ended") return "the run has ended";
  if (input.kind === "cancel-requested")
    return state.phase === "ending" ? "the run is ending" : undefined;
  if (input.kind === "pause-requested") return notPaused(state, input);
  if (input.kind === "resume-requested")
    return state.paused === undefined || input.pause < state.pauses
      ? "this pause is over"
      : undefined;
  if (input.kind === "service-back")
    return stillWaiting(state, input).length > 0 ? undefined : "nobody waits for it any more";
  if (input.kind === "baseline-ended")
    return state.baseline.awaited === input.round ? undefined : "this baseline is not awaited";
  if (input.kind === "final-check-ended")
    return state.finalCheck === input.round ? undefined : "this check is not awaited";
  if (input.kind === "checkpoint-answered") {
    const checkpoint = openCheckpoint(state, input.checkpoint);
    if (checkpoint === undefined) return "no such open checkpoint: the first answer stands";
    if (!checkpoint.options.some(({ answer }) => answer === input.answer.kind))
      return `this checkpoint does not offer ${input.answer.kind}`;
    const retaken = input.answer.kind === "manual" && !input.answer.done;
    return retaken && checkpoint.takenBy !== undefined ? "somebody has taken it" : undefined;
  }
  const index = indexOf(state, input.subtask);
  if (index === undefined) return "no such subtask";
  return staleForSubtask(subtaskAt(state, index), input);
}

/** A person's word stands above the system's: what they stop stays so until they say otherwise. */
function notPaused(
  { phase, paused, pauses }: RunState,
  { by, pause }: InputOf<"pause-requested">,
): string | undefined {
  if (pause <= pauses) return "this pause is over, or under way";
  if (phase === "ending") return "the run is ending";
  if (paused === undefined) return undefined;
  return paused.by === "system" && by === "user" ? undefined : "the run is paused";
}

/** Only what is done and unverified, in a run that has ended so, can be tried on. */
function notReopened(state: RunState, subtask: string): string | undefined {
  const index = indexOf(state, subtask);
  if (index === undefined) return "no such subtask";
  if (state.outcome?.kind !== "unverified") return "the run has not ended unverified";
  return subtaskAt(state, index).phase === "unverified" ? undefined : "it is not unverified";
}

function staleForSubtask(
  subtask: SubtaskState,
  input: Exclude<Extract<RunInput, { readonly subtask: string }>, InputOf<"retry-requested">>,
): string | undefined {
  switch (input.kind) {
    case "attempt-started": {
      const running = subtask.running.find(({ attempt }) => attempt === input.attempt);
      if (running === undefined) return "this attempt is not running";
      return running.slot === undefined ? undefined : "this attempt has started";
    }
    case "attempt-ended":
      return subtask.running.some(({ attempt }) => attempt === input.attempt)
        ? undefined
        : "this attempt is not running";
    case "checks-ended":
      return subtask.stages.some(
        (stage) =>
          stage.kind === "checks" && stage.attempt === input.attempt && stage.round === input.round,
      )
        ? undefined
        : "these checks are not awaited";
    case "merge-ended":
      return subtask.stages.some(
        (stage) =>
          stage.kind === "merge" &&
          stage.attempt === input.attempt &&
          stage.round === (input.round ?? 1) &&
          stage.dispatched,
      )
        ? undefined
        : "this merge is not awaited";
    case "timer-fired":
      return subtask.timer?.id === input.timer || subtask.expiry?.id === input.timer
        ? undefined
        : "this timer is not set";
    case "loop-seen": {
      const running = subtask.running.find(({ attempt }) => attempt === input.attempt);
      if (running === undefined || running.interrupted) return "this attempt is not running";
      return input.level === "nudge" && running.nudged ? "this attempt was nudged" : undefined;
    }
    default:
      return unreachable(input);
  }
}

/** `<subtask>/c<n>`, or `c<n>` for the run itself. */
export function openCheckpoint(state: RunState, id: string): Checkpoint | undefined {
  const slash = id.lastIndexOf("/");
  if (slash < 0) return state.checkpoint?.id === id ? state.checkpoint : undefined;
  const index = indexOf(state, id.slice(0, slash));
  if (index === undefined) return undefined;
  const { checkpoint } = subtaskAt(state, index);
  return checkpoint?.id === id ? checkpoint : undefined;
}
