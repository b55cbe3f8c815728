import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { selfSigned } from "./self-signed.ts";
import { PAGE, sendTo, testServer } from "./server.ts";

test("beyond this machine only with TLS, or when a person says so", async () => {
  await assert.rejects(testServer({ host: "0.0.0.0" }), /can be reached by other machines/);
  await assert.rejects(testServer({ host: "192.0.2.1" }), /can be reached by other machines/);
  await assert.rejects(
    testServer({ host: "192.0.2.1", insecureBeyondLoopback: true }),
    /192.0.2.1 is not an address of this machine/,
  );
  const open = await testServer({ host: "0.0.0.0", insecureBeyondLoopback: true });
  try {
    assert.equal((await open.send({ path: "/openapi.json" })).status, 200);
    await assert.rejects(testServer({ port: open.port }), /port \d+ is in use; --port 0/);
  } finally {
    await open.close();
  }
});

test("over TLS the cookie is for TLS alone, and our origin is https", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-tls-"));
  const { cert, key } = selfSigned();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const server = await testServer({ tls: files });
  try {
    assert.match(server.url, /^https:/);
    const signIn = (origin: string) =>
      new Promise<{ status: number; cookie: string }>((resolve, reject) => {
        const asked = request(
          `${server.url}/api/sign-in`,
          { method: "POST", ca: cert, headers: { ...PAGE, origin }, agent: false },
          (answer) => {
            answer.resume();
            const [cookie = ""] = answer.headers["set-cookie"] ?? [];
            resolve({ status: answer.statusCode ?? 0, cookie });
          },
        );
        asked.on("error", reject);
        asked.end(JSON.stringify({ code: server.code() }));
      });
    assert.equal((await signIn(server.url.replace("https", "http"))).status, 403);
    const { status, cookie } = await signIn(server.url);
    assert.equal(status, 200);
    assert.match(cookie, /; Secure$/);
    await assert.rejects(sendTo(server.port, { path: "/openapi.json" }));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test("who sends a request bit by bit is let go of", inLargeForm("http"), async () => {
  const server = await testServer();
  try {
    const text = await new Promise<string>((resolve) => {
      let got = "";
      const socket = connect(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\n"));
      const dripping = setInterval(() => socket.write("X-Drip: 1\r\n"), 500);
      socket.on("data", (piece) => (got += piece.toString()));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(dripping);
        resolve(got);
      });
    });
    assert.match(text, /^HTTP\/1.1 408/);
  } finally {
    await server.close();
  }
});

test("closing waits for nobody: half a request and an open stream end with it", async () => {
  const server = await testServer();
  const socket = connect(server.port, "127.0.0.1", () =>
    socket.write("POST /api/answer HTTP/1.1\r\nHo"),
  );
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  const answer = await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${await server.token("ci")}` },
  });
  const reader = (answer.body ?? assert.fail()).getReader();
  await reader.read();
  await server.close();
  await ended;
  await assert.rejects(async () => {
    for (let isDone = false; !isDone;) isDone = (await reader.read()).done;
    throw new Error("ended");
  });
});
