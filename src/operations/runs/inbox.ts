/** The questions of all runs that wait for a person. */
import { answerText } from "../../core/report/phrases.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { Answer, InputOf } from "../../core/run/input.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { defined, operation } from "../operation.ts";
import { withHome } from "./open-run.ts";
import { runsByPlace } from "./find-run.ts";
import { openCheckpoints, recordedRun } from "./recorded.ts";
import { toldTo } from "./status.ts";

export interface OpenQuestion {
  readonly row: RunRow;
  readonly checkpoint: Checkpoint;
  readonly given?: GivenAnswer;
}

export interface GivenAnswer {
  readonly answer: Answer;
  readonly by: string;
}

export type AnswerInput = InputOf<"checkpoint-answered">;

export const inbox = operation({
  name: "inbox",
  schemas: async () => (await import("./reading-schemas.ts")).inbox,
  run: (context, { all: isAsked }) =>
    withHome(async ({ journal }) => {
      const { here, own, others } = await runsByPlace(context, journal);
      const all = isAsked === true || here === undefined;
      const elsewhere = await openQuestions(journal, others);
      const questions = [...(await openQuestions(journal, own)), ...(all ? elsewhere : [])];
      return {
        questions: questions.map((question) => ({ ...told(question), ...question.checkpoint })),
        all,
        elsewhere: all ? 0 : elsewhere.length,
      };
    }),
});

export const told = ({ row, given }: OpenQuestion) => ({
  ...{ run: row.id, repository: row.repo },
  ...(given === undefined
    ? {}
    : { given: { answer: given.answer, by: given.by, words: answerText(given.answer) } }),
});

/** Of those of these runs that go on. */
export async function openQuestions(
  journal: JournalReader,
  rows: readonly RunRow[],
): Promise<readonly OpenQuestion[]> {
  const questions: OpenQuestion[] = [];
  for (const row of rows) {
    if (row.phase === "ended" || row.seq === 0) continue;
    const { state } = await recordedRun(journal, row.id);
    const given = await givenAnswers(journal, row.id);
    for (const checkpoint of openCheckpoints(state))
      questions.push(withGiven({ row, checkpoint }, given));
  }
  return questions;
}

/** What was answered and not taken yet, oldest first. */
export async function givenAnswers(
  journal: JournalReader,
  run: string,
): Promise<readonly AnswerInput[]> {
  const inputs = await toldTo(journal, run);
  return inputs.flatMap((input) => (input.kind === "checkpoint-answered" ? [input] : []));
}

/** Taking it over leaves the question open; anything else is an answer, and the first one stands. */
function withGiven(
  { row, checkpoint }: OpenQuestion,
  inputs: readonly AnswerInput[],
): OpenQuestion {
  const own = inputs.filter((input) => input.checkpoint === checkpoint.id);
  const given = own.find(isFinal);
  const takenBy = checkpoint.takenBy ?? own.find((input) => !isFinal(input))?.by;
  return { row, checkpoint: { ...checkpoint, ...defined({ takenBy }) }, ...defined({ given }) };
}

export const isFinal = ({ answer }: Pick<GivenAnswer, "answer">): boolean =>
  answer.kind !== "manual" || answer.done;
