/**
 * The scripted model server, which real agents talk to in tests instead of a provider. A base URL names scenario and
 * run, `<url>/<scenario>/<run>`, so tests can share one server while each run has its own count and log. Invariants: it
 * listens on loopback only; `close` ends every open connection, even silent ones; a call to one of the agent's tools
 * has every argument that the tool's schema requires.
 */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { APIS } from "./apis.ts";
import { FAULT_ANSWERS } from "./faults.ts";
import type {
  Conversation,
  DeclaredTool,
  Fields,
  ProviderApi,
  Reply,
  ToolCall,
  WireResponse,
} from "./provider-api.ts";
import { fields, list, stringOf, whole } from "./provider-api.ts";
import { turnFor, type ModelRequest, type Scenario, type Turn } from "./scenario.ts";

export interface ModelServer {
  readonly url: string;
  /** The base URL of one run; agents append `/v1/...` or `/v1beta/...` to it. */
  at(scenario: string, run: string): string;
  /** The run's requests so far, without auxiliary ones, oldest first. */
  requests(run: string): readonly ModelRequest[];
  close(): Promise<void>;
}

const USAGE = { input: 1000, output: 20 };
const RETRY_AFTER = 1;

export interface ModelServerOptions {
  /**
   * Agents make extra requests besides their work, for titles and summaries. If set, a request that declares no tool
   * for shell or files gets a short text and is not counted.
   */
  readonly forAgents?: boolean;
  /**
   * How many of a run's requests to keep, dropping the oldest; by default all, which can grow to gigabytes in a loop.
   */
  readonly keep?: number;
}

/**
 * Starts a server on loopback that speaks the APIs of OpenAI (chat completions, responses), Anthropic and Gemini, and
 * answers from the scenarios.
 *
 * @example
 * const server = await startModelServer({ flaky: { by: "request", turns: [fault("overloaded"), say("done")] } });
 * await agent({ baseURL: `${server.at("flaky", "run-1")}/v1` });
 * await server.close();
 */
