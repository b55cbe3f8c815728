// The scripted model server itself: what the tests with real agents rest on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fault, say, shell, write } from "../../src/testing/model-server/scenario.ts";
import type { Scenario, Turn } from "../../src/testing/model-server/scenario.ts";
import { startModelServer, type ModelServer } from "../../src/testing/model-server/server.ts";

const BASH = { name: "Bash", input_schema: { properties: { command: { type: "string" } } } };

async function withServer(
  scenarios: Readonly<Record<string, Scenario>>,
  body: (server: ModelServer) => Promise<void>,
): Promise<void> {
  const server = await startModelServer(scenarios, { forAgents: true });
  try {
    await body(server);
  } finally {
    await server.close();
  }
}

const ask = (
  base: string,
  messages: readonly object[] = [],
  more: object = {},
): Promise<Response> =>
  fetch(`${base}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages, tools: [BASH], ...more }),
  });

test("turns go by the number of the request, each run with its own count; the last is repeated", () =>
  withServer(
    { s: { by: "request", turns: [fault("overloaded"), say("one"), say("two")] } },
    async (server) => {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await ask(server.at("s", "a"))).status);
      assert.deepEqual(statuses, [529, 200, 200, 200]);
      assert.equal((await ask(server.at("s", "b"))).status, 529);
      assert.match(await (await ask(server.at("s", "a"))).text(), /"two"/);
      assert.deepEqual(
        server.requests("a").map(({ number }) => number),
        [1, 2, 3, 4, 5],
      );
      assert.equal(server.requests("b").length, 1);
    },
  ));

test("turns go by the tool results of the conversation, and the log holds what was said", () =>
  withServer({ s: { by: "result", turns: [shell("ls"), say("done")] } }, async (server) => {
    const first = await (await ask(server.at("s", "r"), [{ role: "user", content: "go" }])).text();
    assert.match(first, /"tool_use".*"command":"ls"/);
    const result = { type: "tool_result", tool_use_id: "x", content: "a.txt" };
    const second = await ask(server.at("s", "r"), [
      { role: "user", content: "go" },
      { role: "user", content: [result] },
    ]);
    assert.match(await second.text(), /"text":"done"/);
    const [, last] = server.requests("r");
    assert.deepEqual(last?.user, ["go"]);
    assert.deepEqual(last?.results, ["a.txt"]);
    assert.equal(last?.model, "m");
  }));

test("requests without a tool to work with are answered but neither counted nor logged", () =>
  withServer({ s: { by: "request", turns: [shell("ls"), say("done")] } }, async (server) => {
    const title = await ask(server.at("s", "r"), [], { tools: [] });
    assert.match(await title.text(), /A short title/);
    assert.equal(server.requests("r").length, 0);
    assert.match(await (await ask(server.at("s", "r"))).text(), /tool_use/);
  }));

test("a client that declares no tools is answered from the script, unless the server is for agents", async () => {
  const server = await startModelServer({
    s: { by: "request", turns: [fault("overloaded"), say("done")] },
  });
  const statuses = [];
  for (let i = 0; i < 2; i += 1)
    statuses.push((await ask(server.at("s", "r"), [], { tools: [] })).status);
  await server.close();
  assert.deepEqual(statuses, [529, 200]);
});

test("a truncated stream begins and has no end; a reset one fails in the middle", () =>
  withServer(
    {
      truncated: () => ({ kind: "broken", how: "truncated" }),
      reset: () => ({ kind: "broken", how: "reset" }),
    },
    async (server) => {
      const text = await (await ask(server.at("truncated", "r"), [], { stream: true })).text();
      assert.match(text, /message_start/);
      assert.doesNotMatch(text, /message_stop/);
      const reset = await ask(server.at("reset", "r"), [], { stream: true });
      await assert.rejects(reset.text());
    },
  ));

test("close ends a connection that is kept silent", async () => {
  const server = await startModelServer({ s: () => ({ kind: "silent" }) });
  const waiting = assert.rejects(ask(server.at("s", "r")));
  while (server.requests("r").length === 0) await new Promise((done) => setTimeout(done, 5));
  await server.close();
  await waiting;
});

const DIALECT_REQUESTS: readonly (readonly [string, string, object])[] = [
  ["responses", "/v1/responses", { tools: [{ type: "function", name: "shell", parameters: {} }] }],
  [
    "chat",
    "/v1/chat/completions",
    { tools: [{ type: "function", function: { name: "bash", parameters: {} } }] },
  ],
  [
    "gemini",
    "/v1beta/models/m:generateContent",
    { tools: [{ functionDeclarations: [{ name: "run_shell_command" }] }] },
  ],
];

for (const [dialect, path, body] of DIALECT_REQUESTS)
  test(`${dialect}: text, a call, a retry time and the log`, () => {
    const turns: [Turn, ...Turn[]] = [say("hello"), write("a", "b"), fault("rate_limited", 7)];
    return withServer({ s: { by: "request", turns } }, async (server) => {
      const post = (): Promise<Response> =>
        fetch(server.at("s", "r") + path, {
          method: "POST",
          body: JSON.stringify({ model: "m", ...body }),
        });
      assert.match(await (await post()).text(), /"hello"/);
      assert.match(await (await post()).text(), /shell|bash|run_shell_command/);
      const refused = await post();
      assert.equal(refused.status, 429);
      assert.match(`${refused.headers.get("retry-after")} ${await refused.text()}`, /\b7/);
      const log = server.requests("r").map((request) => `${request.api} ${request.model}`);
      assert.deepEqual(log, Array(3).fill(`${dialect} m`));
    });
  });
