/**
 * The client half of the Agent Client Protocol, on the protocol's own SDK. It offers no files and no terminals, so the
 * agent makes every change itself, in the worktree. A call that would be refused waits while a person is asked.
 * Steering cancels the turn and continues in the same session with the new message. Invariants: never throws or
 * rejects, whatever the agent sends; the connection is hung up exactly when nothing is left to ask.
 */
import {
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type Stream,
} from "@agentclientprotocol/sdk";
import { distinctRefusals, type Refusal } from "../../core/agent-words/refusal.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { Conversation, Reply } from "../agent.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../output/json.ts";
import { wordsIn } from "./error-data.ts";
import { ACP_OPTIONAL } from "./output.ts";
import {
  answerOnYes,
  CANCELLED,
  createKnownCalls,
  isRefused,
  permissionAnswer,
  refusedCall,
  wasForbidden,
  type KnownCall,
  destructionBy,
} from "./permission.ts";
import { settingsOf } from "./session-settings.ts";

const UNKNOWN_METHOD = -32_601;
const MAX_ASKED = 1000;
const MAX_ID = 1000;
const OPTIONAL = /^session\/set_/;

export function converse(request: AgentRequest, reply: (reply: Reply) => void): Conversation {
  const calls = createKnownCalls();
  const waits = createWaits();
  const asked = new Set<string>();
  let refused: readonly Refusal[] = [];
  let unsafe: ReturnType<typeof destructionBy>;
  const messages = createMessageStream((message) => reply({ send: [message] }));
  const connection = client({ name: "unstuck" })
    .onRequest(methods.client.session.requestPermission, fieldsOf, async ({ params }) => {
      const call = fieldsOf(params["toolCall"]);
      const id = textOf(call["toolCallId"]);
      if (asked.size < MAX_ASKED && id.length <= MAX_ID) asked.add(id);
      const whole = calls.whole(call);
      const options = listOf(params["options"]);
      const usual = permissionAnswer(whole, options, request);
      if (!isRefused(whole, request)) return usual;
      const yes = answerOnYes(whole, options, request);
      const said =
        yes === undefined ? false : await waits.until(request.askPermission?.(refusedCall(whole)));
      if (said === true && yes !== undefined) return yes;
      refused = distinctRefusals([...refused, refusedCall(whole)]);
      unsafe ??= destructionBy(whole, request);
      return said === "cancelled" ? CANCELLED : usual;
    })
    .onRequest("*", () => {
      throw new RequestError(UNKNOWN_METHOD, "not offered");
    })
    .connect(messages.stream);
  const turns = createTurns(connection.agent);
  const warnings: string[] = [];
  let unasked: KnownCall | undefined;

  const work = async (): Promise<void> => {
    const { session, opened } = await openSession(connection.agent, request);
    const settings = settingsOf(request, opened);
    warnings.push(...settings.warnings);
    for (const { method, params, refused } of settings.set)
      await connection.agent
        .request<unknown, Fields>(method, { ...params, sessionId: session })
        .catch((error: unknown) => {
          if (refused !== undefined) warnings.push(`${refused}: ${wordsOf(error)}`);
        });
    await turns.take(session, request.prompt);
  };
  void work()
    .catch(() => undefined)
    .then(() => reply({ hangUp: true }));

  return {
    opening: [],
    onLine(line) {
      const ended = calls.take(line);
      if (ended !== undefined && !asked.delete(ended.id) && wasForbidden(ended.call, request))
        unasked ??= ended.call;
      messages.take(line);
      return {};
    },
    steer(text) {
      const hears = turns.steer(text);
      if (hears) waits.cancel();
      return hears;
    },
    refusals: () => refused,
    warnings: () => [...warnings, ...(unasked === undefined ? [] : [unaskedWarning(unasked)])],
    unsafe: () => unsafe && `${cleanLine(unsafe.command, 160)}, which ${unsafe.why}`,
    close() {
      messages.close();
      connection.close();
    },
  };
}

/**
 * Answers awaited from a person. A cancelled turn waits for none: the protocol wants its requests answered "cancelled".
 */
function createWaits() {
  let turn = Promise.withResolvers<"cancelled">();
  return {
    until: (answer: Promise<boolean> | undefined): Promise<boolean | "cancelled"> =>
      answer === undefined ? Promise.resolve(false) : Promise.race([answer, turn.promise]),
    cancel(): void {
      turn.resolve("cancelled");
      turn = Promise.withResolvers();
    },
  };
}

