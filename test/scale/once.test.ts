// proves: U24
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { ingress } from "../../src/engines/restate/ingress.ts";
import { REPLICA_OBJECT } from "../../src/engines/restate/replica-object.ts";
import { restateStore } from "./restate-store.ts";
import { WITHOUT_RESTATE } from "./server.ts";

/** Passes every request on, and loses the answer to the first ones. */
async function losesAnswers(to: string, lost: number): Promise<string> {
  let left = lost;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await new Response(request as never).text();
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ["host", "connection", "content-length"]) headers.delete(name);
    const answer = await fetch(`${to}${request.url}`, { method: "POST", headers, body });
    const text = await answer.text();
    if (left > 0) {
      left -= 1;
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  };
  const proxy = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  after(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test(
  "U24: what is asked again because its answer was lost is done once, and has the answer of the first time",
  { skip: WITHOUT_RESTATE },
  async () => {
    const store = await restateStore();
    after(() => store.close());
    await store.start();
    const url = await losesAnswers(store.server.ingressUrl, 2);
    const lossy = ingress({ urls: [url] });
    const change = { change: "a change" };
    const once = { once: true } as const;
    assert.equal(await lossy.call(REPLICA_OBJECT, "r", "append", change, once), 1);
    const plain = ingress({ urls: [store.server.ingressUrl] });
    assert.deepEqual(await plain.call(REPLICA_OBJECT, "r", "since", { from: 0 }), {
      length: 1,
      handed: [change],
    });
    assert.equal(await lossy.call(REPLICA_OBJECT, "r", "append", change, once), 2, "another one");
  },
);
