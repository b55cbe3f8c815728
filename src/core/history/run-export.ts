/**
 * A run's history in the source's shape (B8), from what is recorded. Invariants: only attempts that were judged
 * are told; foreign text is as it was recorded, tamed and bounded.
 */
import type { Phase } from "../run/view.ts";
import type { HistoryAttempt, HistoryStatus, SubtaskHistory } from "./attempt-history.ts";
import type { PastAttempt, SubtaskPast } from "./run-history.ts";

export function exportedSubtask(past: SubtaskPast, phase: Phase): SubtaskHistory {
  const attempts = [...past.attempts.values()]
    .filter(({ failure, succeeded }) => failure !== undefined || succeeded)
    .map(exportedAttempt);
  const status = past.unanswered === undefined ? statusOf(phase, attempts.length > 0) : "failed";
  return {
    id: past.id,
    status,
    attempts,
    ...(status === "stuck" ? { stuckReason: past.parked ?? "" } : {}),
  };
}

function exportedAttempt(attempt: PastAttempt): HistoryAttempt {
  const { session, approach, succeeded, error, failure, endedAt, startedAt } = attempt;
  return {
    session: session ?? attempt.attempt,
    timestamp: new Date(endedAt ?? startedAt ?? 0).toISOString(),
    approach,
    success: succeeded,
    error: succeeded ? null : error || (failure?.kind ?? ""),
  };
}

function statusOf(phase: Phase, tried: boolean): HistoryStatus {
  switch (phase) {
    case "verified":
    case "unverified":
    case "answered":
      return "completed";
    case "stuck":
    case "asking":
      return "stuck";
    case "skipped":
      return "failed";
    case "running":
    case "waiting":
      return "in_progress";
    case "pending":
    case "blocked":
      return tried ? "in_progress" : "pending";
  }
}