const unaskedWarning = ({ command, title }: KnownCall): string =>
  `the agent acts without asking, as its own configuration lets it: ${cleanLine(textOf(command) || title, 160)}`;

function wordsOf(error: unknown): string {
  const { message, data } = fieldsOf(error);
  return cleanLine([textOf(message), ...wordsIn(data)].join(" "), 160);
}

/** A session is resumed but never loaded: loading would replay it, and not every agent marks where the replay ends. */
async function openSession(
  agent: ClientContext,
  request: AgentRequest,
): Promise<{ session: string; opened: Fields }> {
  const initialized = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "unstuck", title: "Unstuck", version: "1" },
  });
  const capabilities = fieldsOf(fieldsOf(initialized)["agentCapabilities"]);
  const { resume } = fieldsOf(capabilities["sessionCapabilities"]);
  const { cwd, session } = request;
  const common = { cwd, mcpServers: [] };
  if (session !== undefined && resume !== undefined && resume !== null) {
    const resumed = { ...common, sessionId: session };
    const opened = fieldsOf(await agent.request(methods.agent.session.resume, resumed));
    return { session: textOf(opened["sessionId"]) || session, opened };
  }
  const opened = fieldsOf(await agent.request(methods.agent.session.new, common));
  return { session: textOf(opened["sessionId"]), opened };
}

function createTurns(agent: ClientContext) {
  let running: string | undefined;
  let next: string | undefined;
  return {
    /** Runs turns until one has ended and no more messages are queued. */
    async take(session: string, prompt: string): Promise<void> {
      running = session;
      for (let words: string | undefined = prompt; words !== undefined; words = next) {
        next = undefined;
        await agent
          .request(methods.agent.session.prompt, {
            sessionId: session,
            prompt: [{ type: "text", text: words }],
          })
          .catch(() => undefined);
      }
      running = undefined;
    },
    /** False if no turn is running. */
    steer(words: string): boolean {
      if (running === undefined) return false;
      next = next === undefined ? words : `${next}\n\n${words}`;
      agent.notify(methods.agent.session.cancel, { sessionId: running }).catch(() => undefined);
      return true;
    },
  };
}

type Message = Stream["readable"] extends ReadableStream<infer M> ? M : never;

const MAX_WAITING = 1000;
/** Beyond this many requests, the agent is not asking but flooding. */
const MAX_SERVED = 100_000;

/**
 * The message stream of the SDK's connection. Agents deviate in small ways that the SDK rejects or prints to the
 * terminal: messages are normalised here, and those that only the report reads (notifications, unrequested answers) are
 * left out. Queued messages and answered requests are bounded.
 */
function createMessageStream(say: (message: unknown) => void) {
  const asked = new Map<string, unknown>();
  let inlet: ReadableStreamDefaultController<Message> | undefined;
  let served = 0;
  const give = (message: Fields): void =>
    inlet?.enqueue({ jsonrpc: "2.0", ...message } as unknown as Message);
  const stream: Stream = {
    readable: new ReadableStream<Message>(
      {
        start: (controller) => void (inlet = controller),
        cancel: () => void (inlet = undefined),
      },
      { highWaterMark: MAX_WAITING },
    ),
    writable: new WritableStream<Message>({
      write(message) {
        const { id, method } = message as Fields;
        if (typeof method !== "string" || id === undefined) return say(message);
        const name = OPTIONAL.test(method) ? `${ACP_OPTIONAL}${Number(id)}` : Number(id);
        asked.set(String(name), id);
        say({ ...message, id: name });
      },
    }),
  };
  return {
    stream,
    take(line: Fields): void {
      const { id, method, params } = line;
      if (typeof id !== "number" && !(typeof id === "string" && id.length <= MAX_ID)) return;
      const name = String(id);
      if (typeof method === "string") {
        served += 1;
        if (served <= MAX_SERVED && (inlet?.desiredSize ?? 0) > 0) give({ id, method, params });
      } else if (asked.has(name)) {
        give({ id: asked.get(name), ...outcomeOf(line) });
        asked.delete(name);
      }
    },
    close(): void {
      inlet?.close();
      inlet = undefined;
    },
  };
}

/** Either a result or an error, whatever other fields there are. */
function outcomeOf({ error, result }: Fields): Fields {
  if (error === undefined || error === null) return { result: result ?? {} };
  const { code, message, data } = fieldsOf(error);
  const text = textOf(message) || textOf(error);
  return { error: { code: Number.isInteger(code) ? code : 0, message: text, data } };
}
