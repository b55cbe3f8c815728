/**
 * Commands: what the runtime is to do because of a decision, each with an id that makes repeating it harmless.
 * Invariant: commands follow from recorded facts alone, so after a crash `outstanding` gives again exactly those
 * that have no answer yet.
 */
import type { Budget } from "../budget.ts";
import { vectorItems } from "../persistent-collections.ts";
import type { AttemptSpec } from "./attempt.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Decision } from "./decision.ts";
import type { RunState } from "./state.ts";

interface Identified {
  /** `run/subtask/attempt` and what is done to it. */
  readonly id: string;
}
interface OfAttempt extends Identified {
  readonly subtask: string;
  readonly attempt: number;
}

export type Command =
  | (OfAttempt & { readonly kind: "start"; readonly spec: AttemptSpec; readonly cap: Budget })
  | (OfAttempt & { readonly kind: "check"; readonly round: number })
  | (OfAttempt & { readonly kind: "merge"; readonly round: number })
  /** The checks on the base, before the first attempt. */
  | (Identified & { readonly kind: "baseline"; readonly round: number })
  /** The checks on the commit that is to be published. */
  | (Identified & { readonly kind: "final-check"; readonly round: number })
  | (OfAttempt & { readonly kind: "nudge"; readonly words: string })
  | (OfAttempt & { readonly kind: "interrupt"; readonly reason: string })
  | (Identified & {
      readonly kind: "timer";
      readonly subtask: string;
      readonly timer: number;
      readonly dueAt: number;
    })
  | (Identified & { readonly kind: "ask"; readonly checkpoint: Checkpoint })
  | (Identified & { readonly kind: "end" });

/** The command of a decision, if it has one. */
export function commandOf(run: string, decision: Decision): Command | undefined {
  switch (decision.kind) {
    case "attempt-dispatched":
      return start(run, decision.subtask, decision.attempt, decision.spec, decision.cap);
    case "checks-dispatched":
      return check(run, decision.subtask, decision.attempt, decision.round);
    case "merge-dispatched":
      return merge(run, decision.subtask, decision.attempt, decision.round ?? 1);
    case "baseline-dispatched":
      return baseline(run, decision.round);
    case "final-check-dispatched":
      return finalCheck(run, decision.round);
    case "nudge-sent":
      return { ...named(run, decision, "nudge"), kind: "nudge", words: decision.words };
    case "attempt-interrupted":
      return { ...named(run, decision, "interrupt"), kind: "interrupt", reason: decision.reason };
    case "wait-scheduled":
    case "wait-shortened":
    case "expiry-scheduled":
      return timer(run, decision.subtask, decision.timer, decision.dueAt);
    case "checkpoint-opened":
      return ask(run, decision.checkpoint);
    case "run-ended":
      return { kind: "end", id: `${run}/end` };
    default:
      return undefined;
  }
}

/** Everything that was decided and has no answer yet; nudges are not repeated. */
export function outstanding(state: RunState): Command[] {
  const commands: Command[] = [];
  for (const [index, subtask] of vectorItems(state.subtasks).entries()) {
    const id = state.plan.subtasks[index]?.id ?? "";
    for (const { attempt, spec, cap, interrupted } of subtask.running) {
      commands.push(start(state.run, id, attempt, spec, cap));
      if (interrupted)
        commands.push({
          ...named(state.run, { subtask: id, attempt }, "interrupt"),
          kind: "interrupt",
          reason: "interrupted before the restart",
        });
    }
    for (const stage of subtask.stages) {
      if (stage.kind === "checks") commands.push(check(state.run, id, stage.attempt, stage.round));
      else if (stage.dispatched) commands.push(merge(state.run, id, stage.attempt, stage.round));
    }
    if (subtask.timer !== undefined)
      commands.push(timer(state.run, id, subtask.timer.id, subtask.timer.dueAt));
    if (subtask.expiry !== undefined)
      commands.push(timer(state.run, id, subtask.expiry.id, subtask.expiry.dueAt));
    if (subtask.checkpoint !== undefined) commands.push(ask(state.run, subtask.checkpoint));
  }
  if (state.checkpoint !== undefined) commands.push(ask(state.run, state.checkpoint));
  if (state.baseline.awaited !== undefined)
    commands.push(baseline(state.run, state.baseline.awaited));
  if (state.finalCheck !== undefined) commands.push(finalCheck(state.run, state.finalCheck));
  return commands;
}

const named = (
  run: string,
  { subtask, attempt }: { readonly subtask: string; readonly attempt: number },
  what: string,
): OfAttempt => ({ id: `${run}/${subtask}/${attempt}/${what}`, subtask, attempt });

const start = (
  run: string,
  subtask: string,
  attempt: number,
  spec: AttemptSpec,
  cap: Budget,
): Command => ({ kind: "start", id: `${run}/${subtask}/${attempt}`, subtask, attempt, spec, cap });

const check = (run: string, subtask: string, attempt: number, round: number): Command => ({
  ...named(run, { subtask, attempt }, `check/${round}`),
  kind: "check",
  round,
});

const merge = (run: string, subtask: string, attempt: number, round: number): Command => ({
  ...named(run, { subtask, attempt }, round === 1 ? "merge" : `merge/${round}`),
  kind: "merge",
  round,
});

const baseline = (run: string, round: number): Command => ({
  kind: "baseline",
  id: `${run}/baseline/${round}`,
  round,
});

const finalCheck = (run: string, round: number): Command => ({
  kind: "final-check",
  id: `${run}/final-check/${round}`,
  round,
});

const ask = (run: string, checkpoint: Checkpoint): Command => ({
  kind: "ask",
  id: `${run}/${checkpoint.id}`,
  checkpoint,
});

const timer = (run: string, subtask: string, id: number, dueAt: number): Command => ({
  kind: "timer",
  id: `${run}/${subtask}/t${id}`,
  subtask,
  timer: id,
  dueAt,
});
