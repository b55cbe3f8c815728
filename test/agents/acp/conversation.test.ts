// proves: E8, U14, U21
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { Refusal } from "../../../src/core/agent-words/refusal.ts";
import { converse, DONE, methodsOf, OPENED, quiet, talking, type Answers } from "./conversation.ts";

test("a conversation opens, prompts once in the worktree, and is over with the answer", async () => {
  const here = await talking();
  const asked = await converse(here, { ...OPENED, ...DONE });
  assert.deepEqual(methodsOf(asked), ["initialize", "session/new", "session/prompt"]);
  assert.equal(asked[0]?.params?.["protocolVersion"], 1);
  assert.equal(asked[1]?.params?.["cwd"], "/w/tree");
  assert.deepEqual(asked[2]?.params, {
    sessionId: "a-1",
    prompt: [{ type: "text", text: "do it" }],
  });
  assert.ok(here.isOver());
});

test("nothing is over while a turn is under way", async () => {
  const here = await talking();
  await converse(here, OPENED);
  assert.ok(!here.isOver());
  here.talk.close?.();
});

test("mode and model are set where the agent has them; a refusal does not matter", async () => {
  const opened = {
    sessionId: "a-1",
    modes: { availableModes: [{ id: "default" }, { id: "autoEdit" }, { id: "yolo" }] },
    models: { availableModels: [{ modelId: "m-1" }] },
  };
  const answers: Answers = {
    ...OPENED,
    ...DONE,
    "session/new": { result: opened },
    "session/set_mode": { error: { code: -32_603, message: "no" } },
    "session/set_model": { result: {} },
  };
  const modes = { edit: "autoEdit", full: "yolo" } as const;
  for (const permissions of ["edit", "full"] as const) {
    const here = await talking({ permissions, model: "m-1" });
    const asked = await converse(here, answers);
    assert.deepEqual(methodsOf(asked).slice(2), [
      "session/set_mode",
      "session/set_model",
      "session/prompt",
    ]);
    assert.deepEqual(asked[2]?.params, { sessionId: "a-1", modeId: modes[permissions] });
    assert.match(String(asked[2].id), /^optional-/);
    assert.doesNotMatch(String(asked[4]?.id), /^optional-/);
    assert.ok(here.isOver());
  }
  const refused = await talking({ model: "m-3" });
  const error = { code: "none", message: "no such\u001b[31m model", data: { details: "try m-1" } };
  await converse(refused, { ...answers, "session/set_model": { error } });
  assert.ok(refused.isOver());
  assert.deepEqual(refused.talk.warnings?.(), [
    "the agent refused the model m-3: no such model try m-1",
  ]);
  const without = await talking({ model: "m-2" });
  assert.equal((await converse(without, OPENED))[2]?.method, "session/prompt");
  assert.deepEqual(without.talk.warnings?.(), [
    "the agent lets nobody choose its model: m-2 is not set",
  ]);
});

test("an error to what is needed ends the conversation", async () => {
  const refused = { error: { code: -32_000, message: "login" } };
  for (const method of ["initialize", "session/new", "session/prompt"]) {
    const here = await talking();
    const asked = await converse(here, { ...OPENED, [method]: refused });
    assert.ok(here.isOver(), method);
    assert.equal(asked.at(-1)?.method, method);
  }
});

test("a session is gone on with only where it is not told again from its start", async () => {
  const capable = { result: { agentCapabilities: { sessionCapabilities: { resume: {} } } } };
  const resumed = await converse(await talking({ session: "a-7" }), {
    initialize: capable,
    "session/resume": { result: {} },
  });
  assert.deepEqual(
    resumed.map(({ params }) => params?.["sessionId"]),
    [undefined, "a-7", "a-7"],
  );
  for (const agentCapabilities of [
    { loadSession: true },
    { sessionCapabilities: { resume: null } },
    { sessionCapabilities: [] },
    null,
  ]) {
    const anew = await converse(await talking({ session: "a-7" }), {
      initialize: { result: { agentCapabilities } },
    });
    assert.equal(anew[1]?.method, "session/new", JSON.stringify(agentCapabilities));
  }
});

