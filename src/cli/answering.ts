/**
 * Open questions of runs: what `inbox`, `resolve` and `review` share. Invariant: an answer that waits in a run's
 * inbox counts as given, though nobody has taken it yet.
 */
import { MEASURE_NAMES } from "../core/amounts.ts";
import type { Budget, Measure } from "../core/budget.ts";
import { tameLine } from "../core/foreign-text.ts";
import { vectorItems } from "../core/persistent-vector.ts";
import type { Checkpoint } from "../core/run/checkpoint.ts";
import type { Answer, InputOf } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import type { Journal } from "../journal/journal.ts";
import type { JournalReader, RunRow } from "../journal/reader.ts";
import { findRun, noRunHere } from "./find-run.ts";
import { UsageError } from "./io.ts";
import { toldTo } from "./lifetime.ts";
import { recordedState } from "./run-state.ts";
import { runsByPlace } from "./this-repository.ts";

export interface Question {
  readonly row: RunRow;
  readonly checkpoint: Checkpoint;
  /** An answer that nobody has taken yet, because nobody works on the run. */
  readonly given?: GivenAnswer;
}

export interface GivenAnswer {
  readonly answer: Answer;
  readonly by: string;
}

/** Of those of these runs that go on. */
export async function openQuestions(
  journal: Journal,
  rows: readonly RunRow[],
): Promise<readonly Question[]> {
  const questions: Question[] = [];
  for (const row of rows) {
    if (row.phase === "ended" || row.seq === 0) continue;
    const state = await recordedState(journal, row.id);
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
): Promise<readonly InputOf<"checkpoint-answered">[]> {
  const told = await toldTo(journal, run);
  return told.flatMap((input) => (input.kind === "checkpoint-answered" ? [input] : []));
}

/** Taking it over leaves the question open; anything else is an answer, and the first one stands. */
function withGiven(
  question: Question,
  inputs: readonly InputOf<"checkpoint-answered">[],
): Question {
  const own = inputs.filter(({ checkpoint }) => checkpoint === question.checkpoint.id);
  const given = own.find(isFinal);
  const taken = question.checkpoint.takenBy ?? own.find((input) => !isFinal(input))?.by;
  const { checkpoint } = question;
  return {
    ...question,
    ...(taken === undefined ? {} : { checkpoint: { ...checkpoint, takenBy: taken } }),
    ...(given === undefined ? {} : { given }),
  };
}

export const isFinal = ({ answer }: GivenAnswer): boolean =>
  answer.kind !== "manual" || answer.done;

function openCheckpoints(state: RunState): Checkpoint[] {
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return state.checkpoint === undefined ? own : [state.checkpoint, ...own];
}

/** The run that was named, or those of this repository. */
export async function askedRuns(
  journal: Journal,
  asked: string | undefined,
): Promise<readonly RunRow[]> {
  if (asked !== undefined) return [await findRun(journal, asked)];
  const { here, own, others } = await runsByPlace(journal);
  if (here === undefined) throw noRunHere(false, others);
  return own;
}

/** The one open question of this id; where several runs have one, the run has to be named. */
export async function findQuestion(
  journal: Journal,
  id: string,
  asked: string | undefined,
): Promise<Question> {
  if (asked !== undefined) {
    const row = await findRun(journal, asked);
    if (row.phase === "ended")
      throw new UsageError(`run ${row.id} has ended: ${row.outcome ?? ""}`);
  }
  const open = await openQuestions(journal, await askedRuns(journal, asked));
  const [found, ...others] = open.filter(({ checkpoint }) => checkpoint.id === id);
  if (found === undefined) {
    const names = open.slice(0, 10).map(({ checkpoint }) => checkpoint.id);
    const hint = names.length > 0 ? `; open: ${names.join(", ")}` : "";
    const where =
      asked === undefined
        ? " in this repository (name a run of another with --run)"
        : ` in run ${tameLine(asked, 60)}`;
    throw new UsageError(
      `there is no open question ${tameLine(id, 60)}${where}${hint || "; unstuck inbox lists them"}`,
    );
  }
  if (others.length > 0) {
    const runs = [found, ...others].map(({ row }) => row.id).join(", ");
    throw new UsageError(`several runs ask ${tameLine(id, 60)}; name one with --run: ${runs}`);
  }
  return found;
}

const MEASURES: Readonly<Record<string, (amount: number) => Budget>> = {
  usd: (usd) => ({ usd }),
  tokens: (tokens) => ({ tokens }),
  attempts: (attempts) => ({ attempts }),
  minutes: (minutes) => ({ timeMs: minutes * 60_000 }),
};

/** `usd=5,minutes=30`; words that name no amount are refused with what is expected. */
export function readAmounts(text: string): Budget | { readonly problem: string } {
  let sum: Budget = {};
  for (const part of text.split(",")) {
    const [name = "", amount = ""] = part.trim().split("=");
    const measure = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined;
    const number = Number(amount);
    if (measure === undefined || !(number > 0) || !Number.isFinite(number))
      return {
        problem: `expected usd=, tokens=, minutes= or attempts= with a number, got ${tameLine(part, 40)}`,
      };
    sum = { ...sum, ...measure(number) };
  }
  return sum;
}

const EXAMPLES: { readonly [measure in Measure]: string } = {
  usd: "usd=5",
  tokens: "tokens=500000",
  timeMs: "minutes=30",
  attempts: "attempts=5",
};

/** An amount as it may be typed, of what the question is about. */
export const topUpExample = ({ context }: Checkpoint): string =>
  context.measure === undefined ? "usd=5,minutes=30" : EXAMPLES[context.measure];

/** What is raised has to be what is used up, else the same question comes again. */
export function topUpProblem(checkpoint: Checkpoint, by: Budget): string | undefined {
  const { measure } = checkpoint.context;
  return measure === undefined || by[measure] !== undefined
    ? undefined
    : `the ${MEASURE_NAMES[measure]} budget is what is used up: raise it, for example by ${topUpExample(checkpoint)}`;
}
