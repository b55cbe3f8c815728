/** The state of a run in one plain sentence. Pure; the caller adds times. */
import { count } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { RunState } from "../../core/run/state.ts";
import type { Standing } from "./run-state.ts";

export function stateSentence(
  state: RunState,
  { state: name, pausedBy }: Standing,
  { open, noWorse }: { readonly open: number; readonly noWorse: boolean },
): string {
  const reason = cleanLine(state.outcome?.reason ?? "", 300);
  const because = reason === "" ? "." : `: ${reason}.`;
  const questions = count(open, "question");
  switch (name) {
    case "verified":
      if (!hasChecks(state)) return `Verified${because}`;
      return noWorse
        ? "Verified: every check passes on the result, or is no worse than before."
        : "Verified: every check passes on the result.";
    case "unverified":
      return `Finished, but not verified${because}`;
    case "failed":
      return `Failed${because}`;
    case "out of budget":
      return `Out of budget${because}`;
    case "cancelled":
      return "Cancelled.";
    case "needs you":
      return `Needs you: ${questions} open, and nothing else can go on.`;
    case "running":
    case "waiting": {
      const asks = open === 0 ? "" : ` ${count(open, "question waits", "questions wait")} for you.`;
      const what = name === "running" ? "Running" : "Waiting for a service or a limit";
      return `${what}: ${doneText(state)}.${asks}`;
    }
    case "pausing":
      return "Pausing: what runs is being stopped.";
    case "paused":
      return pausedBy === undefined
        ? "Answered, but not resumed yet."
        : `Paused by ${pausedBy === "user" ? "you" : "the system"}: ${doneText(state)}.`;
    case "interrupted":
      return `Interrupted: its process died, nothing is lost; ${doneText(state)}.`;
    case "not started":
      return "Not started: it is being prepared, or was stopped before it began.";
    case "imported":
      return "Imported history of another run.";
  }
}

const hasChecks = ({ plan }: RunState): boolean => plan.subtasks.some(({ checks }) => checks > 0);

function doneText({ counts, plan }: RunState): string {
  const done = counts.verified + counts.unverified + counts.answered;
  return `${done} of ${count(plan.subtasks.length, "subtask")} done`;
}