export async function startModelServer(
  scenarios: Readonly<Record<string, Scenario>>,
  { forAgents = false, keep = Infinity }: ModelServerOptions = {},
): Promise<ModelServer> {
  const logs = new Map<string, ModelRequest[]>();
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    void json(incoming)
      .then(fields, () => ({}))
      .then((body: Fields) => {
        const { pathname } = new URL(incoming.url ?? "/", "http://127.0.0.1");
        const [, scenarioName = "", run = "", path = ""] =
          /^\/([^/]{1,100})\/([^/]{1,100})(\/.*)$/.exec(pathname) ?? [];
        const scenario = scenarios[decodeURIComponent(scenarioName)];
        const api = APIS.find((each) => each.path.test(path));
        if (incoming.method !== "POST" || scenario === undefined || api === undefined)
          return send(response, { kind: "whole" }, sideAnswer(path));
        const log = logs.get(run) ?? [];
        logs.set(run, log);
        const conversation = api.read(body, path);
        const { model, user, results, tools } = conversation;
        const auxiliary = forAgents && (shellTool(tools) ?? writeTool(tools)) === undefined;
        const number = (counts.get(run) ?? 0) + 1;
        const at = Date.now();
        const request = { number, at, api: api.name, model, auxiliary, user, results, body };
        if (!auxiliary) {
          counts.set(run, number);
          log.push(request);
          if (log.length > keep) log.shift();
        }
        const turn = turnFor(scenario, request);
        const reply = auxiliary ? aside(turn) : turn;
        send(response, turn, wireOf(reply, api, conversation, `${run}-${number}`));
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    at: (scenario, run) => `${url}/${encodeURIComponent(scenario)}/${run}`,
    requests: (run) => logs.get(run) ?? [],
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The answer to an auxiliary request; faults and broken connections apply to it too. */
const aside = (turn: Turn): Turn => {
  if (turn.kind === "fault" || turn.kind === "http") return turn;
  return { ...(turn.kind === "say" ? turn : {}), kind: "say", text: "A short title" };
};

function wireOf(turn: Turn, api: ProviderApi, asked: Conversation, id: string): WireResponse {
  if (turn.kind === "fault") {
    const { fault, retryAfter = RETRY_AFTER } = turn;
    const { status, body, headers } = FAULT_ANSWERS[api.name](fault, asked.model, retryAfter);
    return whole(body, status, headers);
  }
  if (turn.kind === "http")
    return { status: turn.status, headers: {}, opening: [turn.body], closing: [] };
  const usage = turn.kind === "say" ? (turn.usage ?? USAGE) : USAGE;
  const { model, stream } = asked;
  return api.reply({ id, model, stream, usage, ...contentOf(turn, asked) });
}

function contentOf(turn: Turn, { tools }: Conversation): Pick<Reply, "text" | "call"> {
  if (turn.kind === "say") return { text: turn.text };
  if (turn.kind !== "shell" && turn.kind !== "write") return { text: "This answer is cut" };
  const call =
    turn.kind === "shell" ? shellCall(tools, turn.command) : writeCall(tools, turn.path, turn.text);
  if (call === undefined) return { text: "There is no tool for that" };
  return { text: turn.kind === "shell" ? (turn.text ?? "") : "", call };
}

function send(
  response: ServerResponse,
  turn: Turn | { readonly kind: "whole" },
  wire: WireResponse,
): void {
  if (turn.kind === "silent") return;
  response.writeHead(wire.status, wire.headers);
  for (const piece of wire.opening) response.write(piece);
  if (turn.kind !== "broken") {
    for (const piece of wire.closing) response.write(piece);
    response.end();
  } else if (turn.how === "truncated") response.end();
  else if (turn.how === "reset") setTimeout(() => response.socket?.resetAndDestroy(), 50);
}

/** Requests outside the conversation: token counts, lists of models, greetings. */
function sideAnswer(path: string): WireResponse {
  if (path.endsWith("/count_tokens")) return whole({ input_tokens: USAGE.input });
  if (path.endsWith(":countTokens")) return whole({ totalTokens: USAGE.input });
  if (path.endsWith("/models")) return whole({ object: "list", data: [], models: [] });
  return whole({ error: { message: "no such path" } }, 404);
}

/** Each agent has its own names and arguments for its shell and file tools. */
const SHELL_TOOLS = ["Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command"];
const WRITE_TOOLS = ["Write", "write", "write_file"];
/** Codex can take calls in the form of a small program. */
const PROGRAM_TOOL = "exec";

const shellTool = (tools: readonly DeclaredTool[]): DeclaredTool | undefined =>
  tools.find(({ name }) => SHELL_TOOLS.includes(name)) ??
  tools.find(({ name, freeText }) => name === PROGRAM_TOOL && freeText === true);

const writeTool = (tools: readonly DeclaredTool[]): DeclaredTool | undefined =>
  tools.find(({ name }) => WRITE_TOOLS.includes(name));

function shellCall(tools: readonly DeclaredTool[], command: string): ToolCall | undefined {
  const tool = shellTool(tools);
  if (tool === undefined) return undefined;
  if (tool.freeText === true) {
    const program = `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} });`;
    return { tool, args: {}, input: `${program} text(JSON.stringify(r));` };
  }
  return { tool, args: filled(tool, { command, cmd: command }) };
}

function writeCall(
  tools: readonly DeclaredTool[],
  path: string,
  text: string,
): ToolCall | undefined {
  const tool = writeTool(tools);
  if (tool !== undefined)
    return { tool, args: filled(tool, { file_path: path, filePath: path, path, content: text }) };
  const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
  return shellCall(tools, `printf %s ${quoted(text)} > ${quoted(path)}`);
}

/** The given values that the tool's schema knows, and placeholders for other required arguments. */
function filled(tool: DeclaredTool, values: Fields): Fields {
  const properties = fields(tool.schema["properties"]);
  const args: Record<string, unknown> = {};
  for (const name of list(tool.schema["required"]).map(stringOf))
    args[name] = filler(stringOf(fields(properties[name])["type"]));
  for (const [name, value] of Object.entries(values)) if (name in properties) args[name] = value;
  return args;
}

function filler(type: string): unknown {
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 0;
  if (type === "array") return [];
  return type === "object" ? {} : "a step of the script";
}
