// proves: U3, U14
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import type { Conversation, Reply } from "../../../src/agents/agent.ts";
import { converse } from "../../../src/agents/opencode/conversation.ts";
import { lineOf } from "../../../src/agents/opencode/output.ts";
import type { Fields } from "../../../src/agents/output/json.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import { opencode, readReport } from "../output/events.ts";

const ID = "ses_1";
const part = (fields: Fields): Fields => ({
  type: "message.part.updated",
  properties: { sessionID: ID, part: { sessionID: ID, ...fields } },
});
const about = (type: string, properties: Fields): Fields => ({
  type,
  properties: { sessionID: ID, ...properties },
});

test("an event of the session is the line that `opencode run` prints for it, all others are none", () => {
  const rows: readonly (readonly [Fields, string | undefined])[] = [
    [part({ type: "step-start" }), "step_start"],
    [part({ type: "step-finish", reason: "stop" }), "step_finish"],
    [part({ type: "text", text: "so far", time: { start: 1 } }), undefined],
    [part({ type: "text", text: "all", time: { start: 1, end: 2 } }), "text"],
    [part({ type: "text", text: "made up", synthetic: true, time: { end: 2 } }), undefined],
    [part({ type: "reasoning", text: "hm", time: { end: 2 } }), "reasoning"],
    [part({ type: "tool", state: { status: "running" } }), undefined],
    [part({ type: "tool", state: { status: "completed" } }), "tool_use"],
    [part({ type: "tool", state: { status: "error" } }), "tool_use"],
    [part({ type: "snapshot" }), undefined],
    [about("session.error", { error: { name: "APIError" } }), "error"],
    [about("session.error", { error: { name: "MessageAbortedError" } }), undefined],
    [about("session.error", {}), undefined],
    [about("session.compacted", {}), "compaction"],
    [about("session.status", { status: { type: "busy" } }), undefined],
    [about("session.status", { status: { type: "retry", attempt: 1, next: 9 } }), "retry"],
    [about("permission.asked", { permission: "bash", patterns: ["rm x"] }), "permission"],
    [about("session.updated", {}), undefined],
  ];
  for (const [event, type] of rows) {
    const line = lineOf(event, ID, 7);
    assert.equal(line?.["type"], type, JSON.stringify(event));
    if (line !== undefined) assert.deepEqual([line["sessionID"], line["timestamp"]], [ID, 7]);
    assert.equal(lineOf(event, "ses_of_a_subagent", 7), undefined);
  }
  assert.equal(lineOf(rows[15]![0], ID, 7)?.["next"], 9);
});

test("whatever the server sends, no line is made by throwing", () => {
  const event = fc.record({ type: fc.jsonValue(), properties: fc.jsonValue() });
  fc.assert(
    fc.property(event, (sent) => {
      lineOf(sent, ID, 0);
    }),
  );
});

interface Asked {
  readonly line: string;
  readonly auth: string | undefined;
  readonly body: Fields;
}

interface Place {
  readonly talk: Conversation;
  readonly asked: readonly Asked[];
  readonly replies: readonly Reply[];
  emit(event: Fields): void;
  /** Answers the prompt. */
  finish(status?: number, body?: unknown): void;
  connections(): number;
}

const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "the task",
  model: "maker/large/model",
  thinking: true,
  cwd: "/w",
  folder: "/f",
  env: { OPENCODE_SERVER_PASSWORD: "pass" },
  limits: {},
};

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 500, `not within 5 s: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function withServer(
  more: Partial<AgentRequest>,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const replies: Reply[] = [];
  let events: ServerResponse | undefined;
  let prompt: ServerResponse | undefined;
  const answer = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  const route = (line: string, response: ServerResponse): void => {
    if (line === "GET /event") {
      events = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"type":"server.connected","properties":{}}\n\n');
    } else if (line === `POST /session/${ID}/message`) prompt = response;
    else if (line === "GET /session/gone") answer(response, 404, { name: "NotFoundError" });
    else answer(response, 200, { id: ID });
  };
  const server = createServer((request: IncomingMessage, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const line = `${request.method} ${request.url}`;
      const sent = text === "" ? {} : (JSON.parse(text) as Fields);
      asked.push({ line, auth: request.headers.authorization, body: sent });
      route(line, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const talk = converse({ ...REQUEST, ...more }, (reply) => void replies.push(reply));
  try {
    talk.onText?.("Warning: something\nopencode server liste");
    talk.onText?.(`ning on http://127.0.0.1:${port}\n`);
    let open = 0;
    server.on("connection", (socket) => {
      open += 1;
      socket.on("close", () => (open -= 1));
    });
    await body({
      talk,
      asked,
      replies,
      emit: (event) => void events?.write(`data: ${JSON.stringify(event)}\n\n`),
      finish: (status = 200, value = {}) => prompt && answer(prompt, status, value),
      connections: () => open,
    });
  } finally {
    talk.close?.();
    server.closeAllConnections();
    server.close();
  }
}

const lines = ({ asked }: Place): readonly string[] => asked.map(({ line }) => line);
const heard = ({ replies }: Place): readonly Fields[] =>
  replies.flatMap((reply) => (reply.print ?? []) as readonly Fields[]);
const ended = ({ replies }: Place): boolean => replies.some(({ end }) => end === true);
const prompted = (place: Place): Promise<void> =>
  until("the prompt is there", () => lines(place).includes(`POST /session/${ID}/message`));
const IDLE = about("session.status", { status: { type: "idle" } });

