// proves: U24
import assert from "node:assert/strict";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isProvenGone } from "../../../src/engines/restate/endpoint.ts";
import type { Ingress } from "../../../src/engines/restate/ingress.ts";
import { followedRun } from "../../../src/engines/restate/run-states.ts";
import { eventText } from "../../../src/journal/event-text.ts";
import { ROW_VERSION } from "../../../src/journal/row-text.ts";
import { attemptEnded, POLICY, runStarted, scriptedPlan, serially } from "../contract/script.ts";

const inputs = [
  runStarted("r", scriptedPlan(["a", "b"], "beside"), 1000),
  attemptEnded({ subtask: "a", attempt: 1 }, 2000),
];
const { events, state } = serially(inputs, POLICY);
const rows = events.map((event) => ({ v: ROW_VERSION, text: eventText(event) }));

/** The first reading takes longest. */
function slowEngine(failing: { left: number } = { left: 0 }): Ingress {
  let calls = 0;
  return {
    async call<T>(_: string, __: string, ___: string, asked?: unknown): Promise<T> {
      await sleep((calls += 1) === 1 ? 50 : 1);
      if (failing.left > 0) throw new Error(`down, ${(failing.left -= 1)} more`);
      const { from, limit } = asked as { from: number; limit: number };
      return rows.slice(from - 1, from - 1 + limit) as T;
    },
  };
}

test("a run is followed forward only, whoever asks first", async () => {
  const run = followedRun(slowEngine(), "r");
  await Promise.all([run.bring(1), run.bring(rows.length)]);
  assert.deepEqual(run.state(), state);
  await run.bring(1);
  assert.deepEqual(run.state(), state);
});

test("a reading that failed holds up none that comes after it", async () => {
  const run = followedRun(slowEngine({ left: 1 }), "r");
  const [first, second] = await Promise.allSettled([run.bring(1), run.bring(rows.length)]);
  assert.deepEqual([first?.status, second?.status], ["rejected", "fulfilled"]);
  assert.deepEqual(run.state(), state);
});

test("a worker is proven gone by its own machine alone", async () => {
  const server = createServer((_, response) => response.end("now"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const worker = { id: "w", address, epoch: "now" };
  assert.equal(await isProvenGone(worker), false, "it answers");
  assert.equal(
    await isProvenGone({ ...worker, epoch: "before" }),
    true,
    "another process has its place",
  );
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await isProvenGone(worker), true, "nothing listens there");
  const elsewhere = address.replace("127.0.0.1", "192.0.2.1");
  assert.equal(
    await isProvenGone({ ...worker, address: elsewhere }),
    false,
    "whatever refuses on the way",
  );
});
