// proves: P9
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { messageLines } from "../../src/mcp/json-rpc.ts";
import { call, withServer, type Message } from "./client.ts";

test("a line over the bound is refused and skipped, and the server goes on", async () => {
  await withServer(async (client) => {
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 8, method: "ping" });
    client.send(
      `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "x".repeat(9_000_000) })}\n${ping}`,
    );
    const refused = await client.next();
    assert.deepEqual([refused.error?.code, refused.id], [-32600, null]);
    assert.match(refused.error?.message ?? "", /more than 8388608 bytes/);
    assert.equal((await client.next()).id, 8, "the next line is read as any other");
    const large = { command: "x", stderr: "e".repeat(900_000), stdout: "o".repeat(900_000) };
    assert.equal((await call(client, "classify_failure", large))["isError"], undefined);
  });
});

test("lines, whatever the pieces they come in", async () => {
  const letters = fc.array(fc.constantFrom("a", "b", "\u00e9", "\n"), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(letters, fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const bytes = Buffer.from(text.join(""));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const lines: (string | undefined)[] = [];
      for await (const line of messageLines(Readable.from(pieces), 6)) lines.push(line);
      const whole = text.join("").split("\n");
      const wanted = whole.map((line) => (Buffer.byteLength(line) > 6 ? undefined : line));
      // What follows the last newline is a line only if there is something.
      assert.deepEqual(lines, whole.at(-1) === "" ? wanted.slice(0, -1) : wanted);
    }),
  );
});

test("batches: taken in the version that has them, answered together; refused in the others", async () => {
  const request = (id: number, method: string) => ({ jsonrpc: "2.0", id, method });
  const batch = [
    request(1, "ping"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    request(2, "no/such"),
    7,
    { ...request(3, "initialize"), params: { protocolVersion: "2025-03-26" } },
    request(4, "tools/list"),
  ];
  await withServer(async (client) => {
    client.send(JSON.stringify(batch));
    const answers = (await client.next()) as unknown as readonly Message[];
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        [2, -32601],
        [null, -32600],
        [3, -32600],
        [4, undefined],
      ],
    );
    for (const wrong of ["[]", JSON.stringify(Array(1001).fill(request(1, "ping")))]) {
      client.send(wrong);
      assert.equal((await client.next()).error?.code, -32600);
    }
    client.send(JSON.stringify([{ jsonrpc: "2.0", method: "notifications/initialized" }]));
    assert.deepEqual((await client.ask("ping")).result, {}, "notifications alone get no answer");
  }, "2025-03-26");
  await withServer(async (client) => {
    client.send(JSON.stringify(batch));
    assert.equal((await client.next()).error?.code, -32600);
  }, "2025-11-25");
});

test("every tool says what it does to the world, and answers in the shape that it names", async () => {
  await withServer(async (client) => {
    const { tools } = (await client.ask("tools/list")).result as { tools: readonly ListedTool[] };
    const hints = tools.map(({ name, annotations: { title, ...more } }) => {
      assert.ok(title.length > 5);
      return [name, more];
    });
    const looks = { readOnlyHint: true, openWorldHint: false };
    const keeps = { readOnlyHint: false, destructiveHint: false };
    assert.deepEqual(Object.fromEntries(hints), {
      classify_failure: looks,
      recovery_plan: looks,
      record_attempt: { ...keeps, idempotentHint: false, openWorldHint: false },
      attempt_history: looks,
      ask_human: { ...keeps, idempotentHint: true, openWorldHint: true },
    });
    const ajv = new Ajv2020({ strict: false });
    const answers: readonly (readonly [string, object])[] = [
      ["classify_failure", { message: "429 Too Many Requests, retry after 7 s", httpStatus: 429 }],
      ["recovery_plan", { command: "rm -rf /x", stderr: "Permission denied", exitCode: 1 }],
      ["record_attempt", { subtask: "a", approach: "b", success: false, error: "c" }],
      ["attempt_history", { subtask: "a" }],
      ["ask_human", { question: "Which?", waitSeconds: 0 }],
    ];
    for (const [name, args] of answers) {
      const { outputSchema } = tools.find((tool) => tool.name === name) ?? {};
      assert.equal((outputSchema as { type?: string }).type, "object");
      const fits = ajv.compile(outputSchema ?? {});
      const { structuredContent } = await call(client, name, args);
      assert.ok(fits(structuredContent), `${name}: ${ajv.errorsText(fits.errors)}`);
      assert.ok(!fits({}), `${name} names no shape`);
    }
  });
});

test("while ask_human waits, a client that gave a token is told of it, with numbers that grow", async () => {
  await withServer(async (client) => {
    const args = { question: "Now?", waitSeconds: 600 };
    const asked = (id: string, _meta: object) =>
      client.send(
        JSON.stringify({
          ...{ jsonrpc: "2.0", id, method: "tools/call" },
          params: { name: "ask_human", arguments: args, _meta },
        }),
      );
    asked("silent", {});
    asked("told", { progressToken: "t1" });
    const notices = [await client.next(), await client.next()];
    const [first, second] = notices.map(({ params }) => Number(params?.["progress"]));
    for (const { method, params } of notices) {
      assert.equal(method, "notifications/progress");
      assert.deepEqual([params?.["progressToken"], params?.["total"]], ["t1", 600]);
      assert.match(String(params?.["message"]), /waiting for a person/);
    }
    assert.ok((first ?? 0) < (second ?? 0));
    for (const requestId of ["silent", "told"])
      client.send(
        JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId },
        }),
      );
    assert.deepEqual((await client.ask("ping")).result, {}, "after a cancel nothing is told");
  });
});

interface ListedTool {
  readonly name: string;
  readonly annotations: { readonly title: string };
  readonly outputSchema: object;
}
