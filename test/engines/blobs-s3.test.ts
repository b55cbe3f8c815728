// proves: U24
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { blobsAt } from "../../src/engines/blobs/blobs-at.ts";
import type { Blobs } from "../../src/engines/blobs/blobs.ts";
import { encodedKey, signedHeaders } from "../../src/engines/blobs/signature-v4.ts";

const top = mkdtempSync(join(tmpdir(), "unstuck-s3-"));
after(() => rmSync(top, { recursive: true, force: true }));
const KEYS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
const MISSING = "0".repeat(64);

function storeAt(port: number, env: NodeJS.ProcessEnv = KEYS, bucket = "blobs"): Blobs {
  const found = blobsAt(`s3://${bucket}/of/runs?endpoint=http://127.0.0.1:${port}`, env);
  assert.ok(found.ok);
  return found.blobs;
}

interface TestServer {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type ServerClass = new (options: Readonly<Record<string, unknown>>) => TestServer;

/** Installed with the tests of several machines; it checks access keys, but no signatures and no conditional writes. */
function serverClass(): ServerClass | undefined {
  try {
    const near = createRequire(new URL("../scale/package.json", import.meta.url));
    return near("s3rver") as ServerClass;
  } catch {
    return undefined;
  }
}

const S3rver = serverClass();
const skip = S3rver === undefined && "s3rver is not installed: npm ci in test/scale";

test("blobs in an S3-compatible store", { skip }, async () => {
  assert.ok(S3rver);
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory: join(top, "s3rver") },
    configureBuckets: [{ name: "blobs" }],
  });
  const { port } = await server.run();
  try {
    const blobs = storeAt(port);
    const content = Buffer.from("hello, hello");
    const { sha256, bytes } = await blobs.put(content);
    assert.equal(bytes, content.length);
    assert.deepEqual(await blobs.put(content), { sha256, bytes });
    assert.ok(await blobs.has(sha256));
    assert.ok((await blobs.get(sha256))?.equals(content));
    assert.equal((await blobs.read(sha256, 7, 3))?.toString(), "hel");
    assert.equal((await blobs.read(sha256, 7, 300))?.toString(), "hello");
    assert.equal((await blobs.read(sha256, 300, 3))?.length, 0);
    assert.deepEqual(
      [await blobs.get(MISSING), await blobs.has(MISSING), await blobs.read(MISSING, 0, 1)],
      [undefined, false, undefined],
    );
    const file = join(top, "large");
    writeFileSync(file, Buffer.alloc(3_000_000, "abc"));
    const large = await blobs.put({ file });
    assert.ok(await blobs.getTo(large.sha256, join(top, "copy")));
    assert.ok(readFileSync(join(top, "copy")).equals(readFileSync(file)));
    assert.equal((await blobs.put(Buffer.alloc(0))).bytes, 0);

    const nobody = storeAt(port, { ...KEYS, AWS_ACCESS_KEY_ID: "nobody" });
    for (const call of [nobody.get(sha256), nobody.has(sha256), nobody.put(Buffer.from("x"))])
      await assert.rejects(call, { code: "denied" });
    const nowhere = storeAt(port, KEYS, "nowhere");
    for (const call of [nowhere.get(sha256), nowhere.read(sha256, 0, 1), nowhere.put(content)])
      await assert.rejects(call, { code: "refused", message: /no bucket nowhere/ });
  } finally {
    await server.close();
  }
});

const EXPECTED = {
  region: "us-east-1",
  credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
};

