// proves: U14
// What is sent to harm: over real sockets, signed in or not. Every one is refused, none is a bug, and others are answered.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { READS } from "../../src/http/routes.ts";
import { bearer, testServer, type TestServer } from "./server.ts";

let server: TestServer;
let token = "";
before(async () => {
  server = await testServer();
  token = await server.token("ci");
});
after(() => server.close());

const DEEP = 50_000;

interface Row {
  readonly name: string;
  readonly head: readonly string[];
  readonly body?: string | Buffer;
}

const post = (body: string | Buffer): readonly string[] => [`Content-Length: ${body.length}`];
const nested = (open: string, close: string): string =>
  `{"run":"x","question":"a/c1","answer":{"kind":"top-up","by":${open.repeat(DEEP)}${close.repeat(DEEP)}}}`;

const BODIES: readonly Row[] = [
  ["lists within lists", nested("[", "]")],
  ["objects within objects", nested('{"a":', "}").replace("}}}}", "1}}}}")],
  ["half of a text", '{"run":"x","question":"a/c1","answer":{"kind":"sk'],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x7b, 0x80, 0x7d])],
  ["half of a character", Buffer.from('{"run":"\ud800"}', "utf16le")],
  ["a number beyond all", '{"run":"x","question":"a/c1","seen":1e999,"answer":{"kind":"skip"}}'],
  ["the same name twice", '{"run":"x","run":["y"],"question":"a/c1","answer":{"kind":"skip"}}'],
  ["a name of every object", '{"constructor":{"prototype":{"a":1}},"run":"x"}'],
  ["compressed", gzipSync(Buffer.alloc(100_000, " "))],
].map(([name, body]) => ({
  ...{ name: String(name), head: post(body as Buffer), body: body as Buffer },
}));

const FRAMES: readonly Row[] = [
  {
    name: "a length and pieces",
    head: ["Content-Length: 3", "Transfer-Encoding: chunked"],
    body: "0\r\n\r\n",
  },
  { name: "two lengths", head: ["Content-Length: 2", "Content-Length: 3"], body: "{}" },
  { name: "a length below nothing", head: ["Content-Length: -1"] },
  {
    name: "a piece of no size",
    head: ["Transfer-Encoding: chunked"],
    body: "zz\r\n{}\r\n0\r\n\r\n",
  },
  { name: "a name with a space", head: ["X Y: 1", "Content-Length: 0"] },
  { name: "a line of its own", head: ["X-A: b\rEvil: 1", "Content-Length: 0"] },
];

const sent = ({ head, body = "" }: Row): Promise<string> =>
  new Promise((resolve) => {
    let got = "";
    const lines = [
      "POST /api/answer HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      ...[`Authorization: Bearer ${token}`, "Connection: close", ...head],
    ];
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      socket.write(body);
    });
    socket.on("data", (piece) => (got += piece.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(got));
  });

describe("bodies and frames that are not right", () => {
  for (const row of [...BODIES, ...FRAMES])
    test(row.name, async () => {
      assert.match(await sent(row), /^HTTP\/1\.1 4\d\d/);
      const other = await server.send({ path: "/api/list", headers: bearer(token) });
      assert.deepEqual([other.status, server.reported], [200, []]);
    });
});

test("no name of a run, an attempt or anything else leads to a file", async () => {
  const names = ["../../../../etc/passwd", "/etc/passwd", "a/../../b", "\u0000", "%2e%2e%2f"];
  const inputs = names.flatMap((run) => [{ run }, { run, at: `${run}/1` }, { id: run }]);
  for (const name of NAMED) {
    assert.ok(Object.hasOwn(READS, name), name);
    for (const input of inputs) {
      const path = `/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const { status, text } = await server.send({ path, headers: bearer(token) });
      assert.ok([400, 404].includes(status), `${name} ${JSON.stringify(input)}: ${status}`);
      assert.doesNotMatch(text, /root:/);
    }
  }
  assert.deepEqual(server.reported, []);
});

/** What is asked for by a name that somebody gives. */
const NAMED = [
  ...["read", "outline", "follow", "logs", "prompt", "diff", "explain", "metrics", "export"],
  ...["report", "memory-show"],
];
