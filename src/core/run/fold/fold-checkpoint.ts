/**
 * The part of `fold` that follows questions: opened, joined, taken over, closed with an answer. Same invariants as
 * `fold`.
 */
import { assert, unreachable } from "../../assert.ts";
import { raise } from "../../budget.ts";
import type { Budget } from "../../budget.ts";
import { NOT_STUCK } from "../../progress/stuck-state.ts";
import type { DecisionOf } from "../decision.ts";
import { recordedIndex, subtaskAt, withSubtask } from "../state.ts";
import type { RunState, SubtaskState, Warned } from "../state.ts";

type CheckpointEvent = DecisionOf<
  | "checkpoint-opened"
  | "checkpoint-joined"
  | "checkpoint-followed"
  | "checkpoint-taken"
  | "checkpoint-closed"
>;

export function foldCheckpoint(state: RunState, event: CheckpointEvent): RunState {
  switch (event.kind) {
    case "checkpoint-opened":
      return checkpointOpened(state, event);
    case "checkpoint-joined":
      return checkpointJoined(state, event);
    case "checkpoint-followed": {
      const index = recordedIndex(state, event.subtask);
      return withSubtask(state, index, spoken(event.answer, subtaskAt(state, index)));
    }
    case "checkpoint-taken":
      return checkpointTaken(state, event);
    case "checkpoint-closed":
      return checkpointClosed(state, event);
    default:
      return unreachable(event);
  }
}

function checkpointOpened(state: RunState, event: DecisionOf<"checkpoint-opened">): RunState {
  const { checkpoint } = event;
  const { cause, subtask } = checkpoint;
  const open = {
    ...state,
    openCheckpoints: state.openCheckpoints + 1,
    ...(cause === undefined || subtask === undefined
      ? {}
      : { causes: { ...state.causes, [cause]: subtask } }),
  };
  if (checkpoint.subtask === undefined)
    return { ...open, checkpoint, checkpoints: state.checkpoints + 1 };
  const index = recordedIndex(state, checkpoint.subtask);
  return withSubtask(open, index, {
    checkpoint,
    checkpoints: subtaskAt(state, index).checkpoints + 1,
  });
}

function checkpointJoined(state: RunState, event: DecisionOf<"checkpoint-joined">): RunState {
  const index = recordedIndex(state, event.of);
  const { checkpoint } = subtaskAt(state, index);
  assert(checkpoint !== undefined, "only an open checkpoint can be joined");
  const also = [...(checkpoint.also ?? []), event.subtask];
  return withSubtask(state, index, { checkpoint: { ...checkpoint, also } });
}

function checkpointTaken(state: RunState, event: DecisionOf<"checkpoint-taken">): RunState {
  const index = recordedIndex(state, event.subtask);
  const { checkpoint } = subtaskAt(state, index);
  assert(checkpoint !== undefined, "only an open checkpoint can be taken");
  return withSubtask(state, index, { checkpoint: { ...checkpoint, takenBy: event.by } });
}

function checkpointClosed(state: RunState, event: DecisionOf<"checkpoint-closed">): RunState {
  const { answer } = event;
  const by = answer.kind === "top-up" ? answer.by : {};
  const open = { ...state, openCheckpoints: state.openCheckpoints - 1 };
  if (event.subtask === undefined) {
    const { trigger, context } = state.checkpoint ?? {};
    const closed: RunState = { ...open, checkpoint: undefined, tight: [], ...raised(state, by) };
    if (answer.kind === "without") {
      const dropped = [...state.baseline.dropped, ...(context?.checks ?? [])];
      return { ...closed, baseline: { ...state.baseline, dropped } };
    }
    if (answer.kind !== "skip") return closed;
    const unfunded = trigger === "BUDGET" ? (context?.error ?? "") : undefined;
    return { ...closed, phase: "ending", unfunded };
  }
  const index = recordedIndex(state, event.subtask);
  const subtask = subtaskAt(state, index);
  const isRecovery = subtask.checkpoint?.context.budgetOf === "recovery";
  const recovery = isRecovery ? { ...open.recovery, ...raised(open.recovery, by) } : open.recovery;
  const cause = subtask.checkpoint?.cause ?? "";
  const { [cause]: _, ...causes } = open.causes;
  return withSubtask({ ...open, causes, recovery }, index, {
    ...{ checkpoint: undefined, expiry: undefined },
    ...(isRecovery ? {} : raised(subtask, by)),
    ...spoken(answer, subtask),
  });
}

/** What was raised is warned of anew when it is nearly used up again. */
const raised = (
  { limit, warned }: { readonly limit: Budget; readonly warned: Warned },
  by: Budget,
): { readonly limit: Budget; readonly warned: Warned } => ({
  limit: raise(limit, by),
  warned: warned.filter((measure) => !(measure in by)),
});

const spoken = (
  answer: DecisionOf<"checkpoint-closed">["answer"],
  { attempt }: SubtaskState,
): Partial<SubtaskState> =>
  answer.kind === "retry" ? { ...anew(attempt), words: answer.words || undefined } : {};

/** A person's words are a new start: counters and rungs begin again, history and budgets stay. */
export const anew = (attempt: number): Partial<SubtaskState> => ({
  spokenAt: attempt,
  uses: {},
  mutationsTried: [],
  banned: [],
  progress: NOT_STUCK,
  outage: undefined,
  cutOffs: 0,
  continues: 0,
  rung: undefined,
  lastRung: undefined,
  level: "clarify",
});
