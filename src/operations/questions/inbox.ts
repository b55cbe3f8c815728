/**
 * The open questions of all runs, in words: what happened, the evidence, and what each answer does. Invariant: an
 * answer in a run's inbox counts as given, even before the run's owner has taken it.
 */
import { cleanLine, cleanText } from "../../core/foreign-text.ts";
import type { RunHistory } from "../../core/history/run-history.ts";
import { answerText } from "../../core/report/phrases.ts";
import { questionWords, type QuestionEvidence } from "../../core/report/question-words.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { Answer, InputOf } from "../../core/run/input.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { defined, operation } from "../operation.ts";
import { withHome } from "../runs/open-run.ts";
import { runsByPlace } from "../runs/find-run.ts";
import { openCheckpoints, recordedRun } from "../runs/recorded.ts";
import { inboxInputs } from "../runs/status.ts";

export interface OpenQuestion {
  readonly row: RunRow;
  readonly checkpoint: Checkpoint;
  readonly given?: GivenAnswer;
  /** Epoch milliseconds. */
  readonly askedAt?: number;
  readonly evidence: QuestionEvidence;
}

export interface GivenAnswer {
  readonly answer: Answer;
  readonly by: string;
}

export type AnswerInput = InputOf<"checkpoint-answered">;

export const inbox = operation({
  name: "inbox",
  schemas: async () => (await import("../runs/reading-schemas.ts")).inbox,
  run: (context, { all: isAsked }) =>
    withHome(async ({ journal }) => {
      const { here, own, others } = await runsByPlace(context, journal);
      const all = isAsked === true || here === undefined;
      const elsewhere = await openQuestions(journal, others);
      const questions = [...(await openQuestions(journal, own)), ...(all ? elsewhere : [])];
      return {
        questions: questions.map((question) => ({
          ...questionOutput(question),
          ...question.checkpoint,
        })),
        all,
        elsewhere: all ? 0 : elsewhere.length,
      };
    }),
});

export const questionOutput = ({ row, checkpoint, given, askedAt, evidence }: OpenQuestion) => ({
  ...{ run: row.id, repository: row.repo },
  ...{ words: questionWords(checkpoint, row.id), evidence },
  ...defined({ askedAt }),
  ...(given === undefined
    ? {}
    : { given: { answer: given.answer, by: given.by, words: answerText(given.answer) } }),
});

/** The open questions of those runs that have not ended. */
export async function openQuestions(
  journal: JournalReader,
  rows: readonly RunRow[],
): Promise<readonly OpenQuestion[]> {
  const questions: OpenQuestion[] = [];
  for (const row of rows) {
    if (row.phase === "ended" || row.seq === 0) continue;
    const { state, history } = await recordedRun(journal, row.id);
    const given = await givenAnswers(journal, row.id);
    for (const checkpoint of openCheckpoints(state)) {
      const askedAt = history.asked.get(checkpoint.id);
      const evidence = evidenceOf(checkpoint, history);
      questions.push(withGiven({ row, checkpoint, evidence, ...defined({ askedAt }) }, given));
    }
  }
  return questions;
}

const FIRST_LINES = 14;
const LAST_LINES = 8;

/** The excerpt of a check begins with what matters, other errors end with it; a check without output is named. */
function evidenceOf({ subtask = "", context }: Checkpoint, history: RunHistory): QuestionEvidence {
  const attempts = [...(history.subtasks.get(subtask)?.attempts.values() ?? [])];
  const last = attempts.findLast(({ failure }) => failure !== undefined);
  const error = cleanText(context.error, { maxChars: 4000 }).split("\n");
  const lines = error.map((line) => line.trimEnd()).filter((line) => line !== "");
  if (lines.length === 0) {
    const failing = (last?.failing ?? []).slice(0, FIRST_LINES);
    return { keep: "first", lines: failing.map((name) => `failed: ${cleanLine(name, 200)}`) };
  }
  return last?.failure?.origin === "check" || subtask === ""
    ? { keep: "first", lines: lines.slice(0, FIRST_LINES) }
    : { keep: "last", lines: lines.slice(-LAST_LINES) };
}

/** Answers that were given but not yet taken, oldest first. */
export async function givenAnswers(
  journal: JournalReader,
  run: string,
): Promise<readonly AnswerInput[]> {
  const inputs = await inboxInputs(journal, run);
  return inputs.flatMap((input) => (input.kind === "checkpoint-answered" ? [input] : []));
}

/** Taking over leaves the question open; anything else is an answer, and the first one counts. */
function withGiven(question: OpenQuestion, inputs: readonly AnswerInput[]): OpenQuestion {
  const { checkpoint } = question;
  const own = inputs.filter((input) => input.checkpoint === checkpoint.id);
  const given = own.find(isFinal);
  const takenBy = checkpoint.takenBy ?? own.find((input) => !isFinal(input))?.by;
  const taken = { ...checkpoint, ...defined({ takenBy }) };
  return { ...question, checkpoint: taken, ...defined({ given }) };
}

export const isFinal = ({ answer }: Pick<GivenAnswer, "answer">): boolean =>
  answer.kind !== "manual" || answer.done;
