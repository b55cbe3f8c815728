/**
 * The scripted model server: what real agents talk to in tests, in place of a provider. A base URL names scenario
 * and run, `<url>/<scenario>/<run>`, so that tests share one server and each run has its own count and log.
 * Invariants: it listens on loopback only; `close` ends every open connection, silent ones too.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat, responses } from "./openai.ts";
import type { Conversation, ProviderApi, Fields, Reply, WireResponse } from "./provider-api.ts";
import { gemini } from "./gemini.ts";
import { fields, whole } from "./provider-api.ts";
import { turnFor } from "./scenario.ts";
import type { ModelRequest, Scenario, Turn } from "./scenario.ts";
import { canWork, shellCall, writeCall } from "./tool-calls.ts";

export interface ModelServer {
  readonly url: string;
  /** The base URL of one run; agents add `/v1/...` or `/v1beta/...` to it. */
  at(scenario: string, run: string): string;
  /** The run's requests so far, without auxiliary ones, oldest first. */
  requests(run: string): readonly ModelRequest[];
  close(): Promise<void>;
}

const APIS: readonly {
  readonly name: ModelRequest["api"];
  readonly api: ProviderApi;
  readonly path: RegExp;
}[] = [
  { name: "anthropic", api: anthropic, path: /\/messages$/ },
  { name: "responses", api: responses, path: /\/responses$/ },
  { name: "chat", api: chat, path: /\/chat\/completions$/ },
  { name: "gemini", api: gemini, path: /:(?:generateContent|streamGenerateContent)$/ },
];

const USAGE = { input: 1000, output: 20 };
const RETRY_AFTER = 1;

export interface ModelServerOptions {
  /**
   * Agents make requests beside their work: titles, summaries. With this, one that declares no tool for shell or files
   * is answered with a short text and not counted.
   */
  readonly forAgents?: boolean;
}

/**
 * Starts a server that speaks the APIs of OpenAI (chat completions, responses), Anthropic and Gemini on loopback, and
 * answers from the scenarios.
 *
 * @example
 * const server = await startModelServer({ flaky: { by: "request", turns: [fault("overloaded"), say("done")] } });
 * await agent({ baseURL: `${server.at("flaky", "run-1")}/v1` });
 * await server.close();
 */
export async function startModelServer(
  scenarios: Readonly<Record<string, Scenario>>,
  { forAgents = false }: ModelServerOptions = {},
): Promise<ModelServer> {
  const logs = new Map<string, ModelRequest[]>();
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const { pathname } = new URL(incoming.url ?? "/", "http://127.0.0.1");
      const [, scenarioName = "", run = "", path = ""] =
        /^\/([^/]{1,100})\/([^/]{1,100})(\/.*)$/.exec(pathname) ?? [];
      const scenario = scenarios[decodeURIComponent(scenarioName)];
      const found = APIS.find((each) => each.path.test(path));
      if (incoming.method !== "POST" || scenario === undefined || found === undefined)
        return send(response, { kind: "whole" }, sideAnswer(path));
      const log = logs.get(run) ?? [];
      logs.set(run, log);
      const conversation = found.api.read(body, path);
      const request = requestOf(found.name, conversation, body, {
        number: log.length + 1,
        auxiliary: forAgents && !canWork(conversation.tools),
      });
      if (!request.auxiliary) log.push(request);
      const turn = turnFor(scenario, request);
      const id = `${run}-${request.number}`;
      const reply = request.auxiliary ? aside(turn) : turn;
      send(response, turn, wireOf(reply, found.api, conversation, id));
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

async function bodyOf(incoming: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return fields(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    return {};
  }
}

function requestOf(
  api: ModelRequest["api"],
  { model, user, results }: Conversation,
  body: Fields,
  { number, auxiliary }: Pick<ModelRequest, "number" | "auxiliary">,
): ModelRequest {
  return { number, at: Date.now(), api, model, auxiliary, user, results, body };
}

/** What an agent is told beside its work; errors and broken connections are the same everywhere. */
const aside = (turn: Turn): Turn => {
  if (turn.kind === "fault" || turn.kind === "http") return turn;
  return { ...(turn.kind === "say" ? turn : {}), kind: "say", text: "A short title" };
};

function wireOf(turn: Turn, api: ProviderApi, asked: Conversation, id: string): WireResponse {
  if (turn.kind === "fault")
    return api.fault(turn.fault, asked.model, turn.retryAfter ?? RETRY_AFTER);
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

/** Requests beside the conversation: token counts, lists of models, greetings. */
function sideAnswer(path: string): WireResponse {
  if (path.endsWith("/count_tokens")) return whole({ input_tokens: USAGE.input });
  if (path.endsWith(":countTokens")) return whole({ totalTokens: USAGE.input });
  if (path.endsWith("/models")) return whole({ object: "list", data: [], models: [] });
  return whole({ error: { message: "no such path" } }, 404);
}
