// proves: U18
import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { keepTimes } from "../../../src/agents/process/transcript-times.ts";
import { transcriptFile } from "../../../src/operations/logs/transcript-file.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-log-"));
  folders.push(folder);
  return folder;
}
const path = (folder: string): string => join(folder, "transcript");

/** What is new, as `time:text`, with `!` where the file began anew. */
async function news(file: ReturnType<typeof transcriptFile>): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const { bytes, at, anew } of file.read())
    pieces.push(`${anew ? "!" : ""}${at ?? "-"}:${bytes.toString()}`);
  return pieces;
}

test("a transcript that is not there yet, grows, is cut and is replaced", async () => {
  const folder = newFolder();
  const file = transcriptFile(folder);
  assert.deepEqual(await news(file), []);
  writeFileSync(path(folder), "one\n");
  assert.deepEqual(await news(file), ["-:one\n"]);
  assert.deepEqual(await news(file), []);
  appendFileSync(path(folder), "two\n");
  assert.deepEqual(await news(file), ["-:two\n"]);
  writeFileSync(path(folder), "new\n");
  assert.deepEqual(await news(file), ["!-:new\n"], "shorter than what was read");
  writeFileSync(join(folder, "other"), "a longer one\n");
  renameSync(join(folder, "other"), path(folder));
  assert.deepEqual(await news(file), ["!-:a longer one\n"], "another file under its name");
});

test("a long transcript comes in pieces, all of it, in order", async () => {
  const folder = newFolder();
  const text = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join("");
  writeFileSync(path(folder), text);
  const pieces: Buffer[] = [];
  for await (const { bytes } of transcriptFile(folder).read()) pieces.push(bytes);
  assert.ok(pieces.every(({ length }) => length <= 64 * 1024) && pieces.length > 5);
  assert.equal(Buffer.concat(pieces).toString(), text);
});

test("each part has the time at which it was printed; what nobody noted has none", async () => {
  const folder = newFolder();
  let now = 1000;
  const times = keepTimes(path(folder), () => now);
  const write = async (text: string, at: number): Promise<void> => {
    now = at;
    await times.note(readFileSync(path(folder)).length);
    appendFileSync(path(folder), text);
  };
  writeFileSync(path(folder), "before\n");
  const file = transcriptFile(folder);
  await write("a\n", 1000);
  await write("b\n", 1050);
  await write("c\n", 2000);
  assert.deepEqual(await news(file), ["-:before\n", "1000:a\nb\n", "2000:c\n"]);
  await write("d\n", 3000);
  assert.deepEqual(await news(file), ["3000:d\n"]);
  await times.close();
  const late = transcriptFile(folder);
  assert.deepEqual(await news(late), ["-:before\n", "1000:a\nb\n", "2000:c\n", "3000:d\n"]);
});

for (const [name, noted] of [
  ["nonsense", "x y\n\n7\n-1 -1\n"],
  ["a line that is cut off", "0 1000"],
  ["places that go back", "4 1000\n0 2000\n"],
  ["numbers that are none", "0 1e999\n1.5 3\n"],
] as const)
  test(`times of a file with ${name}: all of the transcript is read`, async () => {
    const folder = newFolder();
    writeFileSync(path(folder), "some text\n");
    writeFileSync(`${path(folder)}-times`, noted);
    const read = (await news(transcriptFile(folder))).map((piece) => piece.replace(/^[^:]*:/, ""));
    assert.equal(read.join(""), "some text\n");
  });

test("times are few: a folder that refuses them costs nothing else", async () => {
  const times = keepTimes(join(newFolder(), "gone", "transcript"));
  await times.note(0);
  await times.close();
});
