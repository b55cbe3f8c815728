// proves: U24
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { blobsAt } from "../../src/engines/blobs/blobs-at.ts";
import { BLOB_BYTES_MAX, type Blobs, PART_BYTES_MAX } from "../../src/engines/blobs/blobs.ts";

const top = mkdtempSync(join(tmpdir(), "unstuck-blobs-"));
after(() => rmSync(top, { recursive: true, force: true }));

function folderStore(name: string): { readonly blobs: Blobs; readonly folder: string } {
  const folder = join(top, name);
  const found = blobsAt(pathToFileURL(folder).href, {});
  assert.ok(found.ok);
  return { blobs: found.blobs, folder };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\w{64}|tmp/.test(name),
  );

test("what is put is got again, whole and in parts, and kept once", async () => {
  const { blobs, folder } = folderStore("a folder");
  const file = join(top, "source");
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 5000 }),
      fc.nat(6000),
      fc.nat(6000),
      async (bytes, from, length) => {
        const content = Buffer.from(bytes);
        const sha256 = createHash("sha256").update(content).digest("hex");
        writeFileSync(file, content);
        assert.deepEqual(await blobs.put(content), { sha256, bytes: content.length });
        assert.deepEqual(await blobs.put({ file }), { sha256, bytes: content.length });
        assert.ok(await blobs.has(sha256));
        assert.ok((await blobs.get(sha256))?.equals(content));
        const part = content.subarray(from, from + length);
        assert.ok((await blobs.read(sha256, from, length))?.equals(part));
        assert.ok(await blobs.getTo(sha256, join(top, "copy")));
        assert.ok(readFileSync(join(top, "copy")).equals(content));
      },
    ),
    { numRuns: 15 },
  );
  assert.ok(!filesIn(folder).some((name) => name.endsWith(".tmp")));
  const before = filesIn(folder).length;
  await Promise.all(Array.from({ length: 5 }, () => blobs.put(Buffer.from("at once"))));
  assert.equal(filesIn(folder).length, before + 1);
});

test("what is missing is undefined; what is damaged, hostile or too much is an error", async () => {
  const { blobs, folder } = folderStore("damaged");
  const missing = "0".repeat(64);
  assert.equal(await blobs.has(missing), false);
  assert.equal(await blobs.get(missing), undefined);
  assert.equal(await blobs.read(missing, 0, 1), undefined);
  assert.equal(await blobs.getTo(missing, join(top, "none")), false);
  const { sha256 } = await blobs.put(Buffer.from("content"));
  writeFileSync(join(folder, sha256.slice(0, 2), sha256), "c0ntent");
  await assert.rejects(blobs.get(sha256), { code: "damaged" });
  await assert.rejects(blobs.getTo(sha256, join(top, "none")), { code: "damaged" });
  assert.ok(!readdirSync(top).some((name) => name === "none" || name.endsWith(".tmp")));
  for (const name of [
    "../../etc/passwd",
    "",
    missing.slice(1),
    missing.toUpperCase().replace("0", "A"),
  ])
    await assert.rejects(async () => blobs.get(name), { code: "refused" }, name);
  for (const [from, length] of [
    [-1, 1],
    [0, -1],
    [0, PART_BYTES_MAX + 1],
    [0.5, 1],
  ] as const)
    await assert.rejects(async () => blobs.read(sha256, from, length), { code: "refused" });
  const huge = join(top, "huge");
  writeFileSync(huge, "");
  truncateSync(huge, BLOB_BYTES_MAX + 1);
  await assert.rejects(blobs.put({ file: huge }), { code: "too-big" });
});

test("addresses of stores, and what is wrong with others", () => {
  const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "hunter2" };
  const problem = (address: string, given: NodeJS.ProcessEnv = env): string => {
    const found = blobsAt(address, given);
    return found.ok ? "" : found.problem;
  };
  const good = [
    ...["file:///srv/blobs", "file:///srv/with%20space", "s3://bucket", "s3://bucket/a/b/"],
    ...["s3://bucket/a?endpoint=http://127.0.0.1:9000&region=eu-1", "s3://Bucket.name/a-b_c.d"],
  ];
  for (const address of good) assert.equal(problem(address), "", address);
  const bad: readonly (readonly [string, RegExp])[] = [
    ["", /not the address/],
    ["/srv/blobs", /not the address/],
    ["https://example.org/blobs", /https: is not a kind of store/],
    ["file://host/srv/blobs", /without a host/],
    ["file:///srv?x=1", /no settings/],
    ["s3://", /names a bucket/],
    ["s3://b", /names a bucket/],
    ["s3://bucket/a b", /prefix/],
    ["s3://bucket/a//b", /prefix/],
    ["s3://bucket?endpoint=ftp://x", /the endpoint is/],
    ["s3://bucket?endpoint=http://a:hunter2@x", /the endpoint is/],
    ["s3://bucket?endpoint=http://x/path", /the endpoint is/],
    ["s3://bucket?region=a/b", /region/],
    ["s3://bucket?acl=public", /not acl/],
    ["s3://key:hunter2@bucket/a", /holds credentials/],
  ];
  for (const [address, words] of bad) {
    assert.match(problem(address), words, address);
    assert.doesNotMatch(problem(address), /hunter2/);
  }
  assert.match(problem("s3://bucket", {}), /AWS_ACCESS_KEY_ID/);
});
