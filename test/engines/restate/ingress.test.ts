// proves: U24
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { ingress } from "../../../src/engines/restate/ingress.ts";

async function serving(answer: () => number): Promise<string> {
  const server = createServer((_, response) => {
    response.statusCode = answer();
    response.end(JSON.stringify(response.statusCode));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a call that has no patience fails, and the next one asks another address", async () => {
  let asked = 0;
  const down = await serving(() => ((asked += 1), 503));
  const up = await serving(() => 200);
  const engine = ingress({ urls: [down, up], patienceMs: -1 });
  await assert.rejects(engine.call("object", "key", "handler"), /503/);
  assert.equal(await engine.call("object", "key", "handler"), 200);
  assert.equal(await engine.call("object", "key", "handler"), 200);
  assert.equal(asked, 1, "an address that answers is kept to");
});

test("what a handler refuses is not asked of another address", async () => {
  const refusing = await serving(() => 400);
  const other = await serving(() => 200);
  const engine = ingress({ urls: [refusing, other] });
  await assert.rejects(engine.call("object", "key", "handler"), /400/);
  await assert.rejects(engine.call("object", "key", "handler"), /400/);
});
