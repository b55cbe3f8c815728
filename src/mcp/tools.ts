/**
 * The tools that agents can call. Invariants: arguments are checked before anything is done; a refusal is a result that
 * says which argument is wrong and why, so that the model can correct it; answers match their output schema; foreign
 * text in answers is sanitized.
 */
import * as z from "zod";
import { classifyFailure, suggestRepair } from "../operations/advice/advice.ts";
import { describeFailure } from "../operations/advice/evidence.ts";
import * as advice from "../operations/advice/schemas.ts";
import { askPerson, attemptHistory, recordAttempt } from "../operations/notes/notes.ts";
import * as notes from "../operations/notes/schemas.ts";
import type { Context, OutputOf, Result } from "../operations/operation.ts";
import { cleanLine } from "../operations/text.ts";

/** Reports a call's progress to a client that asked for it. */
export type Progress = (done: number, total: number, words: string) => void;

/** Hints by which a client decides whether to ask its user first. */
interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

const READ_ONLY: Hints = { readOnlyHint: true, openWorldHint: false };
const WRITES_NOTES: Hints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

interface Answer<Content> {
  readonly words: string;
  readonly content: Content;
}

function tool<Input extends z.ZodType, Shown extends z.ZodObject, Output>(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  readonly input: Input;
  readonly output: Shown;
  readonly run: (
    context: Context,
    args: z.infer<Input>,
    progress: Progress,
  ) => Promise<Result<Output>>;
  readonly told: (value: Output) => Answer<z.input<Shown>>;
}) {
  const { name, title, description, hints, input, output, run, told } = tool;
  const call = async (context: Context, given: unknown, progress: Progress): Promise<object> => {
    const args = input.safeParse(given);
    if (!args.success) {
      const [issue] = args.error.issues;
      const place = issue?.path.map(String).join(".") ?? "";
      const where = cleanLine(place, 80) || "arguments";
      return refused(`${where}: ${cleanLine(issue?.message ?? "", 200)}`);
    }
    const result = await run(context, args.data, progress);
    if (!result.ok) return refused(result.problem.message);
    const { words, content } = told(result.value);
    return { ...textResult(words), structuredContent: content };
  };
  const listed = {
    ...{ name, title, description },
    inputSchema: schemaOf(input, "input"),
    outputSchema: schemaOf(output, "output"),
    annotations: { title, ...hints },
  };
  return { listed, call };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _version, ...facts } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return facts;
}

const textResult = (text: string): object => ({ content: [{ type: "text", text }] });
const refused = (words: string): object => ({ ...textResult(words), isError: true });

const text = z.string().max(1_000_000);
const evidence = z.strictObject({
  tool: text.optional().describe("What ran: your tool's name, or llm, http"),
  command: text.optional().describe("The command line that failed"),
  exitCode: z.int().optional(),
  signal: text.optional(),
  errno: text.optional().describe("System error name such as ENOSPC"),
  httpStatus: z.int().optional(),
  message: text.optional().describe("The error message"),
  stdout: text.optional(),
  stderr: text.optional(),
});

const personAnswer = z.strictObject({
  id: z.string().describe("The question's; come back for its answer with it"),
  answered: z.boolean(),
  answer: z.string().optional(),
  by: z.string().optional(),
  answeredAt: z.string().optional().describe("ISO 8601"),
});

export const TOOLS = [
  tool({
    name: "classify_failure",
    title: "What kind of failure is this?",
    description: "Classifies an error: kind, category, origin, confidence, which line decided.",
    hints: READ_ONLY,
    input: evidence,
    output: advice.classifyFailure.output,
    run: (context, fields) => classifyFailure.run(context, { fields }),
    told: (failure) => ({ words: describeFailure(failure), content: failure }),
  }),
  tool({
    name: "recovery_plan",
    title: "What to try",
    description: "The repair plan of an error: strategies in order, with concrete steps.",
    hints: READ_ONLY,
    input: evidence.extend({
      tools: z.array(z.string().max(200)).max(500).optional().describe("Tools you have"),
    }),
    output: advice.suggestRepair.output,
    run: (context, { tools, ...fields }) =>
      suggestRepair.run(context, { fields, tools, sandbox: context.cwd }),
    told: (plan) => ({ words: JSON.stringify(plan, null, 1), content: plan }),
  }),
  tool({
    name: "record_attempt",
    title: "Record what was tried",
    description: "Keeps an attempt: the approach, whether it worked, the error. Never overwritten.",
    hints: { ...WRITES_NOTES, idempotentHint: false },
    input: notes.recordAttempt.input,
    output: notes.attemptHistoryJson,
    run: (context, args) => recordAttempt.run(context, args),
    told: historyResult,
  }),
  tool({
    name: "attempt_history",
    title: "What was tried before",
    description: "All attempts on a subtask in this folder, across sessions, with hints.",
    hints: READ_ONLY,
    input: notes.attemptHistory.input,
    output: notes.attemptHistoryJson,
    run: (context, args) => attemptHistory.run(context, args),
    told: historyResult,
  }),
  tool({
    name: "ask_human",
    title: "Ask a person",
    description:
      "Asks a person and keeps the question until it is answered, also over restarts. Waits for " +
      "the answer, then says how to come back for it.",
    // Asking twice results in one question.
    hints: { ...WRITES_NOTES, idempotentHint: true, openWorldHint: true },
    input: notes.askPerson.input,
    output: personAnswer,
    run: (context, args, progress) =>
      askPerson.run(context, args, ({ id, waitedMs, waitMs }) =>
        progress(waitedMs / 1000, waitMs / 1000, `waiting for a person to answer ${id}`),
      ),
    told: answerResult,
  }),
];

function historyResult(told: OutputOf<typeof attemptHistory>) {
  const { recorded, failed, hints, history } = told;
  const count = `${recorded} recorded, ${failed} failed`;
  return { words: [count, hints].filter((part) => part !== "").join("\n\n"), content: history };
}

function answerResult({ id, answer }: OutputOf<typeof askPerson>) {
  if (answer !== undefined)
    return {
      words: `A person answered: ${answer.answer}`,
      content: { id, answered: true, ...answer },
    };
  return {
    words:
      `Not answered yet. The question is kept as ${id}: call ask_human with {"id": "${id}"} to come ` +
      `back for it. The person answers with: unstuck mcp answer ${id} "words". Go on with work that ` +
      "does not depend on it, and do not guess the answer.",
    content: { id, answered: false },
  };
}
