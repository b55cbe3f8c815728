/** The part of `fold` that tracks questions: opened, joined, taken over, closed with an answer. */
import { assert } from "../../assert.ts";
import type { Refusal } from "../../agent-words/refusal.ts";
import { raise, type Budget } from "../../budget.ts";
import { NOT_STUCK } from "../../progress/stuck-state.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { DecisionOf } from "../decision.ts";
import type { Answer } from "../input.ts";
import { recordedIndex, subtaskAt, withSubtask, type RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { inSubtask, someFolds } from "./facts.ts";

const ALLOWED_KEPT = 200;

export const CHECKPOINT_FOLDS = someFolds({
  "checkpoint-opened": opened,
  "checkpoint-joined": (state, { of, subtask }) =>
    amended(state, of, ({ also = [] }) => ({ also: [...also, subtask] })),
  "checkpoint-followed": inSubtask((subtask, { answer }) =>
    answered(subtask, answer, subtask.attempts.at(-1)?.refused),
  ),
  "checkpoint-taken": (state, { subtask, by: takenBy }) =>
    amended(state, subtask, () => ({ takenBy })),
  "checkpoint-closed": closed,
  "expiry-scheduled": inSubtask((_, { timer: id, dueAt }) => ({
    expiry: { id, dueAt },
    timers: id,
  })),
});

function opened(state: RunState, { checkpoint }: DecisionOf<"checkpoint-opened">): RunState {
  const { cause, subtask } = checkpoint;
  const open = { ...state, openCheckpoints: state.openCheckpoints + 1 };
  if (subtask === undefined) return { ...open, checkpoint, checkpoints: state.checkpoints + 1 };
  const causes = cause === undefined ? state.causes : { ...state.causes, [cause]: subtask };
  const index = recordedIndex(state, subtask);
  const { checkpoints } = subtaskAt(state, index);
  return withSubtask({ ...open, causes }, index, { checkpoint, checkpoints: checkpoints + 1 });
}

function amended(
  state: RunState,
  subtask: string,
  change: (open: Checkpoint) => Partial<Checkpoint>,
): RunState {
  const index = recordedIndex(state, subtask);
  const { checkpoint } = subtaskAt(state, index);
  assert(checkpoint !== undefined, "only an open checkpoint can be joined or taken");
  return withSubtask(state, index, { checkpoint: { ...checkpoint, ...change(checkpoint) } });
}

function closed(state: RunState, event: DecisionOf<"checkpoint-closed">): RunState {
  const { answer } = event;
  const by = answer.kind === "top-up" ? answer.by : {};
  const open = { ...state, openCheckpoints: state.openCheckpoints - 1 };
  if (event.subtask === undefined) {
    const { trigger, context } = state.checkpoint ?? {};
    const next: RunState = { ...open, checkpoint: undefined, tight: [], ...raised(state, by) };
    if (answer.kind === "without") {
      const dropped = [...state.baseline.dropped, ...(context?.checks ?? [])];
      return { ...next, baseline: { ...state.baseline, dropped } };
    }
    if (answer.kind !== "skip") return next;
    const unfunded = trigger === "BUDGET" ? (context?.error ?? "") : undefined;
    return { ...next, phase: "ending", unfunded };
  }
  const index = recordedIndex(state, event.subtask);
  const subtask = subtaskAt(state, index);
  const isRecovery = subtask.checkpoint?.context.budgetOf === "recovery";
  const recovery = isRecovery ? { ...open.recovery, ...raised(open.recovery, by) } : open.recovery;
  const cause = subtask.checkpoint?.cause ?? "";
  const { [cause]: _, ...causes } = open.causes;
  const { refused = [] } = subtask.checkpoint?.context ?? {};
  const isForAll = answer.kind === "allow-run" || answer.kind === "allow-always";
  const allowed = isForAll ? [...state.allowed, ...refused].slice(-ALLOWED_KEPT) : state.allowed;
  return withSubtask({ ...open, causes, recovery, allowed }, index, {
    ...{ checkpoint: undefined, expiry: undefined },
    ...(isRecovery ? {} : raised(subtask, by)),
    ...(subtask.checkpoint?.waiting === undefined ? answered(subtask, answer, refused) : {}),
  });
}

/** A raised budget is warned about again when it is nearly used up. */
const raised = ({ limit, warned }: Pick<SubtaskState, "limit" | "warned">, by: Budget) => ({
  limit: raise(limit, by),
  warned: warned.filter((measure) => !(measure in by)),
});

function answered(
  { attempt, level, declined }: SubtaskState,
  answer: Answer,
  refused: readonly Refusal[] = [],
): Partial<SubtaskState> {
  switch (answer.kind) {
    case "retry":
      return { ...resetProgress(attempt), words: answer.words || undefined };
    case "without":
      return { ...resetProgress(attempt), level, declined: [...declined, ...refused] };
    case "other-agent":
    case "allow-once":
    case "allow-run":
    case "allow-always":
      return { ...resetProgress(attempt), level };
    default:
      return {};
  }
}

/** A person's words are a new start: counters and rungs are reset, history and budgets stay. */
export const resetProgress = (attempt: number): Partial<SubtaskState> => ({
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
