/**
 * The tools of the MCP server. Invariants: arguments are checked before anything is done; what is refused says
 * which argument and why; foreign text in answers is tamed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import type { Evidence } from "../../core/evidence.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { exportHistory } from "../../core/history/attempt-history.ts";
import type { HistoryAttempt } from "../../core/history/attempt-history.ts";
import { recoveryHints } from "../../core/prompt/recovery-hints.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import { describeFailure, evidenceNow } from "../../operations/advice/evidence.ts";
import { manifestNames } from "../../operations/setup/manifests.ts";
import type { McpStore, Question } from "./store.ts";

export type ToolOutcome =
  { readonly text: string; readonly data: object } | { readonly refused: string };

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly call: (args: unknown, store: McpStore, stop: AbortSignal) => Promise<ToolOutcome>;
}

function tool<T extends z.ZodType>(
  facts: { readonly name: string; readonly title: string; readonly description: string },
  schema: T,
  call: (
    args: z.infer<T>,
    store: McpStore,
    stop: AbortSignal,
  ) => ToolOutcome | Promise<ToolOutcome>,
): McpTool {
  const { $schema: _version, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  return {
    ...facts,
    inputSchema,
    async call(given, store, stop) {
      const args = schema.safeParse(given);
      if (args.success) return call(args.data, store, stop);
      const [issue] = args.error.issues;
      const place = issue?.path.map(String).join(".") ?? "";
      return {
        refused: `${tameLine(place, 80) || "arguments"}: ${tameLine(issue?.message ?? "", 200)}`,
      };
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
const subtask = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("What the attempt was for; default: the subtask of the run, else `task`");

const subtaskOf = (given: string | undefined): string =>
  given ?? process.env["UNSTUCK_SUBTASK"] ?? "task";

function evidenceOf(given: object): Evidence {
  const reading = evidenceNow(given);
  return reading.ok ? reading.evidence : {};
}

const WAIT_MAX_S = 600;
const LOOK_AGAIN_MS = 300;

export const TOOLS: readonly McpTool[] = [
  tool(
    {
      name: "classify_failure",
      title: "What kind of failure is this?",
      description: "Classifies an error: kind, category, origin, confidence, which line decided.",
    },
    evidence,
    (given) => {
      const failure = classifyByStandardRules(evidenceOf(given));
      return { text: describeFailure(failure), data: failure };
    },
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
    ({ tools, ...given }, { cwd }) => {
      const seen = evidenceOf(given);
      const plan = repairPlan({
        failure: classifyByStandardRules(seen),
        evidence: seen,
        tools: tools ?? ["run_bash", "read_file", "read_dir", "write_file"],
        sandboxRoot: cwd,
        mode: "suggest",
        platform: process.platform,
        manifestNames: manifestNames(cwd),
      });
      return { text: JSON.stringify(plan, null, 1), data: plan };
    },
  ),
  tool(
    {
      name: "record_attempt",
      title: "Record what was tried",
      description:
        "Keeps an attempt: the approach, whether it worked, the error. Never overwritten.",
    },
    z.strictObject({
      subtask,
      approach: z.string().min(1).max(4000),
      success: z.boolean(),
      error: z.string().max(20_000).optional(),
    }),
    (given, store) => {
      const id = subtaskOf(given.subtask);
      const { approach, success, error = null } = given;
      store.addAttempt(id, { timestamp: new Date().toISOString(), approach, success, error });
      return historyOf(store, id);
    },
  ),
  tool(
    {
      name: "attempt_history",
      title: "What was tried before",
      description: "All attempts on a subtask in this folder, across sessions, with hints.",
    },
    z.strictObject({ subtask }),
    (given, store) => historyOf(store, subtaskOf(given.subtask)),
  ),
  tool(
    {
      name: "ask_human",
      title: "Ask a person",
      description:
        "Asks a person and keeps the question until it is answered, also over restarts. Waits for " +
        "the answer, then says how to come back for it.",
    },
    z.strictObject({
      question: z.string().trim().min(1).max(4000).optional(),
      options: z.array(z.string().max(300)).max(10).optional().describe("Answers to choose from"),
      id: z.string().max(40).optional().describe("Comes back for the answer to this question"),
      waitSeconds: z.int().min(0).max(WAIT_MAX_S).optional().describe("Default 45"),
    }),
    askHuman,
  ),
];

function historyOf(store: McpStore, id: string): ToolOutcome {
  const mine = store.history().filter((one) => one.id === id);
  const attempts: readonly HistoryAttempt[] = mine[0]?.attempts ?? [];
  const failed = attempts.flatMap(({ approach, success, error }, index) =>
    success ? [] : [{ attempt: index + 1, approach, ...(error === null ? {} : { error }) }],
  );
  const hints = recoveryHints(failed.map((one) => ({ tier: 1, ...one })));
  const count = `${attempts.length} recorded, ${failed.length} failed`;
  return {
    text: [count, hints].filter((part) => part !== "").join("\n\n"),
    data: exportHistory(mine),
  };
}

interface Asked {
  readonly question?: string | undefined;
  readonly options?: string[] | undefined;
  readonly id?: string | undefined;
  readonly waitSeconds?: number | undefined;
}

async function askHuman(given: Asked, store: McpStore, stop: AbortSignal): Promise<ToolOutcome> {
  if ((given.question === undefined) === (given.id === undefined))
    return { refused: "give either a question or the id of one" };
  const asked =
    given.id === undefined
      ? store.ask({ question: given.question ?? "", options: given.options ?? [] })
      : store.question(given.id);
  if (asked === undefined)
    return { refused: `there is no question ${tameLine(given.id ?? "", 40)}` };
  const until = Date.now() + (given.waitSeconds ?? 45) * 1000;
  for (;;) {
    const answer = store.answerOf(asked.id);
    if (answer !== undefined)
      return { text: `A person answered: ${answer.answer}`, data: { id: asked.id, ...answer } };
    if (stop.aborted || Date.now() >= until) return notYet(asked);
    await sleep(Math.min(LOOK_AGAIN_MS, Math.max(1, until - Date.now())));
  }
}

function notYet({ id }: Question): ToolOutcome {
  return {
    text:
      `Not answered yet. The question is kept as ${id}: call ask_human with {"id": "${id}"} to come ` +
      `back for it. The person answers with: unstuck mcp answer ${id} "words". Go on with work that ` +
      "does not depend on it, and do not guess the answer.",
    data: { id, answered: false },
  };
}
