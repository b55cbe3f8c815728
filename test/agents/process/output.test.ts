// proves: U9
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import type { Transcript } from "../../../src/runtime/agent-result.ts";
import { redactionOf } from "../../../src/core/redact/redaction.ts";
import { collectOutput, createWindow, openTranscript } from "../../../src/agents/process/output.ts";
import { newFolder } from "./processes.ts";

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

test("a window keeps both ends of any output and says what it left out", () => {
  const chunks = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), { maxLength: 30 });
  const size = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(chunks, size, size, (parts, headBytes, tailBytes) => {
      const window = createWindow({ headBytes, tailBytes });
      for (const part of parts) window.push(Buffer.from(part));
      const all = parts.join("");
      assert.equal(window.bytes, all.length);
      const left = all.length - headBytes - tailBytes;
      assert.equal(window.cut, left > 0);
      const expected =
        left <= 0
          ? all
          : `${all.slice(0, headBytes)}\n[... ${left} bytes left out ...]\n${all.slice(-tailBytes)}`;
      assert.equal(window.text(), expected);
    }),
  );
});

test("the transcript's hash is of exactly the bytes in the file, also at the size limit", async () => {
  for (const [maxBytes, complete] of [
    [1000, true],
    [25, false],
    [0, false],
  ] as const) {
    const path = join(newFolder(), "transcript");
    const file = await openTranscript({ path, maxBytes, onRoom: () => undefined });
    file.write("stdout", Buffer.from("line one\nline "));
    file.write("stderr", Buffer.from("a warning\n"));
    file.write("stdout", Buffer.from("two\nno end"));
    const transcript = await file.close();
    const bytes = readFileSync(path);
    const whole = "line one\na warning\nline two\nno end";
    assert.equal(bytes.toString(), whole.slice(0, maxBytes));
    assert.deepEqual(transcript, { path, bytes: bytes.length, sha256: sha256(bytes), complete });
  }
});

test("a line is not broken by the other stream, however its parts arrive", async () => {
  const path = join(newFolder(), "transcript");
  const file = await openTranscript({ path, maxBytes: 1e9, onRoom: () => undefined });
  file.write("stdout", Buffer.from("par"));
  file.write("stderr", Buffer.from("warning\n"));
  file.write("stdout", Buffer.from("tial\n"));
  await file.close();
  assert.equal(readFileSync(path, "utf8"), "warning\npartial\n");
});

test("a source faster than the disk is held back: little is ever waiting in memory", async () => {
  const path = join(newFolder(), "transcript");
  const chunk = Buffer.alloc(64 * 1024, "0123456789abcde\n");
  let made = 0;
  let ahead = 0;
  const fast = Readable.from(
    (function* () {
      for (let count = 0; count < 800; count += 1) {
        made += chunk.length;
        ahead = Math.max(ahead, made - statSync(path).size);
        yield chunk;
      }
    })(),
    { objectMode: false },
  );
  const output = await collectOutput(fast, Readable.from([]), {
    redaction: redactionOf([]),
    window: { headBytes: 100, tailBytes: 100 },
    transcript: { path, maxBytes: 1e9 },
  });
  const { transcript } = await output.finish();
  assert.equal(transcript?.bytes, 800 * chunk.length);
  assert.ok(ahead < 4 * 1024 * 1024, `${ahead} bytes ahead of the disk`);
});

test("a line longer than the bound is written on, in order", async () => {
  const path = join(newFolder(), "transcript");
  const file = await openTranscript({ path, maxBytes: 1e9, onRoom: () => undefined });
  const part = Buffer.alloc(40_000, "x");
  for (let count = 0; count < 5; count += 1) file.write("stdout", part);
  file.write("stdout", Buffer.from("end\n"));
  await file.close();
  assert.equal(readFileSync(path, "utf8"), `${"x".repeat(200_000)}end\n`);
});

test("an existing transcript is never overwritten", async () => {
  const path = join(newFolder(), "transcript");
  writeFileSync(path, "first attempt");
  await assert.rejects(openTranscript({ path, maxBytes: 9, onRoom: () => undefined }), /EEXIST/);
  assert.equal(readFileSync(path, "utf8"), "first attempt");
});

test("a writer that is ahead of the disk is told to wait, and later to go on", async () => {
  const path = join(newFolder(), "transcript");
  const room = Promise.withResolvers<void>();
  const file = await openTranscript({ path, maxBytes: 1e9, onRoom: room.resolve });
  const block = Buffer.alloc(300_000, "y\n");
  const answers = [1, 2, 3, 4].map(() => file.write("stdout", block));
  assert.deepEqual(answers, [false, false, false, true]);
  await room.promise;
  assert.equal((await file.close()).bytes, 1_200_000);
});

test("a disk that refuses ends the recording with its reason; the hash is of what it took", () => {
  const path = join(newFolder(), "transcript");
  const program = join(import.meta.dirname, "transcript-program.ts");
  const limited = `ulimit -f 16 && exec "$0" "$1" "$2"`;
  const printed = execFileSync("sh", ["-c", limited, process.execPath, program, path]);
  const transcript = JSON.parse(printed.toString()) as Transcript;
  const bytes = readFileSync(path);
  assert.ok(bytes.length > 0 && bytes.length < 100_000, `${bytes.length} bytes`);
  assert.deepEqual(transcript, {
    path,
    bytes: bytes.length,
    sha256: sha256(bytes),
    complete: false,
    problem: "EFBIG",
  });
});
