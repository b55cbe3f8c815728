/**
 * Commands: what the runtime has to do because of a decision, each with an id that makes repeating it harmless.
 * Invariant: commands follow from recorded facts alone, so after a crash `outstanding` returns exactly those without an
 * answer.
 */
import type { Budget } from "../budget.ts";
import { vectorItems } from "../persistent-collections.ts";
import type { AttemptSpec } from "./attempt.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Decision, OfAttempt, OfTimer } from "./decision.ts";
import type { RunInput } from "./input.ts";
import { planSubtask, type RunState } from "./state.ts";
import type { SubtaskState } from "./subtask-state.ts";

type Action =
  | (OfAttempt & { readonly kind: "start"; readonly spec: AttemptSpec; readonly cap: Budget })
  | (OfAttempt & { readonly kind: "check"; readonly round: number })
  | (OfAttempt & { readonly kind: "merge"; readonly round: number })
  /** The checks on the base, before the first attempt. */
  | { readonly kind: "baseline"; readonly round: number }
  /** The checks on the commit to be published. */
  | { readonly kind: "final-check"; readonly round: number }
  | (OfAttempt & { readonly kind: "nudge"; readonly words: string })
  /** Answers an agent that is waiting for permission to make a call. */
  | (OfAttempt & { readonly kind: "permit"; readonly request: number; readonly allowed: boolean })
  | (OfAttempt & { readonly kind: "interrupt"; readonly reason: string })
  | (OfTimer & { readonly kind: "timer" })
  | { readonly kind: "ask"; readonly checkpoint: Checkpoint }
  | { readonly kind: "end" };

/** The id is the path `run/subtask/attempt` and, for most commands, the action. */
export type Command = Action & { readonly id: string };

/** The command that carries out a decision, if it needs one. */
export function commandOf(run: string, decision: Decision): Command | undefined {
  const action = actionOf(decision);
  return action === undefined ? undefined : named(run, action);
}

function actionOf(decision: Decision): Action | undefined {
  switch (decision.kind) {
    case "attempt-dispatched": {
      const { subtask, attempt, spec, cap } = decision;
      return { kind: "start", subtask, attempt, spec, cap };
    }
    case "checks-dispatched":
    case "merge-dispatched": {
      const { subtask, attempt, round = 1 } = decision;
      const kind = decision.kind === "merge-dispatched" ? "merge" : "check";
      return { kind, subtask, attempt, round };
    }
    case "baseline-dispatched":
      return { kind: "baseline", round: decision.round };
    case "final-check-dispatched":
      return { kind: "final-check", round: decision.round };
    case "nudge-sent":
      return { ...decision, kind: "nudge" };
    case "permission-settled": {
      const { subtask, attempt, request, allowed } = decision;
      return { kind: "permit", subtask, attempt, request, allowed };
    }
    case "attempt-interrupted": {
      const { subtask, attempt, reason } = decision;
      return { kind: "interrupt", subtask, attempt, reason };
    }
    case "wait-scheduled":
    case "wait-shortened":
    case "expiry-scheduled": {
      const { subtask, timer, dueAt } = decision;
      return { kind: "timer", subtask, timer, dueAt };
    }
    case "checkpoint-opened":
      return { kind: "ask", checkpoint: decision.checkpoint };
    case "run-ended":
      return { kind: "end" };
    default:
      return undefined;
  }
}

/** All commands without an answer. Messages to agents that no longer run are not repeated. */
export function outstanding(state: RunState): Command[] {
  const { checkpoint, baseline, finalCheck } = state;
  const actions: Action[] = vectorItems(state.subtasks).flatMap((subtask, index) =>
    outstandingOf(planSubtask(state, index).id, subtask),
  );
  if (checkpoint !== undefined) actions.push({ kind: "ask", checkpoint });
  if (baseline.awaited !== undefined) actions.push({ kind: "baseline", round: baseline.awaited });
  if (finalCheck !== undefined) actions.push({ kind: "final-check", round: finalCheck });
  return actions.map((action) => named(state.run, action));
}

function outstandingOf(subtask: string, own: SubtaskState): Action[] {
  const actions: Action[] = [];
  for (const { attempt, spec, cap, interrupted } of own.running) {
    actions.push({ kind: "start", subtask, attempt, spec, cap });
    const reason = "interrupted before the restart";
    if (interrupted) actions.push({ kind: "interrupt", subtask, attempt, reason });
  }
  for (const stage of own.stages) {
    const { attempt, round } = stage;
    if (stage.kind === "checks") actions.push({ kind: "check", subtask, attempt, round });
    else if (stage.dispatched) actions.push({ kind: "merge", subtask, attempt, round });
  }
  for (const set of [own.timer, own.expiry])
    if (set !== undefined)
      actions.push({ kind: "timer", subtask, timer: set.id, dueAt: set.dueAt });
  // A permission question dies with the agent that waits for it: the end of its attempt closes the question.
  if (own.checkpoint !== undefined && own.checkpoint.waiting === undefined)
    actions.push({ kind: "ask", checkpoint: own.checkpoint });
  return actions;
}

const named = (run: string, action: Action): Command => ({
  ...action,
  id: `${run}/${nameOf(action)}`,
});

function nameOf(action: Action): string {
  switch (action.kind) {
    case "start":
      return `${action.subtask}/${action.attempt}`;
    case "check":
      return `${action.subtask}/${action.attempt}/check/${action.round}`;
    case "merge":
      return `${action.subtask}/${action.attempt}/merge${action.round === 1 ? "" : `/${action.round}`}`;
    case "permit":
      return `${action.subtask}/${action.attempt}/permit/${action.request}`;
    case "nudge":
    case "interrupt":
      return `${action.subtask}/${action.attempt}/${action.kind}`;
    case "baseline":
    case "final-check":
      return `${action.kind}/${action.round}`;
    case "timer":
      return `${action.subtask}/t${action.timer}`;
    case "ask":
      return action.checkpoint.id;
    case "end":
      return "end";
  }
}

/** The id of the command that an input answers, if any. */
export function answeredBy(run: string, input: RunInput): string | undefined {
  switch (input.kind) {
    case "attempt-ended":
      return `${run}/${input.subtask}/${input.attempt}`;
    case "checks-ended":
      return named(run, { ...input, kind: "check" }).id;
    case "merge-ended":
      return named(run, { ...input, kind: "merge", round: input.round ?? 1 }).id;
    case "baseline-ended":
      return named(run, { ...input, kind: "baseline" }).id;
    case "final-check-ended":
      return named(run, { ...input, kind: "final-check" }).id;
    default:
      return undefined;
  }
}
