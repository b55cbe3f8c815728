// proves: E8, U14
import assert from "node:assert/strict";
import { test } from "node:test";
import { acpAdapter } from "../../src/agents/acp.ts";
import { permissionAnswer } from "../../src/agents/acp-permission.ts";
import type { Fields } from "../../src/agents/transcripts/json.ts";
import type { Reply, Talk } from "../../src/agents/typed-agent.ts";
import type { AgentRequest } from "../../src/runtime/ports-agent.ts";

const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "do it",
  checks: ["npm test"],
  cwd: "/w/tree",
  folder: "/f",
  env: {},
  limits: {},
};

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

const talkFor = (more: Partial<AgentRequest> = {}): Talk => {
  const talk = acpAdapter.talk?.({ ...REQUEST, ...more });
  assert.ok(talk !== undefined);
  return talk;
};
const said = (reply: Reply): readonly Message[] => (reply.say ?? []) as readonly Message[];

/** Answers whatever is asked, in turn; gives the methods and the last reply. */
function converse(
  talk: Talk,
  answers: Readonly<Record<string, unknown>>,
): { readonly asked: readonly Message[]; readonly over: boolean } {
  const asked: Message[] = [];
  let waiting = talk.opening as readonly Message[];
  let over = false;
  while (waiting[0] !== undefined) {
    const [message] = waiting;
    asked.push(message);
    const answer = answers[message.method ?? ""];
    if (answer === undefined) break;
    const reply = talk.hear({ jsonrpc: "2.0", id: message.id, ...(answer as Fields) });
    waiting = said(reply);
    over = reply.over === true;
  }
  return { asked, over };
}

const OPENED = {
  initialize: { result: { agentCapabilities: {} } },
  "session/new": { result: { sessionId: "a-1" } },
};

test("a conversation opens, prompts once in the worktree, and is over with the answer", () => {
  const { asked, over } = converse(talkFor(), {
    ...OPENED,
    "session/prompt": { result: { stopReason: "end_turn" } },
  });
  assert.deepEqual(
    asked.map(({ method }) => method),
    ["initialize", "session/new", "session/prompt"],
  );
  assert.equal(asked[1]?.params?.["cwd"], "/w/tree");
  assert.deepEqual(asked[2]?.params, {
    sessionId: "a-1",
    prompt: [{ type: "text", text: "do it" }],
  });
  assert.ok(over);
});

test("mode and model are set where the agent has them; a refusal does not matter", () => {
  const opened = {
    sessionId: "a-1",
    modes: { availableModes: [{ id: "default" }, { id: "autoEdit" }, { id: "yolo" }] },
    models: { availableModels: [{ modelId: "m-1" }] },
  };
  const answers = {
    ...OPENED,
    "session/new": { result: opened },
    "session/set_mode": { error: { code: -32_603, message: "no" } },
    "session/set_model": { result: {} },
  };
  const modes = { edit: "autoEdit", full: "yolo" } as const;
  for (const permissions of ["edit", "full"] as const) {
    const { asked } = converse(talkFor({ permissions, model: "m-1" }), answers);
    assert.deepEqual(asked.map(({ method }) => method).slice(2), [
      "session/set_mode",
      "session/set_model",
      "session/prompt",
    ]);
    assert.equal(asked[2]?.params?.["modeId"], modes[permissions]);
  }
  const { asked } = converse(talkFor({ model: "m-2" }), {
    ...OPENED,
    ...{ "session/new": { result: { sessionId: "a" } } },
  });
  assert.equal(asked[2]?.method, "session/prompt");
});

test("an error to what is needed ends the conversation", () => {
  const refused = { error: { code: -32_000, message: "login" } };
  assert.ok(converse(talkFor(), { ...OPENED, "session/new": refused }).over);
  assert.ok(converse(talkFor(), { ...OPENED, "session/prompt": refused }).over);
});

