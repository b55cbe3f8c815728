// proves: U14
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BODY_BYTES_MAX } from "../../src/http/call.ts";
import { CHANGES, NOT_OVER_HTTP, READS } from "../../src/http/routes.ts";
import { allAccess, grant, revoke } from "../../src/operations/serve/access.ts";
import { REQUESTS } from "./requests.ts";
import { bearer, PAGE, problemIn, testServer, type TestServer } from "./server.ts";

const web = mkdtempSync(join(tmpdir(), "unstuck-web-"));
writeFileSync(join(web, "..", "unstuck-secret.html"), "outside of the folder");
writeFileSync(join(web, "index.html"), "<!doctype html>the page");
writeFileSync(join(web, "app.js"), "export {};".repeat(100));
mkdirSync(join(web, "inner"));

let server: TestServer;
let token = "";
let cookie = "";
before(async () => {
  server = await testServer({ webFolder: web, names: ["runs.example.test"] });
  token = await server.token("ci");
  cookie = await server.cookie();
});
after(() => server.close());

describe("who may ask", () => {
  for (const { name, sent, status } of REQUESTS)
    test(`${name}: ${status}`, async () => {
      const answer = await server.send(
        sent({ port: server.port, token, cookie, code: server.code }),
      );
      // Rows with wrong secrets come to more than a minute allows.
      const { status: got } = answer;
      assert.ok(got === status || (got === 429 && [401, 403].includes(status)), answer.text);
      assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none';/);
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      assert.equal(answer.headers["x-frame-options"], "DENY");
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
      if (status >= 400) assert.ok(problemIn(answer).message.length > 5);
    });
});

describe("secrets", () => {
  test("only hashes are kept, in files of the user alone", () => {
    const folder = join(server.home, "access");
    const kept = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), "utf8"));
    assert.ok(kept.length >= 2);
    for (const text of kept)
      for (const secret of [token, cookie.split("=")[1] ?? "?"])
        assert.ok(!text.includes(secret.slice("unstuck_".length)), text);
  });

  test("a link signs in once; a used, a foreign and an old one are refused alike", async () => {
    const signIn = (code: string) =>
      server.send({
        ...{ method: "POST", path: "/api/sign-in", headers: PAGE },
        body: JSON.stringify({ code }),
      });
    const code = server.code();
    const both = await Promise.all([signIn(code), signIn(code)]);
    assert.equal(both.filter(({ status }) => status === 200).length, 1);
    const [set = ""] = both.flatMap(({ headers }) => headers["set-cookie"] ?? []);
    assert.match(set, /HttpOnly; SameSite=Strict; Path=\//);
    const now = Date.now();
    const old = grant({ kind: "link", name: "x", created: now - 2, expires: now - 1 });
    assert.notEqual((await signIn(old)).status, 200);
    assert.notEqual((await signIn(token)).status, 200, "a token is no link");
    const still = await server.send({ path: "/api/list", headers: bearer(token) });
    assert.equal(still.status, 200, "and is a token all the same");
  });

  test("a revoked token and a browser that signed out are strangers at once", async () => {
    const mine = await server.token("short");
    const list = () => server.send({ path: "/api/list", headers: bearer(mine) });
    assert.equal((await list()).status, 200);
    for (const one of allAccess(Date.now())) if (one.name === "short") revoke(one);
    assert.notEqual((await list()).status, 200);
    const browser = await server.cookie();
    const out = { method: "POST", path: "/api/sign-out", headers: { ...PAGE, cookie: browser } };
    assert.equal((await server.send(out)).status, 200);
    const again = await server.send({ path: "/api/list", headers: { cookie: browser } });
    assert.notEqual(again.status, 200);
  });
});