/** Whether a request is signed with the right key, as a store finds out. */
function isSigned({ method = "", url = "", headers }: IncomingMessage): boolean {
  const { authorization = "", host = "" } = headers;
  const time = String(headers["x-amz-date"]);
  const at = new Date(time.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"));
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const others = names.filter((name) => name !== "host" && !name.startsWith("x-amz-"));
  const of = Object.fromEntries(others.map((name) => [name, String(headers[name])]));
  const payloadSha256 = String(headers["x-amz-content-sha256"]);
  const unsigned = { method, host, path: url, headers: of, payloadSha256 };
  return signedHeaders(unsigned, { ...EXPECTED, at }).authorization === authorization;
}

/** A store that does as it is told, one answer after the other; the last one is given again. */
async function scripted(
  ...answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]
): Promise<{ readonly port: number; readonly seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push(request);
    request.resume();
    answer?.(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hello = (_: IncomingMessage, response: ServerResponse): void => void response.end("hello");
const busy = (_: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
const cut = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { "content-length": 5 });
  response.write("he", () => response.socket?.destroy());
};

test("a busy store and a cut connection are tried again, and given up in the end", async () => {
  const better = await scripted(busy, cut, (request) => request.socket.destroy(), hello);
  assert.equal((await storeAt(better.port).get(HELLO))?.toString(), "hello");
  assert.equal(better.seen.length, 4);
  const file = join(top, "to");
  const again = await scripted(cut, hello);
  assert.ok(await storeAt(again.port).getTo(HELLO, file));
  assert.equal(readFileSync(file, "utf8"), "hello");
  const never = await scripted(busy);
  await assert.rejects(storeAt(never.port).get(HELLO), {
    code: "unreachable",
    message: /SlowDown/,
  });
  assert.equal(never.seen.length, 4);
});

test("a store that lies, redirects or refuses is an error, at once, and tells no secret", async () => {
  const lies = await scripted((_, response) => void response.end("hellO"));
  await assert.rejects(storeAt(lies.port).get(HELLO), { code: "damaged" });
  await assert.rejects(storeAt(lies.port).getTo(HELLO, join(top, "lie")), { code: "damaged" });
  assert.equal(existsSync(join(top, "lie")), false);
  assert.equal(lies.seen.length, 2);

  const elsewhere = await scripted(hello);
  const location = `http://127.0.0.1:${elsewhere.port}/`;
  const leads = await scripted((_, response) => void response.writeHead(307, { location }).end());
  await assert.rejects(storeAt(leads.port).get(HELLO), { code: "refused", message: /elsewhere/ });
  assert.equal(elsewhere.seen.length, 0);

  const checks = await scripted((request, response) => {
    if (!isSigned(request)) response.writeHead(403).end("<Code>SignatureDoesNotMatch</Code>");
    else if (request.method === "HEAD") response.writeHead(404).end();
    else response.end(request.method === "GET" ? "hello" : "");
  });
  assert.equal((await storeAt(checks.port).get(HELLO))?.toString(), "hello");
  assert.equal((await storeAt(checks.port).put(Buffer.from("hello"))).sha256, HELLO);
  const wrong = storeAt(checks.port, { ...KEYS, AWS_SECRET_ACCESS_KEY: "hunter2" });
  await assert.rejects(wrong.put(Buffer.from("hello")), (error: Error & { code: string }) => {
    assert.match(error.message, /SignatureDoesNotMatch, 403.*AWS_SECRET_ACCESS_KEY/);
    assert.doesNotMatch(error.message, /hunter2/);
    return error.code === "denied";
  });
  // A store that gives all of it, whatever part was asked for.
  assert.equal((await storeAt(checks.port).read(HELLO, 1, 3))?.toString(), "ell");
});

test("requests are signed as every S3 client signs them", () => {
  // The value was made with aws4fetch 1.0.20.
  const path = encodedKey("/bucket/pre.fix/a b/é(1)*'!~");
  assert.equal(path, "/bucket/pre.fix/a%20b/%C3%A9%281%29%2A%27%21~");
  const unsigned = { method: "PUT", host: "s3.example.org:9000", path, payloadSha256: HELLO };
  const credentials = { accessKeyId: "AKEXAMPLE", secretAccessKey: "secret/+key" };
  const signed = signedHeaders(
    { ...unsigned, headers: { range: "bytes=1-2" } },
    {
      ...{ region: "eu-test-1", credentials: { ...credentials, sessionToken: "token==" } },
      at: new Date("2026-01-02T03:04:05.678Z"),
    },
  );
  assert.match(
    signed["authorization"] ?? "",
    /Signature=a0b9a1d4c35920069ae485c988bf34912ec44e53d9977e039c31d8e42131fadf$/,
  );
});
