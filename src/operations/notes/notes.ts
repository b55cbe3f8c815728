/**
 * What is kept of agents' work outside of runs, under Unstuck's home: attempts by folder, as lines that are only
 * appended, and questions to a person, a file each; agents note, look and ask, their person sees the questions and
 * answers. Invariants: no secret is kept (U12); an agent may not answer for its person; an answer, once given,
 * stands; a question asked twice is one question; what cannot be read is skipped, never an error.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../core/foreign-text.ts";
import { exportHistory } from "../../core/history/attempt-history.ts";
import { KINDS } from "../../core/kinds.ts";
import { recoveryHints } from "../../core/prompt/earlier-attempts.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError, type Context } from "../operation.ts";
import { notesOf } from "./store.ts";

type Notes = ReturnType<typeof notesOf>;

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

function historyOf(notes: Notes, id: string) {
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

/** Waits for the answer; a question that has none by then is kept, and can be come back for. */
export const askPerson = operation({
  name: "ask-person",
  schemas: async () => (await import("./schemas.ts")).askPerson,
  async run(context, { question, options = [], id, waitSeconds = WAIT_S }) {
    if ((question === undefined) === (id === undefined))
      throw new ProblemError("bad-input", "give either a question or the id of one");
    const notes = notesOf(context);
    const asked =
      question === undefined ? notes.question(id ?? "") : notes.ask({ question, options });
    if (asked === undefined)
      throw new ProblemError("not-found", `there is no question ${cleanLine(id ?? "", 40)}`);
    const until = Date.now() + waitSeconds * 1000;
    for (;;) {
      const answer = notes.answerOf(asked.id);
      if (answer !== undefined) return { id: asked.id, answer };
      if (context.signal?.aborted === true || Date.now() >= until) return { id: asked.id };
      await sleep(Math.min(LOOK_AGAIN_MS, Math.max(1, until - Date.now())));
    }
  },
});

/** Open ones of all folders, oldest first. */
export const agentQuestions = operation({
  name: "agent-questions",
  schemas: async () => (await import("./schemas.ts")).agentQuestions,
  run: (context) => notesOf(context).openQuestions(),
});

/** Marks that agents leave in the environment of what they run. */
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

/** What can be looked at as a whole. */
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
