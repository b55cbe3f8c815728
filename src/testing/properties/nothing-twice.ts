/**
 * Nothing happens twice in silence: agents, results, merges, timers, questions; a re-entered attempt is reported lost.
 * Imports the reading. Pure.
 */
import type { RunEvent } from "../../core/run/decision.ts";
import type { RunInput } from "../../core/run/input.ts";
import type { Happened } from "../world/history.ts";
import { eventOf, idOf, inputOf, judging } from "./reading.ts";

export const effectsOnce = judging("effects happen once", (_, report) => {
  const seen = new Set<string>();
  return (happened, where) => {
    const name = effectName(happened);
    if (name === undefined) return;
    if (seen.has(name)) report(where, `${name} for the second time`);
    seen.add(name);
  };
});

function effectName(happened: Happened): string | undefined {
  switch (happened.kind) {
    case "agent-started":
    case "agent-released":
    case "result-moved":
      return `${happened.kind} ${happened.attemptId}`;
    default:
      return undefined;
  }
}

export const staleIsIgnored = judging("stale and duplicate inputs are ignored", (_, report) => {
  const seen = new Set<string>();
  return (happened, where) => {
    const name = recordedName(eventOf(happened));
    if (name === undefined) return;
    if (seen.has(name)) report(where, `${name} is recorded twice`);
    seen.add(name);
  };
});

function recordedName(event: RunEvent | undefined): string | undefined {
  switch (event?.kind) {
    case "received":
      return receivedName(event.input);
    case "attempt-dispatched":
    case "merge-dispatched":
      return `${event.kind} ${event.subtask}/${event.attempt}`;
    case "checks-dispatched":
      return `${event.kind} ${event.subtask}/${event.attempt}/${event.round}`;
    case "wait-scheduled":
      return `${event.kind} ${event.subtask}/${event.timer}`;
    case "checkpoint-opened":
      return `${event.kind} ${event.checkpoint.id}`;
    case "checkpoint-closed":
      return `${event.kind} ${event.checkpoint}`;
    case "subtask-done":
      return `${event.kind} ${event.subtask}`;
    case "run-ended":
      return event.kind;
    default:
      return undefined;
  }
}

function receivedName(input: RunInput): string | undefined {
  switch (input.kind) {
    case "run-started":
    case "stop-requested":
      return input.kind;
    case "attempt-started":
    case "attempt-ended":
    case "merge-ended":
      return `${input.kind} ${input.subtask}/${input.attempt}`;
    case "checks-ended":
      return `${input.kind} ${input.subtask}/${input.attempt}/${input.round}`;
    case "timer-fired":
      return `${input.kind} ${input.subtask}/${input.timer}`;
    case "loop-seen":
    case "checkpoint-answered":
      return undefined;
  }
}

export const reenteredIsLost = judging("a re-entered attempt is lost", (history, report) => {
  const starters = new Map<string, string>();
  const posted = new Set<string>();
  return (happened, where) => {
    if (happened.kind === "agent-started") starters.set(happened.attemptId, happened.by);
    if (happened.kind === "acknowledged" && happened.how === "posted")
      posted.add(JSON.stringify(happened.input));
    const input = inputOf(happened);
    if (input?.kind !== "attempt-ended" || happened.kind !== "committed") return;
    const id = idOf(history.run, input);
    const starter = starters.get(id);
    if (starter === undefined || starter === happened.by) return;
    if (input.observed?.kind !== "lost" && !posted.has(JSON.stringify(input)))
      report(where, `${id} was started by ${starter} and ended by ${happened.by}, but is not lost`);
  };
});
