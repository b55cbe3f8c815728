/**
 * One attempt's conversation with `opencode serve`: its events become the lines of `opencode run --format json`, so
 * that one reader reads both; the prompt and what is said while it works go into one session. Invariants: only the
 * loopback address that the server itself printed is asked; nothing here throws or rejects; the attempt is ended
 * once its turn is over, because the server would stay.
 */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import { fieldsOf, parseFields, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import type { Conversation, Reply } from "../agent.ts";
import { createWire } from "./wire.ts";
import type { Answer, Wire } from "./wire.ts";

const ADDRESS = /\blistening on (http:\/\/127\.0\.0\.1:\d{1,5})\s/;
/** How much it may print before its address. */
const MAX_BEFORE = 64 * 1024;
/** After its answer the last events may still be on their way; after a broken line, its end. */
const LAST_EVENTS_MS = 2000;

/** Nobody is there to be asked, as with `opencode run`. */
const UNATTENDED = ["question", "plan_enter", "plan_exit"].map((permission) => ({
  permission,
  action: "deny",
  pattern: "*",
}));

export function converse(request: AgentRequest, reply: (reply: Reply) => void): Conversation {
  let before: string | undefined = "";
  let session: Session | undefined;
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

/** With the server, once its address is known. */
interface Session {
  steer(text: string): boolean;
  /** A signal that comes while it waits for a program of its own is lost: it is told, too. */
  stop(): void;
  close(): void;
}

function openSession(
  request: AgentRequest,
  address: string,
  reply: (reply: Reply) => void,
): Session {
  const { OPENCODE_SERVER_USERNAME: user = "opencode", OPENCODE_SERVER_PASSWORD: password = "" } =
    request.env;
  const wire = createWire(address, { user, password });
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
    const place = await sessionFor(wire, request.session);
    if (!place.ok) return fail(place.error);
    session = place.id;
    const said = await wire.post(`/session/${session}/message`, message(request, request.prompt));
    if (said.status >= 400) fail(errorIn(said));
    else turn.answered();
  };
  work().catch((error: unknown) => {
    const broke = `the connection to its server broke: ${(error as Error).message}`;
    if (!wire.closed()) turn.later(() => fail(unknownError(broke)));
  });
  return {
    steer(text) {
      if (session === "" || stopped || turn.over() || wire.closed()) return false;
      tell(wire, `/session/${session}/prompt_async`, message(request, text));
      return true;
    },
    stop() {
      if (!stopped && session !== "" && !turn.over()) tell(wire, `/session/${session}/abort`, {});
      stopped = true;
    },
    close() {
      turn.cancel();
      wire.close();
    },
  };
}

interface TurnEnd {
  status(type: string): void;
  answered(): void;
  /** Unless it is over before. */
  later(act: () => void): void;
  over(): boolean;
  cancel(): void;
}

/** Over when the prompt is answered and the session idle, whichever comes last. */
function createTurn(onOver: () => void): TurnEnd {
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
    later,
    status(type) {
      idle = type === "idle";
      look();
    },
    answered() {
      answered = true;
      later(onOver);
      look();
    },
    over: () => idle && answered,
    cancel: () => clearTimeout(late),
  };
}

type Place =
  { readonly ok: true; readonly id: string } | { readonly ok: false; readonly error: unknown };

async function sessionFor(wire: Wire, asked: string | undefined): Promise<Place> {
  if (asked !== undefined) {
    const { status } = await wire.get(`/session/${encodeURIComponent(asked)}`);
    if (status < 400) return { ok: true, id: asked };
    return { ok: false, error: { name: "NotFoundError", data: { message: "Session not found" } } };
  }
  const made = await wire.post("/session", { permission: UNATTENDED });
  const id = textOf(parseFields(made.text)?.["id"]);
  return id === "" ? { ok: false, error: errorIn(made) } : { ok: true, id };
}

function permit(wire: Wire, { permissions }: AgentRequest, id: string): void {
  const reply = permissions === "full" ? "once" : "reject";
  tell(wire, `/permission/${encodeURIComponent(id)}/reply`, { reply });
}

/** What comes of it is seen in the events. */
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

/** Its own error where it is one. */
function errorIn({ status, text }: Answer): unknown {
  const body = parseFields(text);
  if (body?.["data"] !== undefined) return body;
  return unknownError(`its server answered ${status}: ${text.slice(0, 2000)}`);
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ["step-start", "step_start"],
  ["step-finish", "step_finish"],
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool", "tool_use"],
]);

/** What it says of a turn that it was told to end. */
const ABORTED = "MessageAbortedError";

/** Nothing for an event that is no line. `at`: when it came. */
export function lineOf(event: Fields, sessionID: string, at: number): Fields | undefined {
  const about = fieldsOf(event["properties"]);
  const part = fieldsOf(about["part"]);
  if (textOf(about["sessionID"] ?? part["sessionID"]) !== sessionID) return undefined;
  const line = (type: string, more: Fields): Fields => ({
    type,
    timestamp: at,
    sessionID,
    ...more,
  });
  switch (event["type"]) {
    case "message.part.updated": {
      const type = PARTS.get(textOf(part["type"]));
      return type !== undefined && isOver(part) ? line(type, { part }) : undefined;
    }
    case "session.error": {
      const { error } = about;
      const none = error === undefined || fieldsOf(error)["name"] === ABORTED;
      return none ? undefined : line("error", { error });
    }
    case "session.compacted":
      return line("compaction", {});
    case "session.status": {
      const { type, ...retry } = fieldsOf(about["status"]);
      return type === "retry" ? line("retry", retry) : undefined;
    }
    case "permission.asked": {
      const { permission, patterns } = about;
      return line("permission", { permission, patterns });
    }
    default:
      return undefined;
  }
}

/** Parts come again with every change; what a user said is over without an end, or made up. */
function isOver({ type, state, time, synthetic }: Fields): boolean {
  if (synthetic === true) return false;
  if (type === "tool") return ["completed", "error"].includes(textOf(fieldsOf(state)["status"]));
  if (type === "text" || type === "reasoning") return fieldsOf(time)["end"] !== undefined;
  return true;
}
