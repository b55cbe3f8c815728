/**
 * The MCP server: its methods, tools and resources. Invariants: nothing but `initialize` and `ping` before the
 * handshake; the client's protocol version if it is known here, else the newest known; an unknown tool is a protocol
 * error; arguments are checked before anything is done, and what a tool refuses is a result that says which argument
 * and why, so that the model can do better; foreign text in answers is cleaned.
 */
import * as z from "zod";
import { classifyFailure, suggestRepair } from "../operations/advice/advice.ts";
import { describeFailure } from "../operations/advice/evidence.ts";
import {
  askPerson,
  attemptHistory,
  NOTES_RESOURCES,
  recordAttempt,
} from "../operations/notes/notes.ts";
import * as notes from "../operations/notes/schemas.ts";
import type { Context, OutputOf, Result } from "../operations/operation.ts";
import { cleanLine } from "../operations/text.ts";
import { VERSION } from "../operations/version.ts";
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from "./json-rpc.ts";
import type { Handler, Params } from "./json-rpc.ts";

/** Newest first. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const INSTRUCTIONS =
  "Use recovery_plan when a tool fails and the cause is not plain. Record what you tried with " +
  "record_attempt, look at attempt_history before you try again, and use ask_human when only a " +
  "person can decide.";

export function createMcpHandler(context: Context): Handler {
  let ready = false;
  return {
    async request(method, params, stop) {
      if (method === "ping") return {};
      if (method === "initialize") {
        ready = true;
        return initialize(params);
      }
      if (!ready) throw new RpcError(INVALID_REQUEST, "initialize comes first");
      switch (method) {
        case "tools/list":
          return { tools: TOOLS.map(({ call: _, ...tool }) => tool) };
        case "tools/call":
          return callTool({ ...context, signal: stop }, params);
        case "resources/list":
          return { resources: RESOURCES.map(({ read: _, ...resource }) => resource) };
        case "resources/templates/list":
          return { resourceTemplates: [] };
        case "resources/read":
          return { contents: [readResource(context, params["uri"])] };
        default:
          throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method.slice(0, 80)}`);
      }
    },
    notification: () => undefined,
  };
}

function initialize(params: Params): object {
  const asked = params["protocolVersion"];
  if (typeof asked !== "string")
    throw new RpcError(INVALID_PARAMS, "protocolVersion: expected a string");
  const known = PROTOCOL_VERSIONS.find((version) => version === asked);
  return {
    protocolVersion: known ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "unstuck", title: "Unstuck", version: VERSION },
    instructions: INSTRUCTIONS,
  };
}

async function callTool(context: Context, params: Params): Promise<object> {
  const tool = TOOLS.find(({ name }) => name === params["name"]);
  if (tool === undefined)
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(params["name"]).slice(0, 80)}`);
  return tool.call(context, params["arguments"] ?? {});
}

const RESOURCE_NOT_FOUND = -32002;

const RESOURCES = NOTES_RESOURCES.map((resource) => ({
  ...resource,
  uri: `unstuck://${resource.name}`,
  mimeType: "application/json",
}));

function readResource(context: Context, uri: unknown): object {
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, "uri: expected a string");
  const resource = RESOURCES.find((one) => one.uri === uri);
  if (resource === undefined)
    throw new RpcError(RESOURCE_NOT_FOUND, `there is no resource ${uri.slice(0, 120)}`);
  const { mimeType } = resource;
  return { uri, mimeType, text: JSON.stringify(resource.read(context)) };
}

function tool<T extends z.ZodType, Output>(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: T;
  readonly run: (context: Context, args: z.infer<T>) => Promise<Result<Output>>;
  readonly told: (value: Output) => object;
}) {
  const { input, run, told, ...facts } = tool;
  const { $schema: _version, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
  return {
    ...facts,
    inputSchema,
    call: async (context: Context, given: unknown): Promise<object> => {
      const args = input.safeParse(given);
      if (!args.success) {
        const [issue] = args.error.issues;
        const place = issue?.path.map(String).join(".") ?? "";
        const where = cleanLine(place, 80) || "arguments";
        return refused(`${where}: ${cleanLine(issue?.message ?? "", 200)}`);
      }
      const result = await run(context, args.data);
      return result.ok ? told(result.value) : refused(result.problem.message);
    },
  };
}

const said = (text: string): object => ({ content: [{ type: "text", text }] });
const refused = (words: string): object => ({ ...said(words), isError: true });
const answered = (words: string, structuredContent: object): object => ({
  ...said(words),
  structuredContent,
});

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

const TOOLS = [
  tool({
    name: "classify_failure",
    title: "What kind of failure is this?",
    description: "Classifies an error: kind, category, origin, confidence, which line decided.",
    input: evidence,
    run: (context, fields) => classifyFailure.run(context, { fields }),
    told: (failure) => answered(describeFailure(failure), failure),
  }),
  tool({
    name: "recovery_plan",
    title: "What to try",
    description: "The repair plan of an error: strategies in order, with concrete steps.",
    input: evidence.extend({
      tools: z.array(z.string().max(200)).max(500).optional().describe("Tools you have"),
    }),
    run: (context, { tools, ...fields }) =>
      suggestRepair.run(context, { fields, tools, sandbox: context.cwd }),
    told: (plan) => answered(JSON.stringify(plan, null, 1), plan),
  }),
  tool({
    name: "record_attempt",
    title: "Record what was tried",
    description: "Keeps an attempt: the approach, whether it worked, the error. Never overwritten.",
    input: notes.recordAttempt.input,
    run: recordAttempt.run,
    told: toldHistory,
  }),
  tool({
    name: "attempt_history",
    title: "What was tried before",
    description: "All attempts on a subtask in this folder, across sessions, with hints.",
    input: notes.attemptHistory.input,
    run: attemptHistory.run,
    told: toldHistory,
  }),
  tool({
    name: "ask_human",
    title: "Ask a person",
    description:
      "Asks a person and keeps the question until it is answered, also over restarts. Waits for " +
      "the answer, then says how to come back for it.",
    input: notes.askPerson.input,
    run: askPerson.run,
    told: toldAnswer,
  }),
];

function toldHistory(told: OutputOf<typeof attemptHistory>): object {
  const { recorded, failed, hints, history } = told;
  const count = `${recorded} recorded, ${failed} failed`;
  return answered([count, hints].filter((part) => part !== "").join("\n\n"), history);
}

function toldAnswer({ id, answer }: OutputOf<typeof askPerson>): object {
  if (answer !== undefined)
    return answered(`A person answered: ${answer.answer}`, { id, ...answer });
  return answered(
    `Not answered yet. The question is kept as ${id}: call ask_human with {"id": "${id}"} to come ` +
      `back for it. The person answers with: unstuck mcp answer ${id} "words". Go on with work that ` +
      "does not depend on it, and do not guess the answer.",
    { id, answered: false },
  );
}
