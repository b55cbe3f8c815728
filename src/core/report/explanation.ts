/**
 * Explains decisions (U8): for each one what was seen, what was considered with its verdict, what was chosen and why. Reads
 * recorded events only; nothing is worked out again. Imports core types. Invariants: bounded; foreign text is tamed; the
 * evidence shown with a decision belongs to the same subtask.
 */
import { tameLine } from "../foreign-text.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import type { Explanation, Seen, Told } from "./explained.ts";
import { explainedOutcome } from "./outcome-explanation.ts";
import { explainedRecovery, failureWords } from "./recovery-explanation.ts";
import { answerWords, listWords } from "./recovery-words.ts";

export interface Explainer {
  /** Takes the events in order; answers for those that are decisions a person may ask about. */
  readonly explain: (seq: number, event: RunEvent) => Explanation | undefined;
}

export function explainer(): Explainer {
  const subtasks = new Map<string, Seen>();
  const seenOf = (subtask: string): Seen => {
    const known = subtasks.get(subtask) ?? {};
    subtasks.set(subtask, known);
    return known;
  };
  return {
    explain(seq, event) {
      if (event.kind === "received") return void look(seenOf, event.input);
      const told = decided(seenOf, event);
      if (told === undefined) return undefined;
      const subtask = "subtask" in event && event.subtask !== undefined ? event.subtask : undefined;
      return { seq, ...(subtask === undefined ? {} : { subtask }), ...told };
    },
  };
}

function look(seenOf: (subtask: string) => Seen, input: RunInput): void {
  if (input.kind === "loop-seen") seenOf(input.subtask).loop = input;
  if (input.kind === "checks-ended") seenOf(input.subtask).checks = input;
  if (input.kind === "merge-ended") seenOf(input.subtask).merge = input;
}

function decided(seenOf: (subtask: string) => Seen, event: Decision): Told | undefined {
  switch (event.kind) {
    case "failure-classified":
      seenOf(event.subtask).failure = event;
      delete seenOf(event.subtask).circle;
      return undefined;
    case "progress-scored":
      seenOf(event.subtask).score = event;
      return undefined;
    case "circular-fix-seen":
      seenOf(event.subtask).circle = event.because;
      return {
        decision: "a circular fix was seen",
        seen: [tameLine(event.because, 300)],
        considered: [],
        why: event.ban
          ? "retry and feedback are ruled out: the next recovery has to be a different one"
          : "this policy only records it, or has a rule for it",
      };
    case "recovery-chosen":
      return explainedRecovery(event, seenOf(event.subtask));
    case "checks-dispatched":
      return event.round === 1 ? undefined : checkedAgain(event, seenOf(event.subtask));
    case "attempt-interrupted":
    case "nudge-sent":
      return steered(event, seenOf(event.subtask));
    case "checkpoint-opened":
    case "checkpoint-joined":
    case "checkpoint-followed":
    case "checkpoint-closed":
      return questioned(event, seenOf);
    default:
      return explainedOutcome(event, "subtask" in event ? seenOf(event.subtask ?? "") : {});
  }
}

function questioned(
  event: DecisionOf<
    "checkpoint-opened" | "checkpoint-joined" | "checkpoint-followed" | "checkpoint-closed"
  >,
  seenOf: (subtask: string) => Seen,
): Told {
  switch (event.kind) {
    case "checkpoint-opened":
      return asked(event);
    case "checkpoint-joined":
      return {
        decision: `wait for the answer to ${tameLine(event.checkpoint, 80)}`,
        seen: failureWords(seenOf(event.subtask).failure),
        considered: [],
        why: `${tameLine(event.of, 80)} met the same cause and asked already: one question, one answer`,
      };
    case "checkpoint-followed":
      return {
        decision: `the answer counts for it too: ${answerWords(event.answer)}`,
        seen: [tameLine(event.checkpoint, 80)],
        considered: [],
        why: "it had joined that question",
      };
    case "checkpoint-closed":
      return {
        decision: `the question was answered: ${answerWords(event.answer)}`,
        seen: [`${tameLine(event.checkpoint, 80)}, by ${tameLine(event.by, 60)}`],
        considered: [],
        why: "the first answer stands",
      };
  }
}

function checkedAgain({ attempt, round }: DecisionOf<"checks-dispatched">, { checks }: Seen): Told {
  const failing =
    checks?.result.kind === "failed" ? checks.result.failing.map((name) => tameLine(name, 80)) : [];
  const couldNotRun = checks?.result.kind === "could-not-run";
  return {
    decision: `run the checks of attempt ${attempt} again (round ${round})`,
    seen: [couldNotRun ? "a check could not run" : `failing: ${listWords(failing) || "a check"}`],
    considered: [],
    why: couldNotRun
      ? "a check that cannot run is not a failing check: the work is not blamed"
      : "a check may be flaky: it is run again before the code is blamed",
  };
}

function steered(event: DecisionOf<"attempt-interrupted" | "nudge-sent">, { loop }: Seen): Told {
  const pattern =
    loop?.attempt === event.attempt ? [`pattern: ${tameLine(loop.pattern, 200)}`] : [];
  return event.kind === "nudge-sent"
    ? {
        decision: `nudge attempt ${event.attempt}`,
        seen: pattern,
        considered: [],
        why: `first a word, then an interruption: ${tameLine(event.words, 300)}`,
      }
    : {
        decision: `interrupt attempt ${event.attempt}`,
        seen: pattern,
        considered: [],
        why: tameLine(event.reason, 300),
      };
}

function asked({ checkpoint }: DecisionOf<"checkpoint-opened">): Told {
  const { context, options, recommendation } = checkpoint;
  return {
    decision: `ask a person (${tameLine(checkpoint.id, 80)})`,
    seen: [
      tameLine(context.error, 300),
      `${context.attempts} attempts made`,
      ...(context.blocksCount === 0
        ? []
        : [`blocks ${context.blocksCount}: ${listWords(context.blocks)}`]),
    ].filter((line) => line !== ""),
    considered: options.map(({ answer, label }) => ({
      rung: answer,
      recovery: label,
      verdict: answer === recommendation ? "recommended" : "offered",
    })),
    why: tameLine(checkpoint.question, 300),
  };
}
