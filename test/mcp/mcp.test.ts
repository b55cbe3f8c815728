// proves: B8, B9
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { unstuck } from "../cli/command.ts";
import { call, withServer, words } from "./client.ts";

test("the handshake: a known version is kept, an unknown one is answered with the newest", async () => {
  for (const [asked, given] of [
    ["2024-11-05", "2024-11-05"],
    ["2025-06-18", "2025-06-18"],
    ["1999-01-01", "2025-11-25"],
  ])
    await withServer(async (client) => {
      assert.equal((await client.ask("tools/list")).error?.code, -32600, "not before initialize");
      assert.deepEqual((await client.ask("ping")).result, {});
      assert.equal((await client.ask("initialize", {})).error?.code, -32602);
      const { result } = await client.ask("initialize", { protocolVersion: asked });
      assert.equal(result?.["protocolVersion"], given);
      assert.deepEqual(result?.["capabilities"], { tools: {}, resources: {} });
      client.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      assert.equal(((await client.ask("tools/list")).result?.["tools"] as unknown[]).length, 5);
    }, "");
});

test("wrong messages get the error that the protocol has for them, and nothing breaks", async () => {
  const rows: readonly (readonly [string, number, unknown])[] = [
    ["{", -32700, null],
    ["[]", -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['{"id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":3}', -32600, 7],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', -32600, "a"],
    ['{"jsonrpc":"2.0","id":7,"method":"no/such"}', -32601, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no_such"}}', -32602, 7],
    [
      '{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"unstuck://x"}}',
      -32002,
      7,
    ],
    [`{"jsonrpc":"2.0","id":7,"method":"ping","params":${'{"a":'.repeat(50_000)}`, -32700, null],
  ];
  await withServer(async (client) => {
    for (const [line, code, id] of rows) {
      client.send(line);
      const message = await client.next();
      assert.deepEqual([message.error?.code, message.id], [code, id], line.slice(0, 80));
    }
    client.send('{"jsonrpc":"2.0","method":"notifications/no-such"}');
    client.send('{"jsonrpc":"2.0","id":9,"result":{}}');
    assert.deepEqual((await client.ask("ping")).result, {}, "notifications and answers get none");
  });
});

test("classify_failure and recovery_plan", async () => {
  await withServer(async (client) => {
    const evidence = {
      command: "frobnicate",
      exitCode: 127,
      stderr: "sh: 1: frobnicate: not found",
    };
    const failure = await call(client, "classify_failure", evidence);
    assert.equal((failure["structuredContent"] as { kind: string }).kind, "command_not_found");
    assert.match(words(failure), /^command_not_found/);
    const plan = await call(client, "recovery_plan", { ...evidence, tools: ["Bash"] });
    assert.match(words(plan), /"strategy": "alternative_command"/);
    assert.match(words(plan), /"tool": "Bash"/);
    const refused = await call(client, "classify_failure", { exitCode: "many" });
    assert.equal(refused["isError"], true);
    assert.match(words(refused), /^exitCode: /);
    assert.equal((await call(client, "recovery_plan", { nonsense: 1 }))["isError"], true);
  });
});

test("attempts are kept, in the source's shape, with hints after two failures", async () => {
  await withServer(async (client) => {
    const record = (approach: string, success: boolean, error?: string) =>
      call(client, "record_attempt", { subtask: "login", approach, success, error });
    await record("callbacks", false, "TypeError: x is not a function");
    await record("promises", false, "timeout");
    await call(client, "record_attempt", {
      subtask: "__proto__",
      approach: "other",
      success: true,
    });
    const history = await call(client, "attempt_history", { subtask: "login" });
    assert.match(words(history), /^2 recorded, 2 failed/);
    assert.match(words(history), /callbacks - FAILED[^]*DIFFERENT approach/);
    const { contents } = (await client.ask("resources/read", { uri: "unstuck://attempts" }))
      .result as {
      contents: { text: string }[];
    };
    const { subtasks } = JSON.parse(contents[0]?.text ?? "") as {
      subtasks: Record<string, unknown>;
    };
    assert.deepEqual(Object.keys(subtasks).sort(), ["__proto__", "login"]);
    assert.equal((await call(client, "attempt_history", {}))["isError"], undefined);
  });
});

test("ask_human: kept until a person answers; the first answer stands; one wait holds up nobody", async () => {
  await withServer(async (client) => {
    const question = { question: "Which port?", options: ["80", "8080"] };
    const first = await call(client, "ask_human", { ...question, waitSeconds: 0 });
    const { id } = first["structuredContent"] as { id: string };
    assert.match(words(first), new RegExp(`unstuck mcp answer ${id}`));
    const again = await call(client, "ask_human", { ...question, waitSeconds: 0 });
    assert.equal((again["structuredContent"] as { id: string }).id, id, "asked twice, kept once");

    const waits = { name: "ask_human", arguments: { id, waitSeconds: 60 } };
    client.send(
      JSON.stringify({ jsonrpc: "2.0", id: "wait", method: "tools/call", params: waits }),
    );
    client.send(JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" }));
    assert.equal((await client.next()).id, "p");
    const env = { UNSTUCK_HOME: join(client.folder, "state"), CLAUDECODE: "", UNSTUCK_ATTEMPT: "" };
    assert.match(unstuck(["mcp", "questions"], { env }).out, /Which port\?[^]*80 · 8080/);
    const byAgent = unstuck(["mcp", "answer", id, "80"], { env: { ...env, CLAUDECODE: "1" } });
    assert.equal(byAgent.code, 2, "an agent may not answer for its person");
    assert.equal(unstuck(["mcp", "answer", id, "8080, please"], { env }).code, 0);
    const answered = await client.next();
    assert.equal(answered.id, "wait");
    assert.match(words(answered.result ?? {}), /8080, please/);
    assert.equal(unstuck(["mcp", "answer", id, "81"], { env }).code, 2, "the first answer stands");
    assert.match(unstuck(["mcp", "questions"], { env }).out, /nothing needs you/);
    assert.equal(unstuck(["mcp", "answer", "../../x", "1"], { env }).code, 2);
    for (const args of [{}, { ...question, id }, { id: "q-00000000" }, { id: "../x" }])
      assert.equal((await call(client, "ask_human", args))["isError"], true, JSON.stringify(args));
  });
});

test("a cancelled wait is not answered, and the question stays", async () => {
  await withServer(async (client) => {
    const params = { name: "ask_human", arguments: { question: "Now?", waitSeconds: 60 } };
    client.send(JSON.stringify({ jsonrpc: "2.0", id: 50, method: "tools/call", params }));
    client.send(
      JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 50 },
      }),
    );
    assert.deepEqual((await client.ask("ping")).result, {});
    const { contents } = (await client.ask("resources/read", { uri: "unstuck://questions" }))
      .result as {
      contents: { text: string }[];
    };
    assert.match(contents[0]?.text ?? "", /Now\?/);
  });
});
