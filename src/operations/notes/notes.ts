/**
 * Notes on agents' work outside of runs, under Unstuck's home: attempts by folder, as append-only lines, and questions
 * to a person, one file each. Agents record, read and ask; their user sees the questions and answers. Invariants: no
 * secret is kept (U12); an agent may not answer for its user; an answer, once given, is final; a question asked twice
 * is one question; unreadable files are skipped, never an error.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../core/foreign-text.ts";
import { exportHistory } from "../../core/history/attempt-history.ts";
import { KINDS } from "../../core/kinds.ts";
import { recoveryHints } from "../../core/prompt/earlier-attempts.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { ProblemError, defined, operation, type Context } from "../operation.ts";
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
import { redact } from "../redaction.ts";
import { textIfThere } from "../text.ts";
import type { Question, QuestionAnswer } from "./schemas.ts";

const subtaskOf = (given: string | undefined): string =>
  given ?? process.env["UNSTUCK_SUBTASK"] ?? "task";

export const recordAttempt = operation({
  name: "record-attempt",
  schemas: async () => (await import("./schemas.ts")).recordAttempt,
  run(context, { subtask, approach, success, error = null }) {
    const notes = notesOf(context);
    const id = subtaskOf(subtask);
    const timestamp = new Date().toISOString();
    notes.addAttempt(id, { timestamp, approach, success, error });
    return historyOf(notes, id);
  },
});

export const attemptHistory = operation({
  name: "attempt-history",
  schemas: async () => (await import("./schemas.ts")).attemptHistory,
  run: (context, { subtask }) => historyOf(notesOf(context), subtaskOf(subtask)),
});

function historyOf(notes: ReturnType<typeof notesOf>, id: string) {
  const mine = notes.history().filter((one) => one.id === id);
  const attempts = mine[0]?.attempts ?? [];
  const failed = attempts.flatMap(({ approach, success, error }, index) =>
    success ? [] : [{ attempt: index + 1, approach, ...(error === null ? {} : { error }) }],
  );
  return {
    history: exportHistory(mine),
    recorded: attempts.length,
    failed: failed.length,
    hints: recoveryHints(failed.map((one) => ({ tier: 1, ...one }))),
  };
}

const WAIT_S = 45;

const LOOK_AGAIN_MS = 300;

/** Called after every look that found no answer. */
type Waits = (waiting: {
  readonly id: string;
  readonly waitedMs: number;
  readonly waitMs: number;
}) => void;

/** Waits for the answer; an unanswered question is kept, and the agent can ask for it again. */
export const askPerson = operation({
  name: "ask-person",
  schemas: async () => (await import("./schemas.ts")).askPerson,
  async run(context, { question, options = [], id, waitSeconds = WAIT_S }, on: Waits) {
    if ((question === undefined) === (id === undefined))
      throw new ProblemError("bad-input", "give either a question or the id of one");
    const notes = notesOf(context);
    const asked =
      question === undefined ? notes.question(id ?? "") : notes.ask({ question, options });
    if (asked === undefined)
      throw new ProblemError("not-found", `there is no question ${cleanLine(id ?? "", 40)}`);
    const began = Date.now();
    const until = began + waitSeconds * 1000;
    for (;;) {
      const answer = notes.answerOf(asked.id);
      if (answer !== undefined) return { id: asked.id, answer };
      if (context.signal?.aborted === true || Date.now() >= until) return { id: asked.id };
      on({ id: asked.id, waitedMs: Date.now() - began, waitMs: waitSeconds * 1000 });
      await sleep(Math.min(LOOK_AGAIN_MS, Math.max(1, until - Date.now())));
    }
  },
});

export const agentQuestions = operation({
  name: "agent-questions",
  schemas: async () => (await import("./schemas.ts")).agentQuestions,
  run: (context) => notesOf(context).openQuestions(),
});

/** Variables that agents set in the environment of what they run. */
const AGENT_MARKS = ["UNSTUCK_ATTEMPT", "CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "OPENCODE"];

const ANSWER_CHARS = 20_000;

export const answerAgent = operation({
  name: "answer-agent",
  schemas: async () => (await import("./schemas.ts")).answerAgent,
  run(context, { id, words }) {
    if (AGENT_MARKS.some((name) => (process.env[name] ?? "") !== ""))
      throw new ProblemError("not-allowed", "an agent may not answer for its person");
    refuseInsideAttempt("mcp answer");
    const notes = notesOf(context);
    if (notes.question(id) === undefined)
      throw new ProblemError(
        "not-found",
        `there is no question ${cleanLine(id, 40)}; see: unstuck mcp questions`,
      );
    const given = {
      answer: words.slice(0, ANSWER_CHARS),
      by: process.env["USER"] ?? "somebody",
      answeredAt: new Date().toISOString(),
    };
    if (!notes.answer(id, given)) throw new ProblemError("not-now", `${id} was answered before`);
    return { id };
  },
});

/** The notes that can be read as resources. */
export const NOTES_RESOURCES: readonly {
  readonly name: string;
  readonly description: string;
  readonly read: (context: Context) => unknown;
}[] = [
  {
    name: "attempts",
    description: "What was tried in this folder, by subtask",
    read: (context) => exportHistory(notesOf(context).history()),
  },
  {
    name: "questions",
    description: "Questions to a person that are not answered yet",
    read: (context) => notesOf(context).openQuestions(),
  },
  {
    name: "kinds",
    description: "The kinds of failure, their category and what is tried first",
    read: () => KINDS,
  },
];

const OWN = { mode: 0o600 } as const;

/** The attempts of one process belong together. */
const SESSION = Date.now();

const ID = /^q-[0-9a-f]{8}$/;

/** The notes of one folder. */
function notesOf({ cwd }: Context) {
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
    /** Open questions of all folders, oldest first. */
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
    answer: (id: string, given: QuestionAnswer): boolean =>
      writeOnce(answerFile(id), redactDeep(given, redact)),
  };
}

/** False if the file exists already. */
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

/** Every line is validated by the reader of the history's own JSON. */
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
