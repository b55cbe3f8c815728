/**
 * A read-only subtask looks and answers, and that is all: it is neither verified nor unverified, moves nothing,
 * asks nobody and is tried twice at most.
 */
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { eventOf, judging } from "./reading.ts";

const TRIES_MAX = 2;

/** What may never be decided about it. */
const FOREIGN: ReadonlySet<RunEvent["kind"]> = new Set([
  "checks-dispatched",
  "merge-queued",
  "subtask-parked",
  "approval-requested",
  "progress-scored",
  "circular-fix-seen",
  "exploration-started",
]);

export const readersOnlyRead = judging("a reader only reads", (history, report) => {
  const readers = new Set(
    history.plan.plan.subtasks.flatMap(({ id, readOnly }) => (readOnly === true ? id : [])),
  );
  const counted = new Map<string, number>();
  return (happened, where) => {
    if (happened.kind === "result-moved") {
      const subtask = happened.attemptId.split("/").at(-2) ?? "";
      if (readers.has(subtask)) report(where, `the result moved for ${happened.attemptId}`);
    }
    const event = eventOf(happened);
    if (event === undefined || !("subtask" in event) || event.subtask === undefined) return;
    const { subtask } = event;
    const isReader = readers.has(subtask);
    if (event.kind === "subtask-done" && isReader !== (event.phase === "answered"))
      report(where, `${subtask} ended ${event.phase}`);
    if (!isReader) return;
    if (FOREIGN.has(event.kind)) report(where, `${event.kind} for ${subtask}, which only reads`);
    if (event.kind === "failure-classified" && event.counted)
      counted.set(subtask, (counted.get(subtask) ?? 0) + 1);
    if (event.kind === "attempt-dispatched" && (counted.get(subtask) ?? 0) >= TRIES_MAX)
      report(where, `${subtask} is tried once more after ${TRIES_MAX} failures`);
  };
});