describe("what is sent", () => {
  const post = (body: string | Buffer, path = "/api/answer") =>
    server.send({ method: "POST", path, headers: bearer(token), body });

  test("a body that is too large, no JSON, or nothing the operation knows is refused", async () => {
    assert.equal((await post(Buffer.alloc(BODY_BYTES_MAX + 1, " "))).status, 413);
    const rows = ["{", "[]", '"x"', "null", "\u0000", '{"question":1}', '{"__proto__":{"a":1}}'];
    for (const body of rows) {
      const answer = await post(body);
      assert.equal(answer.status, 400, body);
      assert.equal(problemIn(answer).code, "bad-input");
    }
    const noInput = await server.send({ path: "/api/read?input=%7B", headers: bearer(token) });
    assert.equal(noInput.status, 400);
    const detached = JSON.stringify({ goal: "x", detach: ["hook", "install", "claude"] });
    assert.match(problemIn(await post(detached, "/api/start")).message, /detach/);
  });

  test("a header or an address that is too large ends the connection, nothing else", async () => {
    const large = { path: "/api/list", headers: { "x-large": "x".repeat(100_000) } };
    assert.equal((await server.send(large)).status, 431);
    assert.equal((await server.send({ path: "/api/list", headers: bearer(token) })).status, 200);
  });

  test("no path leads out of the page's folder", async () => {
    const paths = [
      ...["/../unstuck-secret.html", "/%2e%2e/unstuck-secret.html", "/..%2funstuck-secret.html"],
      ...["/x/../../unstuck-secret.html", "/..\\unstuck-secret.html", "//etc/passwd", "/inner"],
      ...["/runs/../../../etc/passwd", "/%00", "/app.js%00.html", "/runs/%ff"],
    ];
    for (const path of paths) {
      const { status, text } = await server.send({ path });
      assert.ok(!text.includes("outside") && !text.includes("root:"), path);
      assert.ok(status === 404 || text.includes("the page") || status === 400, `${path} ${status}`);
    }
    const script = await server.send({ path: "/app.js", headers: { "accept-encoding": "br" } });
    assert.equal(script.headers["content-encoding"], "br");
    const same = { "if-none-match": String(script.headers["etag"]) };
    assert.equal((await server.send({ path: "/app.js", headers: same })).status, 304);
    assert.equal((await server.send({ path: "/missing.js" })).status, 404);
    assert.match((await server.send({ path: "/runs/20260101-0000-abcdef" })).text, /the page/);
  });

  test("what is no HTTP, or names no host or a strange one, gets nothing", async () => {
    const rows = [
      "\u0016\u0003\u0001nonsense\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}@evil.example\r\nConnection: close\r\n\r\n`,
      "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
    ];
    for (const text of rows) {
      const got = await said(text);
      assert.match(got, /^HTTP\/1.1 40[03]/, text);
      assert.doesNotMatch(got, /the page/);
    }
    assert.deepEqual(server.reported, []);
  });
});

const said = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let got = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (piece) => (got += piece.toString()));
    socket.on("close", () => resolve(got));
  });

test("who guesses has to wait; who knows a secret does not", async () => {
  const other = await testServer();
  try {
    const wrong = `unstuck_${"x".repeat(43)}`;
    const guess = () => other.send({ path: "/api/list", headers: bearer(wrong) });
    for (let time = 0; time < 10; time += 1) assert.equal((await guess()).status, 401);
    const answer = await guess();
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers["retry-after"]) > 0);
    const right = bearer(await other.token("right"));
    assert.equal((await other.send({ path: "/api/list", headers: right })).status, 200);
    assert.match(await other.cookie(), /^unstuck-/);
  } finally {
    await other.close();
  }
});

test("every operation is a read, a change or stays at the terminal, and is so once", async () => {
  const { operationSchemas } = await import("../../scripts/schemas.ts");
  const names = Object.keys(await operationSchemas()).map((file) =>
    file.replace(/^.*\/|\.schema\.json$/g, ""),
  );
  const told = [READS, CHANGES, NOT_OVER_HTTP].flatMap((table) => Object.keys(table));
  assert.deepEqual(told.toSorted(), [...new Set(told)].toSorted());
  const known = names.filter((name) => !name.endsWith("-in-background"));
  assert.deepEqual(
    told.toSorted(),
    known.toSorted(),
    "a new operation: say in routes.ts what it is",
  );
});
