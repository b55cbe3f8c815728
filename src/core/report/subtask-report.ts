/**
 * The report of one subtask in Markdown: the escalation report (B6) for one that needs a person, a shorter one for
 * others. Invariants as in the escalation report: bounded, and foreign text is escaped or fenced (U15).
 */
import { escapeMarkdown } from "../foreign-text.ts";
import type { PastAttempt, SubtaskPast } from "../history/run-history.ts";
import { noteWords } from "../run/note.ts";
import type { Phase } from "../run/view.ts";
import { escalationReport } from "./escalation-report.ts";
import { answerWords, listWords, noAnswerWords, recoveryWords } from "./phrases.ts";

export interface ReportedSubtask {
  readonly id: string;
  readonly phase: Phase;
  readonly past: SubtaskPast;
  readonly dependsOn: readonly string[];
  /** Subtasks that cannot begin before this one is done, directly or not. */
  readonly blocks: readonly string[];
  /** What its last attempt changed against the base. */
  readonly files: readonly string[];
}

const NEEDS_PERSON: ReadonlySet<Phase> = new Set(["asking", "stuck"]);
const ATTEMPTS_MAX = 50;

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
    summary: past.parked ?? asked?.question ?? "It did not get done.",
    kind: last?.failure?.kind ?? asked?.context.kind ?? "unknown",
    attempts: attempts.map((attempt) => ({
      approach: approachWords(attempt),
      result: resultWords(attempt),
    })),
    error: errorWords(last) || (asked?.context.error ?? ""),
    files,
    dependsOn,
    blocks,
  });
}

function plainReport({ id, phase, past, files, dependsOn }: ReportedSubtask): string {
  return [
    `## Subtask: ${escapeMarkdown(id, 120)}`,
    `### Summary\n${phase}${summaryWords(past)}`,
    `### Attempts Made\n${attemptLines(past)}`,
    `### Recoveries\n${recoveryLines(past)}`,
    `### Files Involved\n${bullets(files)}`,
    `### Dependencies\n${bullets(dependsOn)}`,
    "",
  ].join("\n\n");
}

function summaryWords({ id, parked, unanswered, notes = [] }: SubtaskPast): string {
  if (unanswered !== undefined) return `: ${escapeMarkdown(noAnswerWords(id, unanswered))}`;
  const said = notes.map((note) => `\n- ${escapeMarkdown(noteWords(note))}`).join("");
  return parked === undefined ? said : `: ${escapeMarkdown(parked)}`;
}

export function attemptLines(past: SubtaskPast): string {
  const attempts = [...past.attempts.values()];
  const shown = attempts.slice(-ATTEMPTS_MAX);
  const lines = shown.map(
    (one) =>
      `${one.attempt}. Attempt ${one.attempt}: ${escapeMarkdown(approachWords(one))} - ${escapeMarkdown(resultWords(one))}`,
  );
  const leftOut = attempts.length - shown.length;
  return listed(leftOut === 0 ? lines : [`(${leftOut} earlier ones left out)`, "", ...lines]);
}

function recoveryLines({ events, questions }: SubtaskPast): string {
  const chosen = events.flatMap((event) =>
    event.kind === "recovery"
      ? [
          `- ${escapeMarkdown(event.recoveries.map(recoveryWords).join(" + "))}: ${escapeMarkdown(event.because)}`,
        ]
      : [],
  );
  const answers = questions.flatMap(({ answer, by = "" }) =>
    answer === undefined
      ? []
      : [`- ${escapeMarkdown(by, 60)} said: ${escapeMarkdown(answerWords(answer))}`],
  );
  return listed([...chosen.slice(-ATTEMPTS_MAX), ...answers.slice(-ATTEMPTS_MAX)]);
}

/** What it tried: in the agent's own words, else which recovery with which model. */
function approachWords({ approach, recovery, entry, branch }: PastAttempt): string {
  if (entry === undefined && approach === "") return "done by hand";
  const how = `${recovery ?? "first try"} with ${entry?.model ?? entry?.agent ?? "an agent"}`;
  const where = branch === undefined ? "" : ` in branch ${branch}`;
  return approach === "" ? `${how}${where}` : `${approach}${where}`;
}

function resultWords(attempt: PastAttempt): string {
  const { failure, counted, succeeded, endedAt } = attempt;
  if (succeeded) return "succeeded";
  if (failure === undefined) return endedAt === undefined ? "under way" : "not judged";
  const line =
    errorWords(attempt)
      .split("\n")
      .find((text) => text.trim() !== "") ?? "";
  return `${failure.kind}${counted ? "" : " (uncounted)"}${line === "" ? "" : `: ${line}`}`;
}

/** What the checks printed; where they were silent, which ones failed. */
function errorWords(attempt: PastAttempt | undefined): string {
  if (attempt?.error !== undefined && attempt.error !== "") return attempt.error;
  return attempt === undefined || attempt.failing.length === 0
    ? ""
    : `failing: ${listWords(attempt.failing)}`;
}

const bullets = (texts: readonly string[]): string =>
  listed(texts.slice(0, ATTEMPTS_MAX).map((text) => `- ${escapeMarkdown(text)}`));

const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? "None" : lines.join("\n");
