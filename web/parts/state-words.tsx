/** The state of a run or a subtask: a word, a shape and a tone, the same on every page. */
import type { OutlinedSubtask, Phase, RunState, Standing } from "../api/operations.ts";
import { Icon, type IconName } from "./icons.tsx";

export type Tone = "needs" | "running" | "waiting" | "good" | "doubt" | "failed" | "still";

interface Look {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: Tone;
}
const look = (words: string, icon: IconName, tone: Tone): Look => ({ words, icon, tone });

const RUN_LOOKS: { readonly [state in RunState]: Look } = {
  "needs you": look("Needs you", "question", "needs"),
  running: look("Running", "play", "running"),
  waiting: look("Waiting", "clock", "waiting"),
  pausing: look("Pausing", "pause", "still"),
  paused: look("Paused", "pause", "still"),
  interrupted: look("Interrupted", "broken", "doubt"),
  "not started": look("Not started", "dotted", "still"),
  verified: look("Verified", "check", "good"),
  unverified: look("Unverified", "tilde", "doubt"),
  failed: look("Failed", "cross", "failed"),
  "out of budget": look("Out of budget", "coin", "doubt"),
  cancelled: look("Cancelled", "slash", "still"),
  imported: look("Imported", "down", "still"),
};

const PHASE_LOOKS: { readonly [phase in Phase]: Look } = {
  pending: look("Not started", "dotted", "still"),
  running: look("Running", "play", "running"),
  waiting: look("Waiting", "clock", "waiting"),
  asking: look("Needs you", "question", "needs"),
  verified: look("Verified", "check", "good"),
  unverified: look("Unverified", "tilde", "doubt"),
  answered: look("Answered", "check", "good"),
  stuck: look("Stuck", "cross", "failed"),
  skipped: look("Skipped", "skip", "still"),
  blocked: look("Blocked", "block", "still"),
};

export const runLook = (state: RunState): Look => RUN_LOOKS[state];

/** Not over: it can continue, or an answer can continue it. */
const OPEN: ReadonlySet<Phase> = new Set<Phase>(["pending", "running", "waiting", "asking"]);
const NOT_DONE = look("Not done", "slash", "still");

/** In a run that stands still nothing is in progress, whatever its subtasks did last. */
export function subtaskLook(
  { phase, attempts }: Pick<OutlinedSubtask, "phase" | "attempts">,
  { stopped, paused, ended }: Standing,
): Look {
  if (ended && OPEN.has(phase)) return NOT_DONE;
  if (paused && OPEN.has(phase) && phase !== "asking" && attempts.length > 0)
    return RUN_LOOKS.paused;
  return stopped && phase === "running" ? RUN_LOOKS.interrupted : PHASE_LOOKS[phase];
}

export const State = ({ of: { words, icon, tone } }: { readonly of: Look }) => (
  <span class="state" data-tone={tone}>
    <Icon name={icon} tone={tone} />
    <span>{words}</span>
  </span>
);
