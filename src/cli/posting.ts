/**
 * Posts an answer to a question and finds out what became of it. Invariants: an answer goes through the run's
 * inbox, whoever owns the run takes it, the first one stands and the others are told so; only what a question
 * offers is posted.
 */
import { tameLine } from "../core/foreign-text.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import { answerWords } from "../core/report/recovery-words.ts";
import type { Answer, InputOf } from "../core/run/input.ts";
import { systemProcesses } from "../engines/system-processes.ts";
import type { Journal } from "../journal/journal.ts";
import { givenAnswers, isFinal, topUpProblem } from "./answering.ts";
import type { GivenAnswer, Question } from "./answering.ts";
import { UsageError } from "./io.ts";
import { personName } from "./person.ts";
import { redactionOfRun } from "../operations/redaction.ts";

type Posting = InputOf<"checkpoint-answered">;

export type Posted =
  /** Somebody works on the run and takes the answer at once, or the run has to be resumed first. */
  | { readonly stands: true; readonly ownerAlive: boolean }
  /** Somebody else was first. */
  | { readonly stands: false; readonly first: GivenAnswer };

/** `runDir`: the run's folder, where its secrets have their numbers. */
export async function postAnswer(
  journal: Journal,
  runDir: string,
  question: Question,
  given: Answer,
): Promise<Posted> {
  const answer = redactDeep(given, (text) => redactionOfRun(runDir).text(text));
  const { row, checkpoint } = question;
  if (!checkpoint.options.some((option) => option.answer === answer.kind))
    throw new UsageError(
      `${checkpoint.id} of run ${row.id} offers ${checkpoint.options.map((option) => option.answer).join(", ")}`,
    );
  const problem = answer.kind === "top-up" ? topUpProblem(checkpoint, answer.by) : undefined;
  if (problem !== undefined) throw new UsageError(`${checkpoint.id} of run ${row.id}: ${problem}`);
  const rules = (other: Posting): boolean =>
    other.checkpoint === checkpoint.id && (isFinal(other) || !isFinal({ answer, by: "" }));
  const before = await firstOf(journal, question, rules);
  if (before !== undefined) return { stands: false, first: before };
  // The chance tells this answer from the same one given at the same moment elsewhere.
  const input: Posting = {
    ...{ kind: "checkpoint-answered", checkpoint: checkpoint.id, answer, by: personName() },
    ...{ at: Date.now(), chance: Math.random() },
  };
  await journal.post(row.id, input);
  const owner = (await journal.run(row.id))?.owner;
  const ownerAlive = owner !== undefined && !systemProcesses().isDead(owner);
  if (ownerAlive) await taken(journal, row.id, input);
  const first = await firstOf(journal, question, rules);
  return first === undefined || isSame(first, input)
    ? { stands: true, ownerAlive }
    : { stands: false, first };
}

/** What to say to who came second; a question that is in somebody's hands can still be answered. */
export const lateWords = ({ row, checkpoint }: Question, { answer, by }: GivenAnswer): string =>
  `${checkpoint.id} of run ${row.id} was answered already, by ${tameLine(by, 60)}: ${answerWords(answer)}; the first answer stands`;

const isSame = (first: GivenAnswer, own: Posting): boolean =>
  "chance" in first && first.chance === own.chance && "at" in first && first.at === own.at;

/** Since the question was read: what is recorded first, an answer or the end of the question, else the oldest in the inbox. */
async function firstOf(
  journal: Journal,
  { row, checkpoint }: Question,
  rules: (input: Posting) => boolean,
): Promise<GivenAnswer | undefined> {
  for (const { event } of await journal.read(row.id, row.seq + 1, EVENTS_MAX)) {
    if (event.kind === "checkpoint-closed" && event.checkpoint === checkpoint.id)
      return { answer: event.answer, by: event.by };
    if (event.kind !== "received" || event.input.kind !== "checkpoint-answered") continue;
    if (rules(event.input)) return event.input;
  }
  return (await givenAnswers(journal, row.id)).find(rules);
}

const EVENTS_MAX = 100_000;
const LOOK_MS = 50;
const LOOKS_MAX = 60;

/** Waits until its owner has taken the answer out of the inbox; not for long, it will in the end. */
async function taken(journal: Journal, run: string, input: Posting): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const given = await givenAnswers(journal, run);
    if (!given.some((other) => isSame(other, input))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
