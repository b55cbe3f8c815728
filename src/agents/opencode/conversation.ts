/**
 * The conversation of one attempt with `opencode serve`. Its events are converted to the lines of `opencode run
 * --format json`, so that one reader handles both; the prompt and later messages go into one session. Invariants: only
 * the loopback address that the server itself printed is contacted, always with the attempt's password; answers are
 * bounded; nothing here throws or rejects; the attempt is ended once its turn is over, because the server would keep
 * running; after `close` no connection is left or made. There is no time limit here: the watchdog handles that.
 */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { Conversation, Reply } from "../agent.ts";
import { fieldsOf, parseFields, textOf, type Fields } from "../output/json.ts";
import { createLineSplitter } from "../output/lines.ts";
import { lineOf } from "./output.ts";

const ADDRESS = /\blistening on (http:\/\/127\.0\.0\.1:\d{1,5})\s/;
/** How much it may print before its address. */
const MAX_BEFORE = 64 * 1024;
/** How long the last events may take after its answer, or its end after a broken connection. */
const LAST_EVENTS_MS = 2000;

/** No one is there to be asked, as with `opencode run`. */
const UNATTENDED = ["question", "plan_enter", "plan_exit"].map((permission) => ({
  permission,
  action: "deny",
  pattern: "*",
}));

export function converse(request: AgentRequest, reply: (reply: Reply) => void): Conversation {
  let before: string | undefined = "";
  let session: ReturnType<typeof openSession> | undefined;
  return {
    opening: [],
    onLine: () => ({}),
    onText(text) {
      if (before === undefined) return;
      before = `${before}${text}`.slice(-MAX_BEFORE);
      const address = ADDRESS.exec(before)?.[1];
      if (address === undefined) return;
      before = undefined;
      session = openSession(request, address, reply);
    },
    steer: (text) => session?.steer(text) ?? false,
    stop: () => session?.stop(),
    close: () => session?.close(),
  };
}

function openSession(request: AgentRequest, address: string, reply: (reply: Reply) => void) {
  const wire = createWire(address, request);
  const turn = createTurn(() => reply({ end: true }));
  let session = "";
  let stopped = false;
  const fail = (error: unknown): void =>
    reply({ print: [{ type: "error", timestamp: Date.now(), error }], end: true });
  const onEvent = (event: Fields): void => {
    const about = fieldsOf(event["properties"]);
    if (event["type"] === "permission.asked") permit(wire, request, textOf(about["id"]));
    const line = lineOf(event, session, Date.now());
    if (line !== undefined) reply({ print: [line] });
    if (event["type"] === "session.status" && about["sessionID"] === session)
      turn.status(textOf(fieldsOf(about["status"])["type"]));
  };
  const work = async (): Promise<void> => {
    await wire.follow("/event", onEvent);
    const found = await sessionFor(wire, request.session);
    if ("error" in found) return fail(found.error);
    session = found.id;
    const said = await wire.post(`/session/${session}/message`, message(request, request.prompt));
    if (said.status >= 400) fail(errorIn(said));
    else turn.answered();
  };
  work().catch((error: unknown) => {
    const broke = `the connection to its server broke: ${(error as Error).message}`;
    if (!wire.closed()) turn.later(() => fail(unknownError(broke)));
  });
  return {
    steer(text: string): boolean {
      if (session === "" || stopped || turn.over() || wire.closed()) return false;
      tell(wire, `/session/${session}/prompt_async`, message(request, text));
      return true;
    },
    /** A signal is lost while it waits for a program of its own, so it is also told to abort. */
    stop(): void {
      if (!stopped && session !== "" && !turn.over()) tell(wire, `/session/${session}/abort`, {});
      stopped = true;
    },
    close(): void {
      turn.cancel();
      wire.close();
    },
  };
}

