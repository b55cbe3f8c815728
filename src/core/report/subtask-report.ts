/**
 * The report of one subtask in Markdown. Invariants: bounded; everything from agents, errors or repositories is escaped
 * or fenced, so it cannot become a heading, link, image or checkbox.
 */
import { cleanLine, escapeMarkdown } from "../foreign-text.ts";
import { approachText } from "../history/attempt-history.ts";
import { KIND_WORDS } from "../kind-words.ts";
import type { PastAttempt, SubtaskPast, PastEvent } from "../history/run-history.ts";
import { noteText } from "../run/note.ts";
import type { Phase } from "../run/view.ts";
import {
  answerText,
  chosenText,
  listText,
  noAnswerText,
  parkedText,
  recoveryDid,
  recoveriesDone,
} from "./phrases.ts";
import {
  escalationReport,
  bullets,
  MAX_LISTED,
  listed,
  attemptLine,
  type ReportedSubtask,
} from "./escalation-report.ts";
import { circleText } from "./decision-sentences.ts";

const NEEDS_PERSON: ReadonlySet<Phase> = new Set(["asking", "stuck"]);

export const needsPerson = ({ phase }: ReportedSubtask): boolean => NEEDS_PERSON.has(phase);

export function subtaskReport(subtask: ReportedSubtask): string {
  return needsPerson(subtask) ? escalation(subtask) : plainReport(subtask);
}

function escalation({ id, past, dependsOn, blocks, files }: ReportedSubtask): string {
  const attempts = [...past.attempts.values()];
  const last = attempts.findLast(({ failure }) => failure !== undefined);
  const asked = past.questions.at(-1)?.checkpoint;
  return escalationReport({
    subtaskId: id,
    summary:
      whatHappened(past) ??
      (past.parked && parkedText(past.parked)) ??
      asked?.question ??
      "It did not get done.",
    kind: last?.failure?.kind ?? asked?.context.kind ?? "unknown",
    attempts: attempts.map((one) => ({ approach: approachText(one), result: resultText(one) })),
    error: errorText(last) || (asked?.context.error ?? ""),
    files,
    dependsOn,
    blocks,
  });
}

function plainReport({ id, phase, past, files, dependsOn }: ReportedSubtask): string {
  return [
    `## Subtask: ${escapeMarkdown(id, 120)}`,
    `### Summary\n${phase}${summaryText(past)}`,
    `### Attempts Made\n${attemptLines(past)}`,
    `### Recoveries\n${recoveryLines(past)}`,
    `### Files Involved\n${listed(bullets(files).slice(0, MAX_LISTED))}`,
    `### Dependencies\n${listed(bullets(dependsOn).slice(0, MAX_LISTED))}`,
    "",
  ].join("\n\n");
}

function summaryText({ id, parked, unanswered, notes = [] }: SubtaskPast): string {
  if (unanswered !== undefined) return `: ${escapeMarkdown(noAnswerText(id, unanswered))}`;
  const said = notes.map((note) => `\n- ${escapeMarkdown(noteText(note))}`).join("");
  return parked === undefined ? said : `: ${escapeMarkdown(parkedText(parked))}`;
}

export function attemptLines(past: SubtaskPast): string {
  const attempts = [...past.attempts.values()];
  const lines = attempts.slice(-MAX_LISTED).map((one) => {
    const [approach, result] = [approachText(one), resultText(one)];
    return attemptLine({ number: one.attempt, approach, result });
  });
  const leftOut = attempts.length - lines.length;
  return listed(leftOut === 0 ? lines : [`(${leftOut} earlier ones left out)`, "", ...lines]);
}

function recoveryLines({ events, questions }: SubtaskPast): string {
  const chosen = events.flatMap((event) => {
    if (event.kind !== "recovery") return [];
    const what = event.recoveries.map(recoveryDid).join(" and ");
    return [`- ${escapeMarkdown(what)}: ${escapeMarkdown(chosenText(event.because))}`];
  });
  const answers = questions.flatMap(({ answer, by = "" }) =>
    answer === undefined
      ? []
      : [`- ${escapeMarkdown(by, 60)} said: ${escapeMarkdown(answerText(answer))}`],
  );
  return listed([...chosen.slice(-MAX_LISTED), ...answers.slice(-MAX_LISTED)]);
}

function resultText(attempt: PastAttempt): string {
  const { failure, counted, succeeded, endedAt } = attempt;
  if (succeeded) return "succeeded";
  if (failure === undefined) return endedAt === undefined ? "under way" : "not judged";
  const lines = errorText(attempt).split("\n");
  const first = lines.find((text) => text.trim() !== "") ?? "";
  const headline = failure.because.find((reason) => reason.includes(cleanLine(first, 200)));
  const line = first === "" ? "" : (headline ?? first);
  return `${KIND_WORDS[failure.kind].name}${counted ? "" : " (does not count)"}${line === "" ? "" : `: ${line}`}`;
}

/** The output of the checks; if they printed nothing, the names of those that failed. */
function errorText({ error = "", failing = [] }: Partial<PastAttempt> = {}): string {
  return error === "" && failing.length > 0 ? `failing: ${listText(failing)}` : error;
}

/**
 * What happened to a subtask that was given up, in sentences. Facts only: `explain` shows which rule chose. Undefined
 * if nothing failed, or if something other than a rung of the policy chose and already gave the reason.
 */
export function whatHappened({ attempts, events }: SubtaskPast): string | undefined {
  const failed = [...attempts.values()].filter(({ failure }) => failure !== undefined);
  const last = failed.at(-1);
  const end = events.findLast(({ kind }) => kind === "recovery");
  if (last?.failure === undefined || end?.kind !== "recovery" || !isGivenUp(end)) return undefined;
  const times =
    failed.length === 1 ? "One attempt failed:" : `${failed.length} attempts failed. The last one:`;
  const error = (last.error ?? "").split("\n").find((line) => line.trim() !== "");
  const reason = cleanLine(error ?? last.failure.because[0] ?? "", 300);
  const circle = events.findLast(({ kind }) => kind === "circle");
  const tried = recoveriesDone(events.filter((event) => event !== end)).join(", ");
  return [
    `${times} ${KIND_WORDS[last.failure.kind].name}${reason === "" ? "" : ` (${reason})`}.`,
    ...(circle?.kind === "circle" ? [`It went in circles: ${circleText(circle.because)}.`] : []),
    tried === "" ? "Nothing else was left to try." : `What Unstuck did about it: ${tried}.`,
  ].join(" ");
}

/** Given up by a rung of the policy; guard rails and structure rules state a reason of their own. */
const isGivenUp = ({ recoveries, chosenBy }: Extract<PastEvent, { kind: "recovery" }>): boolean =>
  chosenBy.by === "rung" && recoveries.some(({ kind }) => kind === "skip" || kind === "ask");
