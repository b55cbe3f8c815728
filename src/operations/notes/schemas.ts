/** Input and output schemas of the operations on notes. */
import * as z from "zod";
import { SUBTASK_STATUSES, type AttemptHistoryJson } from "../../core/history/attempt-history.ts";
import { list, nothing, text, texts } from "../schema-fields.ts";

const WAIT_MAX_S = 600;

const subtask = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("What the attempt was for; default: the subtask of the run, else `task`");

const attempts = list(
  z.strictObject({
    session: z.number(),
    timestamp: text.describe("ISO 8601"),
    approach: text,
    success: z.boolean(),
    error: text.nullable(),
  }),
);

/** The attempts in the format of the source (B8). */
export const attemptHistoryJson = z.strictObject({
  subtasks: z
    .record(text, z.strictObject({ attempts, status: z.enum(SUBTASK_STATUSES) }))
    .readonly(),
  stuck_subtasks: list(
    z.strictObject({ subtask_id: text, reason: text, attempt_count: z.number() }),
  ),
}) satisfies z.ZodType<AttemptHistoryJson>;

const history = z.strictObject({
  history: attemptHistoryJson,
  recorded: z.number(),
  failed: z.number(),
  /** What to do differently; empty if nothing failed. */
  hints: text,
});

export const recordAttempt = {
  input: z.strictObject({
    subtask,
    approach: text.min(1).max(4000),
    success: z.boolean(),
    error: text.max(20_000).optional(),
  }),
  output: history,
};

export const attemptHistory = { input: z.strictObject({ subtask }), output: history };

const answer = z.strictObject({ answer: text, by: text, answeredAt: text });
const question = z.strictObject({
  id: text,
  cwd: text,
  askedAt: text.describe("ISO 8601"),
  question: text,
  options: texts,
  run: text.exactOptional(),
  subtask: text.exactOptional().describe("The subtask of the run that it was asked in"),
});

export type Question = z.infer<typeof question>;
export type QuestionAnswer = z.infer<typeof answer>;

export const askPerson = {
  input: z.strictObject({
    question: text.trim().min(1).max(4000).optional(),
    options: z.array(text.max(300)).max(10).optional().describe("Answers to choose from"),
    id: text.max(40).optional().describe("Comes back for the answer to this question"),
    waitSeconds: z.int().min(0).max(WAIT_MAX_S).optional().describe("Default 45"),
  }),
  output: z.strictObject({ id: text, answer: answer.exactOptional() }),
};

export const agentQuestions = {
  input: nothing,
  output: list(question),
};

export const answerAgent = {
  input: z.strictObject({ id: text, words: text }),
  output: z.strictObject({ id: text }),
};
