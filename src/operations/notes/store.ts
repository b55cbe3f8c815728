/**
 * What is kept of agents' work outside of runs: attempts, as lines that are only appended, and questions to
 * a person, a file each. Under Unstuck's home, by folder. Invariants: no secret is kept (U12); an answer, once
 * given, stands; a question asked twice is one question; what cannot be read is skipped, never an error.
 */
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { redactDeep } from "../../core/redact/redaction.ts";
import { redact } from "../../operations/redaction.ts";
import { hashText } from "../../core/hash.ts";
import { importHistory } from "../../core/history/imported-history.ts";
import type { HistoryAttempt, SubtaskHistory } from "../../core/history/attempt-history.ts";

export interface Question {
  readonly id: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly question: string;
  readonly options: readonly string[];
  /** The run and subtask it was asked in, if any. */
  readonly run?: string;
  readonly subtask?: string;
}

export interface QuestionAnswer {
  readonly answer: string;
  readonly by: string;
  readonly answeredAt: string;
}

export interface Notes {
  readonly addAttempt: (subtask: string, attempt: Omit<HistoryAttempt, "session">) => void;
  readonly history: () => readonly SubtaskHistory[];
  readonly ask: (question: Pick<Question, "question" | "options">) => Question;
  readonly question: (id: string) => Question | undefined;
  readonly answerOf: (id: string) => QuestionAnswer | undefined;
  /** Open ones of all folders, oldest first. */
  readonly openQuestions: () => readonly Question[];
  /** False: it was answered before. */
  readonly answer: (id: string, answer: QuestionAnswer) => boolean;
}

const OWN = { mode: 0o600 } as const;
/** The attempts of one process belong together. */
const SESSION = Date.now();
const ID = /^q-[0-9a-f]{8}$/;

export function openNotes(home: string, cwd: string): Notes {
  const questions = join(home, "questions");
  const attempts = join(home, "attempts", `${hashText(cwd)}.jsonl`);
  const questionFile = (id: string): string => join(questions, `${id}.json`);
  const answerFile = (id: string): string => join(questions, `${id}.answer`);
  const question = (id: string): Question | undefined =>
    ID.test(id) ? (readJson(questionFile(id)) as Question | undefined) : undefined;
  const answerOf = (id: string): QuestionAnswer | undefined =>
    ID.test(id) ? (readJson(answerFile(id)) as QuestionAnswer | undefined) : undefined;
  const all = (): Question[] =>
    namesIn(questions).flatMap((name) =>
      name.endsWith(".json") ? (question(name.slice(0, -5)) ?? []) : [],
    );
  return {
    question,
    answerOf,
    addAttempt(subtask, attempt) {
      mkdirSync(join(home, "attempts"), { recursive: true, mode: 0o700 });
      const kept = redactDeep({ subtask, session: SESSION, ...attempt }, redact);
      appendFileSync(attempts, `${JSON.stringify(kept)}\n`, OWN);
    },
    history: () => foldAttempts(textOf(attempts)),
    openQuestions: () =>
      all()
        .filter(({ id }) => answerOf(id) === undefined)
        .sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1)),
    ask(given) {
      const { question: words, options } = redactDeep(given, redact);
      const open = all().find(
        (one) => one.cwd === cwd && one.question === words && answerOf(one.id) === undefined,
      );
      if (open !== undefined) return open;
      const id = `q-${randomUUID().slice(0, 8)}`;
      const asked = { id, cwd, askedAt: new Date().toISOString(), question: words, options };
      const whole: Question = { ...asked, ...placeInRun() };
      mkdirSync(questions, { recursive: true, mode: 0o700 });
      writeFileSync(`${questionFile(id)}.new`, `${JSON.stringify(whole)}\n`, OWN);
      renameSync(`${questionFile(id)}.new`, questionFile(id));
      return whole;
    },
    answer: (id, given) => writeOnce(answerFile(id), redactDeep(given, redact)),
  };
}

/** False where there is one already. */
function writeOnce(file: string, value: object): boolean {
  const fresh = `${file}.${randomUUID()}`;
  writeFileSync(fresh, `${JSON.stringify(value)}\n`, OWN);
  try {
    linkSync(fresh, file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function placeInRun(): { run?: string; subtask?: string } {
  const { UNSTUCK_RUN: run, UNSTUCK_SUBTASK: subtask } = process.env;
  return { ...(run === undefined ? {} : { run }), ...(subtask === undefined ? {} : { subtask }) };
}

/** Every line is checked by the reader of the history's own JSON. */
function foldAttempts(text: string): readonly SubtaskHistory[] {
  const found = new Map<string, HistoryAttempt[]>();
  for (const line of text.split("\n")) {
    const { subtask, ...attempt } = (parse(line) ?? {}) as Record<string, unknown>;
    if (typeof subtask !== "string") continue;
    const wrapped = { subtasks: { one: { status: "pending", attempts: [attempt] } } };
    const reading = importHistory(wrapped);
    const read = reading.ok ? reading.subtasks[0]?.attempts : undefined;
    if (read !== undefined) found.set(subtask, [...(found.get(subtask) ?? []), ...read]);
  }
  return [...found].map(([id, attempts]) => ({ id, attempts, status: statusOf(attempts) }));
}

function statusOf(attempts: readonly HistoryAttempt[]): SubtaskHistory["status"] {
  return attempts.at(-1)?.success === true ? "completed" : "failed";
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const readJson = (file: string): object | undefined => parse(textOf(file));

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
