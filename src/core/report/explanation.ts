/**
 * Explains decisions (U8): for each one what was seen, what was considered with its verdict, what was chosen and
 * why. Reads recorded events only; nothing is worked out again. Invariants: bounded; foreign text is tamed; the
 * evidence shown with a decision belongs to the same subtask.
 */
import { tameLine } from "../foreign-text.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import { only } from "./explained.ts";
import type { Explanation, Seen, Told } from "./explained.ts";
import { explainedEnd } from "./end-explanation.ts";
import { explainedOutcome } from "./outcome-explanation.ts";
import { asked, explainedRecovery, questioned } from "./recovery-explanation.ts";
import { listWords } from "./phrases.ts";

export interface Explainer {
  /** Takes the events in order; answers for those that are decisions a person may ask about. */
  readonly explain: (seq: number, event: RunEvent) => Explanation | undefined;
}

interface Known {
  readonly subtasks: Map<string, Seen>;
  /** Why the run is being paused or cancelled. */
  stop?: string;
}

export function explainer(): Explainer {
  const known: Known = { subtasks: new Map() };
  return {
    explain(seq, event) {
      if (event.kind === "received") return void look(known, event.input);
      const told = decided(known, event);
      note(known, event);
      if (told === undefined) return undefined;
      const subtask = subtaskOf(event);
      return { seq, ...(subtask === undefined ? {} : { subtask }), ...told };
    },
  };
}

const subtaskOf = (event: Decision): string | undefined => {
  if (event.kind === "checkpoint-opened") return event.checkpoint.subtask;
  return "subtask" in event ? event.subtask : undefined;
};

function seenOf({ subtasks }: Known, subtask: string): Seen {
  const seen = subtasks.get(subtask) ?? {};
  subtasks.set(subtask, seen);
  return seen;
}

function look(known: Known, input: RunInput): void {
  switch (input.kind) {
    case "run-started":
      for (const plan of input.plan.subtasks) known.subtasks.set(plan.id, { plan });
      return;
    case "loop-seen":
      seenOf(known, input.subtask).loop = input;
      return;
    case "attempt-ended":
      seenOf(known, input.subtask).ended = input;
      return;
    case "checks-ended":
      seenOf(known, input.subtask).checks = input;
      return;
    case "merge-ended":
      seenOf(known, input.subtask).merge = input;
      return;
    case "pause-requested":
    case "cancel-requested":
      known.stop = input.reason;
      return;
    case "resume-requested":
      delete known.stop;
      return;
    default:
  }
}

/** What later decisions of the same subtask are told from. */
function note(known: Known, event: Decision): void {
  const subtask = subtaskOf(event);
  if (subtask === undefined) return;
  const seen = seenOf(known, subtask);
  switch (event.kind) {
    case "failure-classified":
      seen.failure = event;
      delete seen.circle;
      return;
    case "progress-scored":
      seen.score = event;
      return;
    case "circular-fix-seen":
      seen.circle = event.because;
      return;
    case "attempt-dispatched":
      delete seen.answer;
      delete seen.merge;
      delete seen.checks;
      seen.phase = "under way";
      return;
    case "exploration-started":
      seen.branches = [];
      return;
    case "branch-moved":
      seen.branches = [...(seen.branches ?? []), event];
      return;
    case "checkpoint-closed":
    case "checkpoint-followed":
      seen.answer = event;
      return;
    case "subtask-done":
    case "subtask-parked":
      seen.phase = event.phase;
      return;
    default:
  }
}

function decided(known: Known, event: Decision): Told | undefined {
  const subtask = subtaskOf(event);
  const seen = subtask === undefined ? {} : seenOf(known, subtask);
  switch (event.kind) {
    case "circular-fix-seen":
      return {
        decision: "a circular fix was seen",
        seen: [tameLine(event.because, 300)],
        considered: only("circular fix", event.ban ? "something else" : "noted"),
        why: event.ban
          ? "retry and feedback are ruled out: the next recovery has to be a different one"
          : "this policy only records it, or has a rule for it",
      };
    case "recovery-chosen":
      return explainedRecovery(event, seen);
    case "checks-dispatched":
      return event.round === 1 ? undefined : checkedAgain(event, seen);
    case "attempt-interrupted":
    case "nudge-sent":
      return steered(event, seen, known.stop);
    case "checkpoint-opened":
      return asked(event);
    case "checkpoint-joined":
    case "checkpoint-followed":
    case "checkpoint-taken":
    case "checkpoint-closed":
      return questioned(event, seen);
    case "run-ended":
      return explainedEnd(event, [...known.subtasks.values()], known.stop);
    default:
      return explainedOutcome(event, seen);
  }
}

function checkedAgain({ attempt, round }: DecisionOf<"checks-dispatched">, { checks }: Seen): Told {
  const failing = checks?.result.kind === "failed" ? checks.result.failing : [];
  const couldNotRun = checks?.result.kind === "could-not-run";
  return {
    decision: `run the checks of attempt ${attempt} again (round ${round})`,
    seen: [couldNotRun ? "a check could not run" : `failing: ${listWords(failing) || "a check"}`],
    considered: [
      { rung: "check", recovery: "run it again", verdict: "chosen" },
      { rung: "recovery", recovery: "blame the work", verdict: "only if it fails again" },
    ],
    why: couldNotRun
      ? "a check that cannot run is not a failing check: the work is not blamed"
      : "a check may be flaky: it is run again before the code is blamed",
  };
}

function steered(
  event: DecisionOf<"attempt-interrupted" | "nudge-sent">,
  { loop }: Seen,
  stop: string | undefined,
): Told {
  const { attempt } = event;
  const pattern = loop?.attempt === attempt ? `pattern: ${tameLine(loop.pattern, 200)}` : undefined;
  if (event.kind === "nudge-sent")
    return {
      decision: `nudge attempt ${attempt}`,
      seen: [pattern ?? "it goes in circles"],
      considered: [
        { rung: "nudge", recovery: "a word to the agent", verdict: "chosen" },
        { rung: "interrupt", recovery: "end the attempt", verdict: "only if it goes on like that" },
      ],
      why: `first a word, then an interruption: ${tameLine(event.words, 300)}`,
    };
  return {
    decision: `interrupt attempt ${attempt}`,
    seen: [pattern ?? tameLine(stop ?? event.reason, 200)],
    considered: only("interrupt", "end the attempt, keep its work"),
    why: tameLine(event.reason, 300),
  };
}
