/**
 * Open questions of runs and answering them: what `inbox`, `resolve` and `review` share. Imports journal, engines and core.
 * Invariants: an answer goes through the run's inbox, whoever owns the run takes it, the first one stands; only what a
 * question offers is posted.
 */
import { userInfo } from "node:os";
import type { Budget } from "../core/budget.ts";
import { tameLine } from "../core/foreign-text.ts";
import { vectorItems } from "../core/persistent-vector.ts";
import type { Checkpoint } from "../core/run/checkpoint.ts";
import type { Answer } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import { systemProcesses } from "../engines/system-processes.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunRow } from "../journal/reader.ts";
import { findRun } from "./find-run.ts";
import { UsageError } from "./io.ts";
import { recordedState } from "./run-state.ts";

export interface Question {
  readonly row: RunRow;
  readonly checkpoint: Checkpoint;
}

/** Of all runs that go on, or of one. */
export async function openQuestions(
  journal: Journal,
  asked: string | undefined,
): Promise<readonly Question[]> {
  const rows = asked === undefined ? await journal.runs() : [await findRun(journal, asked)];
  const questions: Question[] = [];
  for (const row of rows) {
    if (row.phase === "ended" || row.seq === 0) continue;
    const state = await recordedState(journal, row.id);
    for (const checkpoint of openCheckpoints(state)) questions.push({ row, checkpoint });
  }
  return questions;
}

function openCheckpoints(state: RunState): Checkpoint[] {
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return state.checkpoint === undefined ? own : [state.checkpoint, ...own];
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
  const open = await openQuestions(journal, asked);
  const [found, ...others] = open.filter(({ checkpoint }) => checkpoint.id === id);
  if (found === undefined) {
    const names = open.slice(0, 10).map(({ checkpoint }) => checkpoint.id);
    const hint = names.length > 0 ? `; open: ${names.join(", ")}` : "";
    throw new UsageError(`there is no open question ${tameLine(id, 60)}${hint}`);
  }
  if (others.length > 0) {
    const runs = [found, ...others].map(({ row }) => row.id).join(", ");
    throw new UsageError(`several runs ask ${tameLine(id, 60)}; name one with --run: ${runs}`);
  }
  return found;
}

export interface Posted {
  /** Somebody works on the run and will take the answer at once. */
  readonly ownerAlive: boolean;
}

export async function postAnswer(
  journal: Journal,
  { row, checkpoint }: Question,
  answer: Answer,
): Promise<Posted> {
  if (!checkpoint.options.some((option) => option.answer === answer.kind))
    throw new UsageError(
      `${checkpoint.id} offers ${checkpoint.options.map((option) => option.answer).join(", ")}`,
    );
  await journal.post(row.id, {
    at: Date.now(),
    chance: 0,
    kind: "checkpoint-answered",
    checkpoint: checkpoint.id,
    answer,
    by: personName(),
  });
  return { ownerAlive: row.owner !== undefined && !systemProcesses().isDead(row.owner) };
}

function personName(): string {
  try {
    return tameLine(userInfo().username, 60);
  } catch {
    return "somebody";
  }
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
