/**
 * Parking a subtask: mark it, open its checkpoint, say who is blocked and who can go on, record the episode.
 * Imports the draft, graph and checkpoint. Invariant: a parked subtask never stops one that does not depend on it,
 * directly or not (B5, E10).
 */
import { transitiveDependents } from "../plan/graph.ts";
import type { Failure } from "../failure.ts";
import { bestAttempt } from "./best-attempt.ts";
import { hiccup } from "./checkpoint.ts";
import { emit, placeAt } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { episodeOf } from "./episode.ts";
import { subtaskAt } from "./state.ts";

const NAMES_SHOWN = 20;

export interface Parking {
  readonly phase: "stuck" | "asking";
  readonly ask: boolean;
  readonly reason: string;
  readonly alert: boolean;
}

export function park(draft: Draft, index: number, failure: Failure, parking: Parking): void {
  const { id: subtask, plan, state } = placeAt(draft, index);
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
  if (parking.ask) {
    const checkpoint = hiccup({
      id: `${subtask}/c${state.checkpoints + 1}`,
      subtask,
      goal: plan.prompt,
      failure,
      error: state.attempts.at(-1)?.error ?? "",
      attempts: state.attempt,
      ...(best === undefined ? {} : { best }),
      blocks: blocked.slice(0, NAMES_SHOWN).map((other) => placeAt(draft, other).id),
      blocksCount: blocked.length,
    });
    emit(draft, { kind: "checkpoint-opened", checkpoint });
    emit(draft, { kind: "approval-requested", subtask, checkpoint: checkpoint.id });
  }
  emit(draft, { kind: "episode-recorded", episode: episodeOf(draft, index, false) });
}
