/**
 * Parking a subtask: mark it, open its checkpoint, say who is blocked and who can go on, record the episode.
 * Invariant: a parked subtask never stops one that does not depend on it, directly or not (B5, E10).
 */
import { assert } from "../../assert.ts";
import { transitiveDependents } from "../../plan/graph.ts";
import type { Failure } from "../../failure.ts";
import { bestAttempt } from "./kept-work.ts";
import { baseCause } from "../fold/base-suspects.ts";
import { hiccup, sharedCause } from "../checkpoint.ts";
import { emit, subtaskNowAt, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { episodeOf } from "./episode.ts";
import { subtaskAt } from "../state.ts";

const NAMES_SHOWN = 20;

export interface Parking {
  readonly phase: "stuck" | "asking";
  readonly ask: boolean;
  readonly reason: string;
  readonly alert: boolean;
  /** What other subtasks may fail of as well, where the failure's kind does not tell. */
  readonly cause?: string;
}

export function park(
  draft: DecisionDraft,
  index: number,
  failure: Failure,
  parking: Parking,
): void {
  const { id: subtask, plan, state } = subtaskNowAt(draft, index);
  const dependents = transitiveDependents(draft.state.graph, subtask);
  const blocked = dependents.filter((other) => subtaskAt(draft.state, other).phase === "pending");
  const { phase, reason } = parking;
  const best = bestAttempt(state.attempts)?.attempt;
  emit(draft, {
    ...{ kind: "subtask-parked", subtask, phase, reason },
    ...(best === undefined ? {} : { best }),
  });
  emit(draft, {
    kind: "subtask-blocked",
    subtask,
    reason: parking.reason,
    independent: draft.state.counts.pending - blocked.length,
  });
  if (parking.alert)
    emit(draft, {
      kind: "alert-raised",
      subtask,
      alert: "stuck_unrecoverable",
      severity: "critical",
    });
  const outside = parking.cause ?? baseCause(state);
  const cause = outside ?? sharedCause(failure, state.entry);
  const isShared = outside !== undefined || phase === "asking";
  const asked = cause === undefined ? undefined : draft.state.causes[cause];
  if (parking.ask && asked !== undefined && isShared) join(draft, subtask, asked);
  else if (parking.ask) {
    const { expireMs } = draft.state.plan;
    const checkpoint = hiccup({
      id: `${subtask}/c${state.checkpoints + 1}`,
      subtask,
      goal: plan.prompt,
      failure,
      error: state.attempts.at(-1)?.error ?? "",
      attempts: state.attempt,
      ...(best === undefined ? {} : { best }),
      ...adviceIn(draft),
      ...(cause === undefined || !isShared ? {} : { cause }),
      ...(expireMs === undefined ? {} : { expiresAt: draft.input.at + expireMs }),
      blocks: blocked.slice(0, NAMES_SHOWN).map((other) => subtaskNowAt(draft, other).id),
      blocksCount: blocked.length,
    });
    emit(draft, { kind: "checkpoint-opened", checkpoint });
    if (checkpoint.expiresAt !== undefined)
      emit(draft, {
        ...{ kind: "expiry-scheduled", subtask, checkpoint: checkpoint.id },
        ...{ timer: state.timers + 1, dueAt: checkpoint.expiresAt },
      });
    emit(draft, { kind: "approval-requested", subtask, checkpoint: checkpoint.id });
  }
  emit(draft, { kind: "episode-recorded", episode: episodeOf(draft, index, false) });
}

const adviceIn = ({ input }: DecisionDraft): { readonly advice?: string } =>
  input.kind === "attempt-ended" && input.advice !== undefined ? { advice: input.advice } : {};

/** One question for one cause: the answer to it will count for this subtask as well (C9). */
function join(draft: DecisionDraft, subtask: string, of: string): void {
  const { checkpoint } = subtaskNow(draft, of).state;
  assert(checkpoint !== undefined, "a known cause has its open checkpoint");
  emit(draft, { kind: "checkpoint-joined", subtask, of, checkpoint: checkpoint.id });
}