test("the prompt goes into a session where nobody is asked, with model, thinking and password", () =>
  withServer({}, async (place) => {
    await prompted(place);
    assert.deepEqual(lines(place), ["GET /event", "POST /session", `POST /session/${ID}/message`]);
    const auth = `Basic ${Buffer.from("opencode:pass").toString("base64")}`;
    assert.ok(place.asked.every((request) => request.auth === auth));
    assert.match(JSON.stringify(place.asked[1]?.body), /"question","action":"deny"/);
    assert.deepEqual(place.asked[2]?.body, {
      model: { providerID: "maker", modelID: "large/model" },
      variant: "high",
      parts: [{ type: "text", text: "the task" }],
    });
  }));

test("what is said while it works goes into the same session with the same model, not before, not after", () =>
  withServer({}, async (place) => {
    assert.equal(place.talk.steer?.("too early"), false);
    await prompted(place);
    assert.equal(place.talk.steer?.("look again"), true);
    const path = `POST /session/${ID}/prompt_async`;
    await until("the words are there", () => lines(place).includes(path));
    const { model, parts } = place.asked.at(-1)?.body ?? {};
    assert.deepEqual(model, { providerID: "maker", modelID: "large/model" });
    assert.deepEqual(parts, [{ type: "text", text: "look again" }]);
    place.emit(IDLE);
    place.finish();
    await until("the turn is over", () => ended(place));
    assert.equal(place.talk.steer?.("too late"), false);
  }));

test("the turn is over when the prompt is answered and the session idle, not before", () =>
  withServer({}, async (place) => {
    await prompted(place);
    place.emit(IDLE);
    place.emit(part({ type: "text", text: "hello", time: { end: 1 } }));
    await until("the text is heard", () => heard(place).length === 1);
    assert.equal(ended(place), false);
    place.finish();
    await until("the turn is over", () => ended(place));
    place.talk.close?.();
    await until("no connection is left", () => place.connections() === 0);
  }));

test("events that come after the answer are heard before the end", () =>
  withServer({}, async (place) => {
    await prompted(place);
    place.finish();
    await new Promise((done) => setTimeout(done, 100));
    place.emit(part({ type: "text", text: "hello", time: { end: 1 } }));
    place.emit(IDLE);
    await until("the turn is over", () => ended(place));
    assert.deepEqual(
      place.replies.map(({ end }) => end === true),
      [false, true],
    );
  }));

test("a permission is refused, or given once where the user has lifted the gate", async () => {
  for (const [permissions, reply] of [
    ["edit", "reject"],
    ["full", "once"],
  ] as const)
    await withServer({ permissions }, async (place) => {
      await prompted(place);
      place.emit(about("permission.asked", { id: "per_1", permission: "bash", patterns: ["x"] }));
      await until("it is answered", () => lines(place).includes("POST /permission/per_1/reply"));
      assert.deepEqual(place.asked.at(-1)?.body, { reply });
      assert.equal(heard(place)[0]?.["type"], "permission");
    });
});

test("a session that is gone, a refused prompt and a broken line are errors that end the attempt", async () => {
  await withServer({ session: "gone" }, async (place) => {
    await until("it is ended", () => ended(place));
    assert.match(JSON.stringify(heard(place)), /Session not found/);
  });
  await withServer({}, async (place) => {
    await prompted(place);
    place.finish(400, { name: "ModelNotFoundError", data: { message: "no such model" } });
    await until("it is ended", () => ended(place));
    assert.match(JSON.stringify(heard(place)), /ModelNotFoundError/);
  });
  const replies: Reply[] = [];
  const talk = converse(REQUEST, (reply) => void replies.push(reply));
  talk.onText?.("opencode server listening on http://127.0.0.1:1\n");
  await until("it is ended", () => replies.some(({ end }) => end === true));
  assert.match(JSON.stringify(replies), /the connection to its server broke/);
});

test("a stop is told to the session once, and a talk that never began can be stopped and closed", () =>
  withServer({}, async (place) => {
    await prompted(place);
    place.talk.stop?.();
    place.talk.stop?.();
    const path = `POST /session/${ID}/abort`;
    await until("it is told", () => lines(place).includes(path));
    assert.equal(place.talk.steer?.("go on"), false);
    assert.equal(lines(place).filter((line) => line === path).length, 1);
    const unborn = converse(REQUEST, () => assert.fail("nothing is heard"));
    unborn.onText?.("listening on http://10.0.0.1:80\nlistening on http://127.0.0.1.evil:80\n");
    unborn.stop?.();
    unborn.close?.();
    assert.equal(unborn.steer?.("x"), false);
  }));

test("a long pause of its own is the provider's wait, a compaction no end, a refusal a warning", () => {
  const end = { kind: "killed", reason: "settled", detail: "", with: "SIGINT" } as const;
  const limited = readReport("opencode", [opencode.retry(300_000, "usage limit")], { end });
  assert.deepEqual(
    [limited.report.error?.retryAfter, limited.report.error?.origin],
    ["300", "provider"],
  );
  const summed = [opencode.call, opencode.text("Summary"), opencode.finish("stop")];
  assert.equal(readReport("opencode", summed).report.completed, true);
  const compacted = [...summed, { type: "compaction", sessionID: ID }];
  assert.equal(readReport("opencode", compacted).report.completed, false);
  const asked = { type: "permission", sessionID: ID, permission: "bash", patterns: ["rm x"] };
  const { warnings } = readReport("opencode", [asked, ...summed]).report;
  assert.deepEqual(warnings, ["not permitted: bash rm x"]);
});