test("new words cancel the turn and go on in the same session", async () => {
  const here = await talking();
  assert.equal(here.talk.steer?.("too early"), false);
  await converse(here, OPENED);
  assert.equal(here.talk.steer("try the other file"), true);
  assert.equal(here.talk.steer("and be brief"), true);
  await quiet();
  assert.equal(here.said.at(-1)?.method, "session/cancel");
  assert.deepEqual(here.said.at(-1)?.params, { sessionId: "a-1" });
  await here.hear({ id: here.said[2]?.id, result: { stopReason: "cancelled" } });
  assert.ok(!here.isOver());
  const prompt = here.said.at(-1);
  assert.match(JSON.stringify(prompt?.params), /a-1.*try the other file.*and be brief/);
  await here.hear({ id: prompt?.id, result: { stopReason: "end_turn" } });
  assert.ok(here.isOver());
  assert.equal(here.talk.steer("too late"), false);
});

test("a turn that a cancel ends as an error is gone on with all the same", async () => {
  const here = await talking();
  await converse(here, OPENED);
  here.talk.steer?.("try the other file");
  await quiet();
  await here.hear({ id: here.said[2]?.id, error: { code: -32_800, message: "cancelled" } });
  assert.match(JSON.stringify(here.said.at(-1)?.params), /try the other file/);
  here.talk.close?.();
});

test("what is not offered is refused, and foreign lines change nothing", async () => {
  const here = await talking();
  const before = here.said.length;
  const methods = ["fs/write_text_file", "terminal/create", "elicitation/create", "x".repeat(9e5)];
  for (const method of methods) {
    await here.hear({ jsonrpc: "2.0", id: 9, method, params: { path: "/etc/hosts" } });
    const answer = here.said.at(-1);
    assert.equal(answer?.error?.code, -32_601);
    assert.equal(answer.id, 9);
    assert.ok(JSON.stringify(answer).length < 200);
  }
  const answered = before + methods.length;
  for (const line of [
    {},
    { id: 77, result: {} },
    { id: null },
    { method: "x" },
    { result: 1 },
    { id: {}, method: "session/request_permission" },
    { id: "x".repeat(5000), method: "a" },
  ])
    await here.hear(line);
  assert.equal(here.said.length, answered);
  assert.ok(!here.isOver());
});

test("a permission is judged by all that was told of its call", async () => {
  const here = await talking();
  await converse(here, OPENED);
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  const tell = (update: object): Promise<void> =>
    here.hear({ method: "session/update", params: { sessionId: "a-1", update } });
  const ask = async (toolCallId: string, more: object = {}): Promise<string | undefined> => {
    const params = { sessionId: "a-1", toolCall: { toolCallId, ...more }, options };
    await here.hear({ id: toolCallId, method: "session/request_permission", params });
    const { id, result } = here.said.at(-1) ?? {};
    assert.equal(id, toolCallId);
    return (result as { outcome: { optionId?: string } }).outcome.optionId;
  };
  const call = { sessionUpdate: "tool_call", kind: "edit", status: "pending" };
  await tell({ ...call, toolCallId: "c-1", rawInput: { filePath: "a.ts", content: "x" } });
  await tell({ ...call, toolCallId: "c-2", locations: [{ path: "/etc/hosts" }] });
  assert.equal(await ask("c-1"), "yes");
  assert.equal(await ask("c-1", { rawInput: { filePath: "/etc/hosts" } }), "no");
  assert.equal(await ask("c-2"), "no");
  assert.equal(await ask("c-3"), "no");
  await tell({ sessionUpdate: "tool_call_update", toolCallId: "c-1", status: "completed" });
  assert.equal(await ask("c-1"), "no");
});

