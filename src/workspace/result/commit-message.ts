/**
 * What the commits of a run say: a subject made from the subtask's prompt, what they are of, and trailers that programs
 * can read. The same subtask gives the same message; the subject is never empty, never longer than 72 characters and
 * nothing a terminal would obey.
 */
import { tameLine } from "../../core/foreign-text.ts";

const SUBJECT_CHARS = 72;

export interface CommitOf {
  readonly run: string;
  readonly subtask: string;
  readonly attempt: number;
  readonly prompt: string;
}

export function commitMessage({ run, subtask, attempt, prompt }: CommitOf, merge = false): string {
  const subject = subjectFrom(merge ? `Merge: ${firstSentence(prompt)}` : firstSentence(prompt));
  const name = tameLine(subtask, 200);
  return [
    subject === "" || subject === "Merge:" ? subjectFrom(`Subtask ${name}`) : subject,
    "",
    `Attempt ${attempt} of subtask ${name}.`,
    "",
    ...trailers(run),
    `Unstuck-Subtask: ${name}/${attempt}`,
  ].join("\n");
}

/** Of the commit with which a result comes into a branch that went on. */
export const applyMessage = (run: string, verb: "Merge" | "Bring back"): string =>
  [`${verb} the result of Unstuck run ${run}`, "", ...trailers(run)].join("\n");

const trailers = (run: string): string[] => [`Unstuck-Run: ${run}`];

/** Without marks of headings and lists, which git or a reader would take for something else. */
function firstSentence(prompt: string): string {
  const line = prompt
    .slice(0, 4000)
    .split("\n")
    .map((each) =>
      tameLine(each, 1000)
        .replace(/^[\s#>*-]+/, "")
        .trim(),
    )
    .find((each) => each !== "");
  const end = /[.!?](?=\s)/.exec(line ?? "");
  return (line ?? "").slice(0, end === null ? undefined : end.index + 1);
}

function subjectFrom(words: string): string {
  if (words.length <= SUBJECT_CHARS) return words;
  const cut = words.slice(0, SUBJECT_CHARS - 1);
  const space = cut.lastIndexOf(" ");
  const whole = space > SUBJECT_CHARS / 2 ? cut.slice(0, space) : cut;
  return `${whole.replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
}
