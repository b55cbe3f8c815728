/** Where notes of agents outside of runs are kept: one file each, written once. */
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseFields } from "../../agents/output/json.ts";
import { hashText } from "../../core/hash.ts";
import { importHistory } from "../../core/history/imported-history.ts";
import type { HistoryAttempt, SubtaskHistory } from "../../core/history/attempt-history.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import { openHome } from "../home.ts";
import { defined, type Context } from "../operation.ts";
import { redact } from "../redaction.ts";
import { textIfThere } from "../text.ts";
import type { Question, QuestionAnswer } from "./schemas.ts";

const OWN = { mode: 0o600 } as const;

/** The attempts of one process belong together. */
const SESSION = Date.now();

const ID = /^q-[0-9a-f]{8}$/;

/** Of one folder. */
export function notesOf({ cwd }: Context) {
  const home = openHome().root;
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
    addAttempt(subtask: string, attempt: Omit<HistoryAttempt, "session">): void {
      mkdirSync(join(home, "attempts"), { recursive: true, mode: 0o700 });
      const kept = redactDeep({ subtask, session: SESSION, ...attempt }, redact);
      appendFileSync(attempts, `${JSON.stringify(kept)}\n`, OWN);
    },
    history: () => foldAttempts(textIfThere(attempts) ?? ""),
    /** Open ones of all folders, oldest first. */
    openQuestions: (): readonly Question[] =>
      all()
        .filter(({ id }) => answerOf(id) === undefined)
        .sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1)),
    ask(given: Pick<Question, "question" | "options">): Question {
      const { question: words, options } = redactDeep(given, redact);
      const open = all().find(
        (one) => one.cwd === cwd && one.question === words && answerOf(one.id) === undefined,
      );
      if (open !== undefined) return open;
      const id = `q-${randomUUID().slice(0, 8)}`;
      const asked = { id, cwd, askedAt: new Date().toISOString(), question: words, options };
      const { UNSTUCK_RUN: run, UNSTUCK_SUBTASK: subtask } = process.env;
      const whole = { ...asked, ...defined({ run, subtask }) };
      mkdirSync(questions, { recursive: true, mode: 0o700 });
      writeFileSync(`${questionFile(id)}.new`, `${JSON.stringify(whole)}\n`, OWN);
      renameSync(`${questionFile(id)}.new`, questionFile(id));
      return whole;
    },
    /** False: it was answered before. */
    answer: (id: string, given: QuestionAnswer): boolean =>
      writeOnce(answerFile(id), redactDeep(given, redact)),
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

/** Every line is checked by the reader of the history's own JSON. */
function foldAttempts(text: string): readonly SubtaskHistory[] {
  const found = new Map<string, HistoryAttempt[]>();
  for (const line of text.split("\n")) {
    const { subtask, ...attempt } = parseFields(line) ?? {};
    if (typeof subtask !== "string") continue;
    const wrapped = { subtasks: { one: { status: "pending", attempts: [attempt] } } };
    const reading = importHistory(wrapped);
    const read = reading.ok ? reading.subtasks[0]?.attempts : undefined;
    if (read !== undefined) found.set(subtask, [...(found.get(subtask) ?? []), ...read]);
  }
  return [...found].map(([id, attempts]) => ({
    ...{ id, attempts, status: attempts.at(-1)?.success === true ? "completed" : "failed" },
  }));
}

const readJson = (file: string): object | undefined => parseFields(textIfThere(file) ?? "");

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
