/**
 * Journal first, act second: every effect has its decision in the journal before it happens, and only while it is
 * open.
 */
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { eventOf, idOf, judging } from "./reading.ts";

export const journaledBefore = judging("effects are journaled before", (history, report) => {
  const { run } = history;
  const open = { dispatched: new Set<string>(), started: new Set<string>() };
  const tree = { checked: new Set<string>(), merged: new Set<string>() };
  const allowed = new Map<string, number>();
  let ended = false;
  const follow = (event: RunEvent): void => {
    if (event.kind === "run-ended") ended = true;
    if (event.kind === "attempt-dispatched") open.dispatched.add(idOf(run, event));
    if (event.kind === "checks-dispatched") tree.checked.add(idOf(run, event));
    if (event.kind === "merge-dispatched") tree.merged.add(idOf(run, event));
    if (event.kind === "baseline-dispatched") tree.checked.add(`${run}/baseline/${event.round}`);
    if (event.kind === "final-check-dispatched")
      tree.checked.add(`${run}/final-check/${event.round}`);
    if (event.kind === "permission-settled" && event.allowed)
      allowed.set(idOf(run, event), (allowed.get(idOf(run, event)) ?? 0) + 1);
    if (event.kind !== "received") return;
    const { input } = event;
    if (input.kind === "attempt-started") open.started.add(idOf(run, input));
    if (input.kind === "checks-ended") tree.checked.delete(idOf(run, input));
    if (input.kind === "merge-ended") tree.merged.delete(idOf(run, input));
    if (input.kind === "baseline-ended") tree.checked.delete(`${run}/baseline/${input.round}`);
    if (input.kind === "final-check-ended")
      tree.checked.delete(`${run}/final-check/${input.round}`);
    if (input.kind === "attempt-ended") {
      open.dispatched.delete(idOf(run, input));
      open.started.delete(idOf(run, input));
    }
  };
  return (happened, where) => {
    const event = eventOf(happened);
    if (event !== undefined) return follow(event);
    if (happened.kind === "agent-started" && !open.dispatched.has(happened.attemptId))
      report(where, `${happened.attemptId} was started, but is not dispatched in the journal`);
    if (happened.kind === "agent-released" && !open.started.has(happened.attemptId))
      report(where, `${happened.attemptId} was let go before its start was in the journal`);
    if (happened.kind === "permission-heard" && happened.allowed) {
      const left = allowed.get(happened.attemptId) ?? 0;
      if (left === 0) report(where, `${happened.attemptId} may do what the journal does not allow`);
      allowed.set(happened.attemptId, left - 1);
    }
    if (happened.kind === "check-begun") {
      const { attemptId } = happened;
      if (!tree.checked.has(attemptId) && !tree.merged.has(attemptId))
        report(where, `${attemptId} was checked, but no check or merge of it is dispatched`);
    }
    if (happened.kind === "result-moved" && !tree.merged.has(happened.attemptId))
      report(where, `the result moved for ${happened.attemptId}, but no merge is dispatched`);
    if (happened.kind === "published" && !ended)
      report(where, "the result was published before the end of the run was in the journal");
  };
});
