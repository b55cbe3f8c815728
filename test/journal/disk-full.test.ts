// proves: U7
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { JournalOptions } from "../../src/journal/journal.ts";
import { appendOf, numbered } from "./appends.ts";
import { newFolder, newPath, opened } from "./journals.ts";

interface Disk {
  readonly options: Partial<JournalOptions>;
  /** Leaves room for so little that it is soon full. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** A database that may not grow any more. */
function limitedFile(): Disk {
  let database: DatabaseSync | undefined;
  const limit = (pages: number): void => database?.exec(`PRAGMA max_page_count = ${pages}`);
  return {
    options: { path: newPath(), onConnect: (given) => void (database = given) },
    fill: () => limit(20),
    free: () => limit(1_000_000),
    remove: () => {},
  };
}

/** A disk of its own, where the system lets us have one. */
function smallDisk(): Disk | undefined {
  const folder = newFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]).status !== 0)
    return undefined;
  const ballast = join(folder, "ballast");
  return {
    options: { path: join(folder, "journal.db") },
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, "x".repeat((bavail - 12) * bsize));
    },
    free: () => rmSync(ballast),
    remove: () => void spawnSync("umount", [folder]),
  };
}

async function survivesFull(disk: Disk): Promise<void> {
  const journal = await opened(disk.options);
  try {
    const claim = await journal.claim("r", 1);
    const events = [1, 2].map((number) => numbered(number, "w".repeat(4000)));
    let seq = 0;
    const append = async (): Promise<void> => {
      const appended = await journal.append(appendOf(claim, seq, events));
      assert.ok(appended.ok);
      seq = appended.seq;
    };
    await append();
    disk.fill();
    await assert.rejects(
      async () => {
        for (let times = 0; times < 100; times += 1) await append();
      },
      { code: "disk-full", message: /free disk space.*nothing is lost/ },
    );
    assert.equal((await journal.read("r", 1, 1000)).length, seq, "nothing acknowledged is gone");
    await assert.rejects(append(), { code: "disk-full" });
    disk.free();
    await append();
    const rows = await journal.read("r", 1, 1000);
    assert.equal(rows.length, seq);
    assert.deepEqual(rows.at(-1)?.event, events[1]);
  } finally {
    await journal.close();
    disk.remove();
  }
}

test("a full disk is a clear error, loses nothing, and is over when there is room", () =>
  survivesFull(limitedFile()));

const disk = smallDisk();
if (disk !== undefined) test("the same on a disk that is really full", () => survivesFull(disk));
