/**
 * Notices for a person who is away: a question, an alert, a budget running low, the end of a run. Made from recorded
 * events alone, so a restart gives the same ones. Invariants: without `details`, a notice contains no text from agents,
 * errors or code; the answers offered from outside lose nothing permanently and permit nothing.
 */
import { usedText } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";
import { questionWords } from "../report/question-words.ts";
import type { Checkpoint } from "../run/checkpoint.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";

export const SEVERITIES = ["critical", "question", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `deny`: the refused call stays refused. `snooze`: ask again later. */
export const OUTSIDE_ANSWERS = ["skip", "deny", "snooze"] as const;
export type OutsideAnswer = (typeof OUTSIDE_ANSWERS)[number];

export interface Notice {
  /** The run and the event's sequence number. */
  readonly id: string;
  readonly run: string;
  /** The name of the repository's folder. */
  readonly repository: string;
  readonly severity: Severity;
  /** Notices of one cause are sent together. */
  readonly cause: string;
  /** What happened, in our own words and with the subtask's name. */
  readonly words: string;
  /** The open question it is about. */
  readonly question?: string;
  readonly answers?: readonly OutsideAnswer[];
  /** Text from agents and errors, for channels that may receive it. */
  readonly details?: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

type NoticeContent = Pick<Notice, "severity" | "cause" | "words"> &
  Partial<Pick<Notice, "question" | "answers" | "details">>;

/** Takes a run's events in order and returns a notice for those that a person should know about. */
export function noticeCollector(run: string, repository: string) {
  const alerted = new Set<string>();
  let at = 0;
  return {
    add(seq: number, event: RunEvent): Notice | undefined {
      if (event.kind === "received") {
        at = Math.max(at, event.input.at);
        return undefined;
      }
      if (event.kind === "alert-raised") alerted.add(event.subtask);
      const told = toldOf(event, alerted);
      return told && { id: `${run}/${seq}`, run, repository, ...told, at };
    },
  };
}

function toldOf(event: Decision, alerted: ReadonlySet<string>): NoticeContent | undefined {
  switch (event.kind) {
    case "checkpoint-opened":
      return ofQuestion(event.checkpoint, alerted.has(event.checkpoint.subtask ?? ""));
    case "budget-warned":
      return ofBudget(event);
    case "run-ended":
      return ofEnd(event);
    default:
      return undefined;
  }
}

function ofQuestion(checkpoint: Checkpoint, isAlert: boolean): NoticeContent {
  const { id, subtask, question } = checkpoint;
  const { cause } = questionWords(checkpoint, "");
  const who = subtask === undefined ? "The run" : cleanLine(subtask, 60);
  return {
    severity: isAlert ? "critical" : "question",
    cause: `question: ${cause}`,
    words: `${who} needs you: ${cause}`,
    ...{ question: id, answers: outsideAnswers(checkpoint), details: cleanLine(question, 300) },
  };
}

/** A whole run is never ended from outside, and checks are never dropped. */
export function outsideAnswers({ subtask, options, context }: Checkpoint): OutsideAnswer[] {
  const offers = (answer: string): boolean => options.some((option) => option.answer === answer);
  return [
    ...(subtask !== undefined && offers("skip") ? (["skip"] as const) : []),
    ...(context.refused !== undefined && offers("without") ? (["deny"] as const) : []),
    "snooze",
  ];
}

const ofBudget = ({
  of,
  subtask,
  measure,
  spent,
  limit,
}: DecisionOf<"budget-warned">): NoticeContent => ({
  severity: "info",
  cause: "budget",
  words: `The budget of ${subtask === undefined ? `the ${of}` : cleanLine(subtask, 60)} is running low: ${usedText(measure, spent, limit)}`,
});

/**
 * No notice for a cancelled run, because somebody cancelled it, or for a run that needs a person, because the question
 * was already announced.
 */
function ofEnd({ outcome, reason }: DecisionOf<"run-ended">): NoticeContent | undefined {
  if (outcome === "cancelled" || outcome === "needs-person") return undefined;
  const [severity, words] = ENDS[outcome];
  return { severity, cause: `ended: ${outcome}`, words, details: cleanLine(reason, 300) };
}

const ENDS: {
  readonly [outcome in "verified" | "unverified" | "failed" | "budget"]: readonly [
    Severity,
    string,
  ];
} = {
  verified: ["info", "The run is done, and its checks pass"],
  unverified: ["critical", "The run is done, but not all of it is verified"],
  failed: ["critical", "The run failed"],
  budget: ["critical", "The run stopped: its budget is used up"],
};