test("a call that would be refused waits for a person: yes is for this call, no and silence refuse it", async () => {
  const asked: Refusal[] = [];
  let say = (_: boolean): void => undefined;
  const askPermission = (call: Refusal): Promise<boolean> => {
    asked.push(call);
    return new Promise((resolve) => (say = resolve));
  };
  const here = await talking({ askPermission });
  await converse(here, OPENED);
  const options = [
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  const ask = async (id: string, command: string, offered = options): Promise<unknown> => {
    const toolCall = { toolCallId: id, kind: "execute", rawInput: { command } };
    await here.hear({
      ...{ id, method: "session/request_permission" },
      params: { sessionId: "a-1", toolCall, options: offered },
    });
    return answerTo(id);
  };
  const answerTo = (id: string): unknown => here.said.find((one) => one.id === id)?.result;
  const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

  assert.equal(await ask("p-1", "npm ci"), undefined, "it waits");
  assert.deepEqual(await ask("p-2", "npm test"), selected("yes"), "others are answered meanwhile");
  say(true);
  await quiet();
  assert.deepEqual(answerTo("p-1"), selected("yes"));
  assert.deepEqual(here.talk.refusals?.(), []);
  await ask("p-3", "npm ci");
  assert.equal(asked.length, 2, "once is once");
  say(false);
  await quiet();
  assert.deepEqual(answerTo("p-3"), selected("no"));
  assert.deepEqual(here.talk.refusals?.(), [{ tool: "execute", command: "npm ci" }]);

  await ask("p-4", "git push --force origin main");
  say(true);
  await quiet();
  assert.deepEqual([answerTo("p-4"), here.talk.unsafe?.()], [selected("yes"), undefined]);
  assert.deepEqual(await ask("p-5", "rm -rf /"), selected("no"), "nobody can allow that");
  await ask("p-9", "rm -rf /data/elsewhere");
  say(true);
  await quiet();
  assert.deepEqual(answerTo("p-9"), selected("yes"), "a folder of theirs, which they give away");
  assert.deepEqual(
    await ask("p-6", `echo  a\n${"b".repeat(600)}`),
    selected("no"),
    "not to the letter",
  );
  assert.deepEqual(await ask("p-7", "npm ci", options.slice(0, 1)), {
    outcome: { outcome: "cancelled" },
  });
  assert.equal(asked.length, 4);

  await ask("p-8", "npm ci");
  assert.equal(here.talk.steer?.("another way"), true);
  await quiet();
  assert.deepEqual(answerTo("p-8"), { outcome: { outcome: "cancelled" } }, "its turn is over");
});

test("what an agent did without asking is said where it would have been refused", async () => {
  const rows: readonly (readonly [string | undefined, object, boolean?])[] = [
    [": curl x", { kind: "execute", rawInput: { command: "curl x" }, status: "completed" }],
    [": rm a", { kind: "delete", title: "rm a", status: "completed" }],
    [": Write", { kind: "edit", title: "Write", rawInput: { path: "/x" }, status: "completed" }],
    [undefined, { kind: "execute", rawInput: { command: "curl x" }, status: "completed" }, true],
    [undefined, { kind: "execute", rawInput: { command: "curl x" }, status: "failed" }],
    [undefined, { kind: "execute", rawInput: { command: "npm test" }, status: "completed" }],
    [undefined, { kind: "edit", rawInput: { path: "a.ts" }, status: "completed" }],
    [undefined, { kind: "edit", title: "Write", status: "completed" }],
    [undefined, { kind: "other", title: "Plan", status: "completed" }],
  ];
  for (const [said, update, asks = false] of rows) {
    const here = await talking();
    const params = { toolCall: { toolCallId: "c" }, options: [] };
    if (asks) await here.hear({ id: 1, method: "session/request_permission", params });
    await here.hear({
      method: "session/update",
      params: { update: { sessionUpdate: "tool_call", toolCallId: "c", ...update } },
    });
    const warnings = here.talk.warnings?.() ?? [];
    const row = JSON.stringify(update);
    if (said === undefined) assert.deepEqual(warnings, [], row);
    else assert.ok(warnings.length === 1 && warnings[0]?.endsWith(said), row);
  }
});

test("small deviations from the protocol are got over", async () => {
  const opened: Answers = { ...OPENED, ...DONE };
  const deviations: readonly (readonly [string, (line: object) => object])[] = [
    ["no version", (line) => ({ ...line, jsonrpc: undefined })],
    ["an old version", (line) => ({ ...line, jsonrpc: "1.0" })],
    ["an error that is null", (line) => ({ ...line, error: null })],
    ["ids as text", (line) => ({ ...line, id: String((line as { id: unknown }).id) })],
    ["fields nobody knows", (line) => ({ ...line, took: 12, _meta: { x: 1 } })],
  ];
  for (const [name, deviate] of deviations) {
    const here = await talking();
    for (let at = 0; at < here.said.length; at += 1) {
      const { id, method = "" } = here.said[at] ?? {};
      if (opened[method] !== undefined)
        await here.hear(deviate({ jsonrpc: "2.0", id, ...opened[method] }));
    }
    assert.ok(here.isOver(), name);
    assert.equal(here.said.at(-1)?.method, "session/prompt", name);
  }
});

test("a request for permission that is not quite one of the protocol is answered all the same", async () => {
  const here = await talking();
  const option = { optionId: "yes", name: "Yes", kind: "allow_once" };
  const params = { sessionId: "s", toolCall: { toolCallId: "c", kind: "read" }, options: [option] };
  const asks: readonly object[] = [
    { params },
    { params: { ...params, options: [{ optionId: "yes", kind: "allow_once" }] } },
    { params: { ...params, options: [{ ...option, kind: "allow_session" }, option] } },
    { params: { ...params, options: [{ ...option, kind: "allow" }] } },
    { params: { ...params, toolCall: { kind: "read" } } },
    { params: { ...params, sessionId: undefined } },
    { params, jsonrpc: undefined },
  ];
  for (const ask of asks) {
    await here.hear({ jsonrpc: "2.0", id: 5, method: "session/request_permission", ...ask });
    assert.deepEqual(
      here.said.at(-1),
      { jsonrpc: "2.0", id: 5, result: { outcome: { outcome: "selected", optionId: "yes" } } },
      JSON.stringify(ask),
    );
  }
  assert.equal(here.said.filter(({ id }) => id === 5).length, asks.length);
});

test("what it asked for and was refused is told, with the exact command, once", async () => {
  const ask = async (more: Partial<AgentRequest>) => {
    const here = await talking(more);
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const rawInput = { command: "npm install left-pad" };
    const toolCall = { toolCallId: "c", kind: "execute", rawInput };
    const params = { sessionId: "s", toolCall, options };
    for (const id of [5, 6])
      await here.hear({ jsonrpc: "2.0", id, method: "session/request_permission", params });
    return { refused: here.talk.refusals?.(), last: JSON.stringify(here.said.at(-1)) };
  };
  const refusal = { tool: "execute", command: "npm install left-pad" };
  const asked = await ask({});
  assert.deepEqual(asked.refused, [refusal]);
  assert.match(asked.last, /"optionId":"no"/);
  const allowed = await ask({ allowed: [refusal] });
  assert.deepEqual(allowed.refused, []);
  assert.match(allowed.last, /"optionId":"yes"/);
});

const json = fc.jsonValue({ maxDepth: 3 });
const foreignLine = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2, null),
    id: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.string(), json),
    method: fc.oneof(
      fc.constantFrom("session/update", "session/request_permission", "$/cancel_request", "fs/x"),
      fc.string(),
      json,
    ),
    params: fc.oneof(
      fc.record({ sessionId: json, update: json, toolCall: json, options: json, requestId: json }),
      json,
    ),
    result: fc.oneof(fc.record({ sessionId: json, modes: json, stopReason: json }), json),
    error: fc.oneof(fc.record({ code: json, message: json, data: json }), json),
  },
  { requiredKeys: [] },
);

