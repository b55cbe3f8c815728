import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { eventStream, HEARTBEAT_MS, messageText, STALLED_MS } from "../../src/http/event-stream.ts";
import { streamOperation } from "../../src/http/call.ts";
import type { Context } from "../../src/operations/operation.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const readerOf = (response: Response) => {
  const reader = (response.body ?? assert.fail()).getReader();
  const decoder = new TextDecoder();
  return {
    read: async (): Promise<string> => decoder.decode((await reader.read()).value as Uint8Array),
    cancel: () => reader.cancel(),
  };
};

test("a message is one block, whatever its data holds", () => {
  const data = { text: "one\ntwo\r\n\n\ndata: x" };
  assert.equal(
    messageText({ event: "run", id: "7", data }),
    'event: run\nid: 7\ndata: {"text":"one\\ntwo\\r\\n\\n\\ndata: x"}\n\n',
  );
});

test("nothing is read ahead for a client that takes nothing, and in the end it is let go of", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let made = 0;
    let gone: AbortSignal | undefined;
    const response = eventStream(async function* (ended) {
      gone = ended;
      for (;;) yield { event: "run", id: String((made += 1)), data: "x".repeat(1000) };
    });
    const { read } = readerOf(response);
    assert.match(await read(), /^retry/);
    assert.match(await read(), /id: 1\n/);
    for (let turn = 0; turn < 20; turn += 1) await settled();
    assert.ok(made <= 4, `${made} were made for nobody`);
    assert.equal(gone?.aborted, false);
    mock.timers.tick(STALLED_MS);
    assert.equal(gone?.aborted, true);
    await assert.rejects(async () => {
      for (;;) await read();
    }, /takes nothing/);
  } finally {
    mock.timers.reset();
  }
});

test("who leaves ends what was done for them", async () => {
  let gone: AbortSignal | undefined;
  const { read, cancel } = readerOf(
    eventStream(async function* (ended) {
      gone = ended;
      yield { event: "run", data: 1 };
      await new Promise((resolve) => ended.addEventListener("abort", resolve));
    }),
  );
  await read();
  await read();
  await cancel();
  assert.equal(gone?.aborted, true);
});

test("an operation that can wait does, and one that cannot is ended before it fills the memory", async () => {
  const operation = (run: (context: Context, tell: (data: unknown) => void) => Promise<void>) => ({
    name: "test",
    schemas: () => Promise.reject(new Error("nobody asks")),
    run: async (context: Context, _: never, on: (happening: unknown) => void = () => undefined) => {
      await run(context, on);
      return { ok: true, value: {} } as const;
    },
  });
  let told = 0;
  const polite = operation(async ({ drained, signal }, tell) => {
    while (signal?.aborted !== true) {
      tell((told += 1));
      await drained?.();
    }
  });
  const reader = readerOf(
    streamOperation(polite, { cwd: "/" }, {} as never, (error) => assert.fail(String(error))),
  );
  await reader.read();
  await reader.read();
  for (let turn = 0; turn < 20; turn += 1) await settled();
  assert.ok(told < 1000, `${told} wait`);
  await reader.cancel();

  let ended = false;
  const rude = operation(async ({ signal }, tell) => {
    for (let turn = 0; turn < 1_000_000 && signal?.aborted !== true; turn += 1) tell(turn);
    ended = signal?.aborted === true;
    await Promise.resolve();
  });
  const other = readerOf(
    streamOperation(rude, { cwd: "/" }, {} as never, (error) => assert.fail(String(error))),
  );
  await other.read();
  await other.read();
  for (let turn = 0; turn < 20; turn += 1) await settled();
  assert.equal(ended, true);
});

test("a stream says now and then that it is there", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { read, cancel } = readerOf(
      eventStream(async function* (ended) {
        await new Promise((resolve) => ended.addEventListener("abort", resolve));
        yield { event: "run", data: 1 };
      }),
    );
    await read();
    const next = read();
    await settled();
    mock.timers.tick(HEARTBEAT_MS);
    assert.equal(await next, ": here\n\n");
    await cancel();
  } finally {
    mock.timers.reset();
  }
});
