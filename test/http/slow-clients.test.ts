// proves: U14
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { bearer, testServer, type TestServer } from "./server.ts";

let server: TestServer;
let token = "";
before(async () => {
  server = await testServer();
  token = await server.token("ci");
});
after(() => server.close());

/** What it was answered until it was let go of. */
function dripping(head: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    let got = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(head));
    const timer = setInterval(() => socket.write(drop), 500);
    socket.on("data", (piece) => (got += piece.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve(got);
    });
  });
}

test(
  "200 who send bit by bit, signed in or not, keep nobody waiting and are let go of",
  inLargeForm("http"),
  async () => {
    const host = `Host: 127.0.0.1:${server.port}\r\n`;
    const body = "Content-Length: 100000\r\n\r\n{";
    const heads = [
      ["GET /api/list HTTP/1.1\r\n", "X-Drip: 1\r\n"],
      [`POST /api/answer HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n${body}`, " "],
      [`POST /api/answer-by-token HTTP/1.1\r\n${host}${body}`, " "],
      [`POST /api/sign-in HTTP/1.1\r\n${host}X-Unstuck: 1\r\nContent-Type: application/json\r\n${body}`, " "], // prettier-ignore
    ] as const;
    const slow = Array.from({ length: 200 }, (_, at) => {
      const [head, drop] = heads[at % heads.length] ?? heads[0];
      return dripping(head, drop);
    });
    for (let look = 0; look < 20; look += 1) {
      const { status } = await server.send({ path: "/api/list", headers: bearer(token) });
      assert.equal(status, 200);
    }
    for (const answer of await Promise.all(slow)) assert.match(answer, /^(?:HTTP\/1.1 408|$)/);
    assert.deepEqual(server.reported, []);
  },
);
