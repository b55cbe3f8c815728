/**
 * A run in plain lines, from the same events every screen reads. Imports core types and foreign-text.
 * One line per thing a person wants to know; what is foreign is tamed.
 */
import { tameLine } from "../core/foreign-text.ts";
import type { Recovery } from "../core/recovery.ts";
import type { RunEvent } from "../core/run/decision.ts";
import type { Style } from "./io.ts";

type Styled = (style: Style, words: string) => string;

/** The line for an event, or nothing where it is of no interest to a person. */
export function lineOf(event: RunEvent, styled: Styled): string | undefined {
  switch (event.kind) {
    case "attempt-dispatched": {
      const { entry, recovery } = event.spec;
      const model = entry.model === undefined ? entry.agent : `${entry.agent} ${entry.model}`;
      const why = recovery === undefined ? "" : `, ${recovery}`;
      return `${name(event.subtask)} attempt ${event.attempt} started (${tameLine(model, 60)}${why})`;
    }
    case "failure-classified": {
      const { kind, because } = event.failure;
      const counted = event.counted ? "" : ", uncounted";
      return `${name(event.subtask)} ${styled("red", kind)}${counted}: ${because[0] ?? ""}`;
    }
    case "recovery-chosen":
      return `${name(event.subtask)} ${styled("cyan", event.recoveries.map(words).join(" + "))}: ${event.because}`;
    case "checks-dispatched":
      return event.round === 1
        ? `${name(event.subtask)} checking`
        : `${name(event.subtask)} checking again before the code is blamed`;
    case "wait-scheduled":
      return `${name(event.subtask)} waits until ${new Date(event.dueAt).toISOString()} (${event.reason})`;
    case "subtask-done":
      return `${name(event.subtask)} ${styled(event.phase === "verified" ? "green" : "yellow", event.phase)}`;
    case "subtask-parked":
      return `${name(event.subtask)} ${styled("yellow", event.phase)}: ${tameLine(event.reason, 200)}`;
    case "circular-fix-seen":
      return `${name(event.subtask)} goes in circles: ${tameLine(event.because, 200)}`;
    case "attempt-interrupted":
      return `${name(event.subtask)} attempt ${event.attempt} interrupted: ${tameLine(event.reason, 200)}`;
    case "checkpoint-opened":
      return `${styled("bold", "?")} ${event.checkpoint.question}`;
    case "run-ended":
      return `run ${styled("bold", event.outcome)}: ${event.reason}`;
    case "budget-warned":
      return `${styled("yellow", "budget")}: 80 % of ${event.measure} is spent`;
    default:
      return undefined;
  }
}

const name = (subtask: string): string => `[${tameLine(subtask, 40)}]`;

function words(recovery: Recovery): string {
  switch (recovery.kind) {
    case "mutate":
      return `mutate (${recovery.mutation})`;
    case "repair":
      return `repair (${recovery.strategy})`;
    case "sidegrade":
    case "escalate":
      return `${recovery.kind} to ${recovery.entry.model ?? recovery.entry.agent}`;
    case "explore":
      return `explore ${recovery.branches.length} branches`;
    default:
      return recovery.kind;
  }
}