test("whatever an agent sends: no throw, no rejection, no word on our terminal, no more than it asked", async (t) => {
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejected.push(reason);
  process.on("unhandledRejection", onRejection);
  const printed = (["log", "info", "warn", "error", "debug"] as const).map(
    (name) => t.mock.method(console, name, () => undefined).mock,
  );
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(foreignLine, { maxLength: 30 }), async (lines) => {
        const here = await talking({ session: "a-7", model: "m", thinking: true });
        const before = here.said.length;
        for (const line of lines) here.talk.onLine(line);
        await quiet();
        // one answer for each line at most, and at most one request more for each that was answered
        assert.ok(here.said.length - before <= 2 * lines.length);
        here.talk.close?.();
        await quiet();
        assert.ok(here.isOver());
      }),
      { numRuns: 300 },
    );
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  assert.deepEqual(rejected, []);
  assert.deepEqual(
    printed.flatMap(({ calls }) => calls.map((call): unknown => call.arguments)),
    [],
  );
});

test("a flood of requests is not kept", async () => {
  const here = await talking();
  const before = here.said.length;
  for (let id = 0; id < 20_000; id += 1) here.talk.onLine({ id, method: "fs/read_text_file" });
  await quiet();
  const answers = here.said.length - before;
  assert.ok(answers >= 100 && answers <= 1001, `${answers}`);
  assert.equal((await converse(here, { ...OPENED, ...DONE })).at(-1)?.method, "session/prompt");
});