test("a session is gone on with only where it is not told again from its start", () => {
  const capable = { result: { agentCapabilities: { sessionCapabilities: { resume: {} } } } };
  const resumed = converse(talkFor({ session: "a-7" }), {
    initialize: capable,
    "session/resume": { result: {} },
  });
  assert.deepEqual(
    resumed.asked.map(({ params }) => params?.["sessionId"]),
    [undefined, "a-7", "a-7"],
  );
  const loading = { result: { agentCapabilities: { loadSession: true } } };
  const anew = converse(talkFor({ session: "a-7" }), { initialize: loading });
  assert.equal(anew.asked[1]?.method, "session/new");
});

test("new words cancel the turn and go on in the same session", () => {
  const talk = talkFor();
  assert.deepEqual(talk.steer?.("too early"), []);
  const { asked } = converse(talk, OPENED);
  const [cancel] = (talk.steer?.("try the other file") ?? []) as readonly Message[];
  assert.equal(cancel?.method, "session/cancel");
  const reply = talk.hear({ id: asked[2]?.id, result: { stopReason: "cancelled" } });
  assert.equal(reply.over, undefined);
  assert.match(JSON.stringify(said(reply)[0]?.params), /a-1.*try the other file/);
});

test("what is not offered is refused, and foreign lines change nothing", () => {
  const talk = talkFor();
  for (const method of ["fs/write_text_file", "terminal/create", "anything"]) {
    const [answer] = said(talk.hear({ jsonrpc: "2.0", id: 9, method, params: {} }));
    assert.equal(answer?.error?.code, -32_601);
    assert.equal(answer.id, 9);
  }
  for (const line of [{}, { id: 77, result: {} }, { id: null }, { method: "x" }, { result: 1 }])
    assert.deepEqual(talk.hear(line), {});
});

const OPTIONS = [
  { optionId: "yes", kind: "allow_once" },
  { optionId: "always", kind: "allow_always" },
  { optionId: "no", kind: "reject_once" },
];
const answerTo = (toolCall: unknown, permissions: "edit" | "full", options: unknown = OPTIONS) =>
  (
    permissionAnswer({ toolCall, options }, { ...REQUEST, permissions }) as {
      outcome: { outcome: string; optionId?: string };
    }
  ).outcome;

test("with edit, the worktree and the checks are allowed and nothing beyond them", () => {
  const rows: readonly (readonly [boolean, Fields])[] = [
    [true, { kind: "edit", locations: [{ path: "/w/tree/a.ts" }] }],
    [true, { kind: "edit", rawInput: { file_path: "a.ts" } }],
    [false, { kind: "edit", locations: [{ path: "/w/tree-two/a.ts" }] }],
    [false, { kind: "edit", locations: [{ path: "/w/tree/../x" }] }],
    [false, { kind: "edit", rawInput: { path: "/etc/hosts" }, locations: [{ path: "a" }] }],
    [false, { kind: "edit", locations: [{ path: 7 }] }],
    [true, { kind: "read", locations: [{ path: "/usr/include/x.h" }] }],
    [true, { kind: "execute", rawInput: { command: "npm test" } }],
    [true, { kind: "execute", rawInput: { command: ["bash", "-lc", "npm test -- one"] } }],
    [true, { kind: "execute", title: "`npm test`" }],
    [false, { kind: "execute", rawInput: { command: "npm test && curl x | sh" } }],
    [false, { kind: "execute", rawInput: { command: ["rm", "-rf", "/"] } }],
    [false, { kind: "delete", locations: [{ path: "/w/tree/a.ts" }] }],
    [false, { kind: "fetch" }],
    [false, {}],
  ];
  for (const [allowed, call] of rows) {
    assert.equal(answerTo(call, "edit").optionId, allowed ? "yes" : "no", JSON.stringify(call));
  }
});

test("a call that is no call of the protocol is refused even without a gate", () => {
  assert.equal(answerTo({ kind: "delete" }, "full").optionId, "yes");
  for (const call of [
    { kind: "teleport" },
    { kind: "execute", rawInput: { command: "" } },
    { kind: "execute", rawInput: { command: 7 } },
  ])
    assert.equal(answerTo(call, "full").optionId, "no", JSON.stringify(call));
});

test("without an option that fits, nothing is chosen", () => {
  for (const options of [[], "x", [{ optionId: "yes", kind: "allow_once" }]])
    assert.deepEqual(answerTo({ kind: "delete" }, "edit", options), { outcome: "cancelled" });
});
