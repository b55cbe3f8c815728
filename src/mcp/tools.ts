/**
 * The tools of the MCP server. Invariants: arguments are checked before anything is done; what is refused says
 * which argument and why; foreign text in answers is tamed.
 */
import * as z from "zod";
import { classifyFailure, suggestRepair } from "../operations/advice/advice.ts";
import { describeFailure } from "../operations/advice/evidence.ts";
import { askPerson, attemptHistory, recordAttempt } from "../operations/notes/notes.ts";
import * as notes from "../operations/notes/schemas.ts";
import type { Context, OutputOf, Result } from "../operations/operation.ts";
import { cleanLine } from "../operations/text.ts";

export type ToolOutcome =
  { readonly text: string; readonly data: object } | { readonly refused: string };

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly call: (context: Context, args: unknown) => Promise<ToolOutcome>;
}

function tool<T extends z.ZodType, Output>(
  facts: { readonly name: string; readonly title: string; readonly description: string },
  schema: T,
  call: (context: Context, args: z.infer<T>) => Promise<Result<Output>>,
  told: (value: Output) => ToolOutcome,
): McpTool {
  const { $schema: _version, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  return {
    ...facts,
    inputSchema,
    async call(context, given) {
      const args = schema.safeParse(given);
      if (!args.success) {
        const [issue] = args.error.issues;
        const place = issue?.path.map(String).join(".") ?? "";
        const where = cleanLine(place, 80) || "arguments";
        return { refused: `${where}: ${cleanLine(issue?.message ?? "", 200)}` };
      }
      const result = await call(context, args.data);
      return result.ok ? told(result.value) : { refused: result.problem.message };
    },
  };
}

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

export const TOOLS: readonly McpTool[] = [
  tool(
    {
      name: "classify_failure",
      title: "What kind of failure is this?",
      description: "Classifies an error: kind, category, origin, confidence, which line decided.",
    },
    evidence,
    (context, fields) => classifyFailure.run(context, { fields }),
    (failure) => ({ text: describeFailure(failure, (_, words) => words), data: failure }),
  ),
  tool(
    {
      name: "recovery_plan",
      title: "What to try",
      description: "The repair plan of an error: strategies in order, with concrete steps.",
    },
    evidence.extend({
      tools: z.array(z.string().max(200)).max(500).optional().describe("Tools you have"),
    }),
    (context, { tools, ...fields }) =>
      suggestRepair.run(context, { fields, tools, sandbox: context.cwd }),
    (plan) => ({ text: JSON.stringify(plan, null, 1), data: plan }),
  ),
  tool(
    {
      name: "record_attempt",
      title: "Record what was tried",
      description:
        "Keeps an attempt: the approach, whether it worked, the error. Never overwritten.",
    },
    notes.recordAttempt.input,
    recordAttempt.run,
    toldHistory,
  ),
  tool(
    {
      name: "attempt_history",
      title: "What was tried before",
      description: "All attempts on a subtask in this folder, across sessions, with hints.",
    },
    notes.attemptHistory.input,
    attemptHistory.run,
    toldHistory,
  ),
  tool(
    {
      name: "ask_human",
      title: "Ask a person",
      description:
        "Asks a person and keeps the question until it is answered, also over restarts. Waits for " +
        "the answer, then says how to come back for it.",
    },
    notes.askPerson.input,
    askPerson.run,
    toldAnswer,
  ),
];

function toldHistory(told: OutputOf<typeof attemptHistory>): ToolOutcome {
  const { recorded, failed, hints, history } = told;
  const count = `${recorded} recorded, ${failed} failed`;
  return { text: [count, hints].filter((part) => part !== "").join("\n\n"), data: history };
}

function toldAnswer({ id, answer }: OutputOf<typeof askPerson>): ToolOutcome {
  if (answer !== undefined)
    return { text: `A person answered: ${answer.answer}`, data: { id, ...answer } };
  return {
    text:
      `Not answered yet. The question is kept as ${id}: call ask_human with {"id": "${id}"} to come ` +
      `back for it. The person answers with: unstuck mcp answer ${id} "words". Go on with work that ` +
      "does not depend on it, and do not guess the answer.",
    data: { id, answered: false },
  };
}
