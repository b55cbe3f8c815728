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
import { chat } from "./chat.ts";
import type { Conversation, Dialect, Reply } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { fields } from "./json.ts";
import type { Fields } from "./json.ts";
import { responses } from "./responses.ts";
import { turnFor } from "./scenario.ts";
import type { ModelRequest, Scenario, Turn } from "./scenario.ts";
import { canWork, shellCall, writeCall } from "./tool-calls.ts";
import { whole } from "./wire.ts";
import type { Wire } from "./wire.ts";

export interface ModelServer {
  readonly url: string;
  /** The base URL of one run; agents add `/v1/...` or `/v1beta/...` to it. */
  at(scenario: string, run: string): string;
  /** The run's requests so far, without auxiliary ones, oldest first. */
  requests(run: string): readonly ModelRequest[];
  close(): Promise<void>;
}

const DIALECTS: readonly {
  readonly name: ModelRequest["dialect"];
  readonly dialect: Dialect;
  readonly path: RegExp;
}[] = [
  { name: "anthropic", dialect: anthropic, path: /\/messages$/ },
  { name: "responses", dialect: responses, path: /\/responses$/ },
  { name: "chat", dialect: chat, path: /\/chat\/completions$/ },
  { name: "gemini", dialect: gemini, path: /:(?:generateContent|streamGenerateContent)$/ },
];

const USAGE = { input: 1000, output: 20 };
const RETRY_AFTER = 1;

export async function startModelServer(
  scenarios: Readonly<Record<string, Scenario>>,
): Promise<ModelServer> {
  const logs = new Map<string, ModelRequest[]>();
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const { pathname } = new URL(incoming.url ?? "/", "http://127.0.0.1");
      const [, scenarioName = "", run = "", path = ""] =
        /^\/([^/]{1,100})\/([^/]{1,100})(\/.*)$/.exec(pathname) ?? [];
      const scenario = scenarios[decodeURIComponent(scenarioName)];
      const found = DIALECTS.find((each) => each.path.test(path));
      if (incoming.method !== "POST" || scenario === undefined || found === undefined)
        return send(response, { kind: "whole" }, sideAnswer(path));
      const log = logs.get(run) ?? [];
      logs.set(run, log);
      const conversation = found.dialect.read(body, path);
      const request = requestOf(found.name, conversation, body, log.length + 1);
      if (!request.auxiliary) log.push(request);
      const turn = turnFor(scenario, request);
      const id = `${run}-${request.number}`;
      send(response, turn, wireOf(turn, found.dialect, conversation, id));
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
  dialect: ModelRequest["dialect"],
  { model, user, results, tools }: Conversation,
  body: Fields,
  number: number,
): ModelRequest {
  const auxiliary = !canWork(tools);
  return { number, at: Date.now(), dialect, model, auxiliary, user, results, body };
}

function wireOf(turn: Turn, dialect: Dialect, asked: Conversation, id: string): Wire {
  if (turn.kind === "fault")
    return dialect.fault(turn.fault, asked.model, turn.retryAfter ?? RETRY_AFTER);
  if (turn.kind === "http")
    return { status: turn.status, headers: {}, opening: [turn.body], closing: [] };
  const usage = turn.kind === "say" ? (turn.usage ?? USAGE) : USAGE;
  const { model, stream } = asked;
  return dialect.reply({ id, model, stream, usage, ...contentOf(turn, asked) });
}

function contentOf(turn: Turn, { tools }: Conversation): Pick<Reply, "text" | "call"> {
  if (!canWork(tools)) return { text: "A short title" };
  if (turn.kind === "say") return { text: turn.text };
  if (turn.kind !== "shell" && turn.kind !== "write") return { text: "This answer is cut" };
  const call =
    turn.kind === "shell" ? shellCall(tools, turn.command) : writeCall(tools, turn.path, turn.text);
  if (call === undefined) return { text: "There is no tool for that" };
  return { text: turn.kind === "shell" ? (turn.text ?? "") : "", call };
}

function send(response: ServerResponse, turn: Turn | { readonly kind: "whole" }, wire: Wire): void {
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
function sideAnswer(path: string): Wire {
  if (path.endsWith("/count_tokens")) return whole({ input_tokens: USAGE.input });
  if (path.endsWith(":countTokens")) return whole({ totalTokens: USAGE.input });
  if (path.endsWith("/models")) return whole({ object: "list", data: [], models: [] });
  return whole({ error: { message: "no such path" } }, 404);
}
