/**
 * Detects inputs that no longer apply: duplicates, late results, answers to closed questions. Invariant: a stale input
 * stays stale, because attempt, timer and checkpoint numbers are never reused.
 */
import type { RunningAttempt } from "../attempt.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { OfAttempt } from "../decision.ts";
import type { InputOf, RunInput } from "../input.ts";
import { indexOf, recordedIndex, subtaskAt, type RunState } from "../state.ts";
import type { Stage, SubtaskState } from "../subtask-state.ts";

/** Why this input changes nothing; undefined if it applies. */
export function staleness(state: RunState, input: RunInput): string | undefined {
  if (input.kind !== "run-started") {
    if (state.phase === "new") return "the run has not started";
    if (state.phase === "ended" && input.kind !== "retry-requested") return "the run has ended";
    if ("subtask" in input && indexOf(state, input.subtask) === undefined) return "no such subtask";
  }
  return (WHY_STALE[input.kind] as WhyStale<RunInput>)(state, input);
}

type WhyStale<I extends RunInput> = (state: RunState, input: I) => string | undefined;

const unless = (means: boolean, why: string): string | undefined => (means ? undefined : why);

const WHY_STALE: { readonly [kind in RunInput["kind"]]: WhyStale<InputOf<kind>> } = {
  "run-started": ({ phase }) => unless(phase === "new", "the run has started"),
  "baseline-ended": ({ baseline }, { round }) =>
    unless(baseline.awaited === round, "this baseline is not awaited"),
  "final-check-ended": ({ finalCheck }, { round }) =>
    unless(finalCheck === round, "this check is not awaited"),
  "attempt-started": (state, input) => {
    const running = runningOf(state, input);
    if (running === undefined) return "this attempt is not running";
    return unless(running.slot === undefined, "this attempt has started");
  },
  "attempt-ended": (state, input) =>
    unless(runningOf(state, input) !== undefined, "this attempt is not running"),
  "checks-ended": (state, input) => {
    const stage = stageOf(state, input, "checks");
    return unless(stage?.round === input.round, "these checks are not awaited");
  },
  "merge-ended": (state, { round = 1, ...input }) => {
    const stage = stageOf(state, input, "merge");
    const isAwaited = stage?.dispatched === true && stage.round === round;
    return unless(isAwaited, "this merge is not awaited");
  },
  "loop-seen": (state, input) => {
    const running = runningOf(state, input);
    if (running === undefined || running.interrupted) return "this attempt is not running";
    return unless(input.level !== "nudge" || !running.nudged, "this attempt was nudged");
  },
  "permission-asked": (state, input) => {
    const { requests = 0 } = runningOf(state, input) ?? { requests: Infinity };
    return unless(input.request > requests, "this attempt is not running, or was answered");
  },
  "timer-fired": (state, input) => {
    const { timer, expiry } = ownOf(state, input);
    const isSet = timer?.id === input.timer || expiry?.id === input.timer;
    return unless(isSet, "this timer is not set");
  },
  "checkpoint-answered": (state, { checkpoint: id, answer }) => {
    const checkpoint = openCheckpoint(state, id);
    if (checkpoint === undefined) return "no such open checkpoint: the first answer stands";
    if (!checkpoint.options.some((option) => option.answer === answer.kind))
      return `this checkpoint does not offer ${answer.kind}`;
    const isTaking = answer.kind === "manual" && !answer.done;
    return unless(!isTaking || checkpoint.takenBy === undefined, "somebody has taken it");
  },
  "service-back": (state, input) =>
    unless(stillWaiting(state, input).length > 0, "nobody waits for it any more"),
  /** Only an unverified subtask can be retried, and only after its run has ended unverified. */
  "retry-requested": (state, input) => {
    if (state.outcome?.kind !== "unverified") return "the run has not ended unverified";
    return unless(ownOf(state, input).phase === "unverified", "it is not unverified");
  },
  /** A person's pause overrides the system's, but not the other way round. */
  "pause-requested": ({ phase, paused, pauses }, { by, pause }) => {
    if (pause <= pauses) return "this pause is over, or under way";
    if (phase === "ending") return "the run is ending";
    const isFirst = paused === undefined || (paused.by === "system" && by === "user");
    return unless(isFirst, "the run is paused");
  },
  "resume-requested": ({ paused, pauses }, { pause }) =>
    unless(paused !== undefined && pause >= pauses, "this pause is over"),
  "cancel-requested": ({ phase }) => unless(phase !== "ending", "the run is ending"),
};

const ownOf = (state: RunState, { subtask }: { readonly subtask: string }): SubtaskState =>
  subtaskAt(state, recordedIndex(state, subtask));

const runningOf = (state: RunState, input: OfAttempt): RunningAttempt | undefined =>
  ownOf(state, input).running.find(({ attempt }) => attempt === input.attempt);

/** The given stage of an attempt's tree, if the attempt is in it. */
export function stageOf<K extends Stage["kind"]>(
  state: RunState,
  input: OfAttempt,
  kind: K,
): Extract<Stage, { readonly kind: K }> | undefined {
  return ownOf(state, input).stages.find(
    (stage): stage is Extract<Stage, { readonly kind: K }> =>
      stage.kind === kind && stage.attempt === input.attempt,
  );
}

/** The waits for the service that still exist; a wait is identified by its timer. */
export const stillWaiting = (
  state: RunState,
  { waits }: InputOf<"service-back">,
): InputOf<"service-back">["waits"] =>
  waits.filter(({ subtask, timer }) => {
    const index = indexOf(state, subtask);
    return index !== undefined && subtaskAt(state, index).timer?.id === timer;
  });

/** Finds an open checkpoint by id: `<subtask>/c<n>`, or `c<n>` for the run itself. */
export function openCheckpoint(state: RunState, id: string): Checkpoint | undefined {
  const slash = id.lastIndexOf("/");
  const index = slash < 0 ? undefined : indexOf(state, id.slice(0, slash));
  if (slash >= 0 && index === undefined) return undefined;
  const { checkpoint } = index === undefined ? state : subtaskAt(state, index);
  return checkpoint?.id === id ? checkpoint : undefined;
}