/** A turn is over once the prompt is answered and the session is idle, in either order. */
function createTurn(onOver: () => void) {
  let idle = false;
  let answered = false;
  let late: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (idle && answered) onOver();
  };
  const later = (act: () => void): void => {
    clearTimeout(late);
    late = setTimeout(act, LAST_EVENTS_MS);
  };
  return {
    /** Unless the turn is over first. */
    later,
    status(type: string): void {
      idle = type === "idle";
      look();
    },
    answered(): void {
      answered = true;
      later(onOver);
      look();
    },
    over: () => idle && answered,
    cancel: () => clearTimeout(late),
  };
}

async function sessionFor(
  wire: Wire,
  asked: string | undefined,
): Promise<{ readonly id: string } | { readonly error: unknown }> {
  if (asked !== undefined) {
    const { status } = await wire.get(`/session/${encodeURIComponent(asked)}`);
    if (status < 400) return { id: asked };
    return { error: { name: "NotFoundError", data: { message: "Session not found" } } };
  }
  const made = await wire.post("/session", { permission: UNATTENDED });
  const id = textOf(parseFields(made.text)?.["id"]);
  return id === "" ? { error: errorIn(made) } : { id };
}

function permit(wire: Wire, { permissions }: AgentRequest, id: string): void {
  const reply = permissions === "full" ? "once" : "reject";
  tell(wire, `/permission/${encodeURIComponent(id)}/reply`, { reply });
}

/** The effect shows in the events. */
const tell = (wire: Wire, path: string, body: unknown): void =>
  void wire.post(path, body).catch(() => undefined);

function message({ model, thinking }: AgentRequest, text: string): unknown {
  const [providerID = "", ...rest] = (model ?? "").split("/");
  return {
    ...(model === undefined ? {} : { model: { providerID, modelID: rest.join("/") } }),
    ...(thinking === true ? { variant: "high" } : {}),
    parts: [{ type: "text", text }],
  };
}

const unknownError = (text: string): unknown => ({ name: "UnknownError", data: { message: text } });

/** The server's own error if there is one. */
function errorIn({ status, text }: Answer): unknown {
  const body = parseFields(text);
  if (body?.["data"] !== undefined) return body;
  return unknownError(`its server answered ${status}: ${text.slice(0, 2000)}`);
}

interface Answer {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
}

type Wire = ReturnType<typeof createWire>;

const MAX_ANSWER = 256 * 1024;
const DATA = "data:";

/** HTTP with the server of one attempt. */
function createWire(address: string, { env }: AgentRequest) {
  const { OPENCODE_SERVER_USERNAME: user = "opencode", OPENCODE_SERVER_PASSWORD: password = "" } =
    env;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const open = new Set<ClientRequest>();
  let closed = false;
  const send = (method: string, path: string, body?: unknown): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (closed) throw new Error("the attempt is over");
      const headers = { authorization, "content-type": "application/json" };
      // Not imported: loading it takes longer than everything else at the start of another agent's run.
      const { request } = process.getBuiltinModule("node:http");
      const sent = request(`${address}${path}`, { method, headers, agent: false }, resolve);
      open.add(sent);
      sent.on("error", reject);
      sent.on("close", () => open.delete(sent));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    get: async (path: string) => read(await send("GET", path)),
    post: async (path: string, body: unknown) => read(await send("POST", path, body)),
    /** Settles once the event stream has started. */
    async follow(path: string, onEvent: (event: Fields) => void): Promise<void> {
      const stream = await send("GET", path);
      if (stream.statusCode !== 200) throw new Error(`${path} answered ${stream.statusCode}`);
      const lines = createLineSplitter();
      stream.on("error", () => undefined);
      stream.on("data", (chunk: Buffer) => {
        for (const line of lines.push(chunk)) {
          const event = line?.startsWith(DATA) === true && parseFields(line.slice(DATA.length));
          if (event) onEvent(event);
        }
      });
    },
    closed: () => closed,
    close(): void {
      closed = true;
      for (const sent of open) sent.destroy();
    },
  };
}

async function read(answer: IncomingMessage): Promise<Answer> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8"))
    if (text.length < MAX_ANSWER) text += chunk as string;
  return { status: answer.statusCode ?? 0, text };
}
