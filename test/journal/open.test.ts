// proves: U7
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { SCHEMA_VERSION, journalModeFor } from "../../src/journal/database.ts";
import { openJournal, openJournalToRead } from "../../src/journal/journal.ts";
import { appendOf, numbered } from "./appends.ts";
import { newFolder, newPath, opened, pretendedProcess, rowsOf } from "./journals.ts";

const processes = pretendedProcess(1);
const pragmas = (database: DatabaseSync, names: readonly string[]): unknown[] =>
  names.map((name) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
const SETTINGS = [
  "journal_mode",
  "synchronous",
  "fullfsync",
  "checkpoint_fullfsync",
  "busy_timeout",
];

/** A journal with this many events, closed. */
async function filled(path: string, events = 300): Promise<void> {
  const journal = await openJournal({ path, processes });
  const claim = await journal.claim("r", 1);
  const all = Array.from({ length: events }, (_, index) => numbered(index, "w".repeat(400)));
  await journal.append(appendOf(claim, 0, all));
  await journal.close();
}

for (const [type, mode] of [
  [0xef53, "wal"],
  [0x9123683e, "wal"],
  [0x9123683e | 0, "wal"],
  [0x01021994, "wal"],
  [0x794c7630, "wal"],
  [26, "wal"],
  [0x6969, "delete"],
  [0xff534d42, "delete"],
  [0xfe534d42, "delete"],
  [0x01021997, "delete"],
  [0x65735546, "delete"],
  [0x786f4256, "delete"],
  [0, "delete"],
  [0xef54, "delete"],
] as const)
  test(`file system type 0x${(type >>> 0).toString(16)}: ${mode}`, () => {
    assert.equal(journalModeFor(type), mode);
  });

test("settings for durability, with WAL and in the safe mode", async () => {
  const path = newPath();
  const asked: string[] = [];
  let database: DatabaseSync | undefined;
  const onConnect = (given: DatabaseSync): void => void (database = given);
  const wal = await opened({ path, onConnect, fileSystemType: () => 0xef53 });
  assert.ok(database !== undefined);
  assert.equal(wal.mode, "wal");
  const [, , , , timeout] = pragmas(database, SETTINGS);
  assert.deepEqual(pragmas(database, SETTINGS), ["wal", 2, 1, 1, timeout]);
  assert.ok(typeof timeout === "number" && timeout > 0 && timeout <= 50);
  await wal.close();
  const fileSystemType = (folder: string): number => {
    asked.push(folder);
    return 0x6969;
  };
  const safe = await opened({ path, onConnect, fileSystemType });
  assert.equal(safe.mode, "delete");
  assert.deepEqual(pragmas(database, SETTINGS), ["delete", 3, 1, 1, timeout]);
  assert.deepEqual(asked, [join(path, "..")]);
});

test("a new journal is private, makes its folder, and opening it again keeps what is there", async () => {
  const path = join(newFolder(), "not", "there", "yet.db");
  await filled(path);
  assert.equal(statSync(path).mode & 0o077, 0);
  assert.equal(statSync(join(path, "..")).mode & 0o077, 0);
  const journal = await opened({ path });
  assert.equal((await journal.read("r", 1, 1000)).length, 300);
});

test("many that open a new journal at once all get it", async () => {
  const path = newPath();
  const journals = await Promise.all(
    [1, 2, 3, 4].map((pid) => opened({ path, processes: pretendedProcess(pid) })),
  );
  await Promise.all(journals.map((journal, index) => journal.claim(`r${index}`, 1)));
  assert.equal((await journals[0]?.runs())?.length, 4);
});

/** Opens for writing and for reading: both fail alike, and not a byte changes. */
async function refused(
  path: string,
  code: string,
  message: RegExp,
  readCode = code,
): Promise<void> {
  const before = readFileSync(path);
  await assert.rejects(openJournal({ path, processes }), { name: "JournalError", code, message });
  if (readCode !== "") await assert.rejects(openJournalToRead(path), { code: readCode });
  assert.ok(before.equals(readFileSync(path)), "the file is as it was");
}

test("a database of a newer version is refused and left alone", async () => {
  const path = newPath();
  await filled(path, 3);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  database.close();
  await refused(path, "newer-version", /newer Unstuck .* nothing was changed\. Update Unstuck/);
});

test("a database of another program is refused and left alone", async () => {
  for (const setup of [
    "CREATE TABLE notes (text)",
    "PRAGMA application_id = 7",
    "PRAGMA user_version = 1",
  ]) {
    const path = newPath();
    const database = new DatabaseSync(path);
    database.exec(setup);
    database.close();
    await refused(path, "not-a-journal", /another program.*Choose another path/);
  }
});

test("what is no database at all is refused and left alone", async () => {
  const path = newPath();
  writeFileSync(path, "my precious notes ".repeat(200));
  await refused(path, "damaged", /is no database; nothing was changed/);
});

test("damaged pages are found at open, and left alone", async () => {
  const path = newPath();
  await filled(path);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 5 * 4096, 7 * 4096);
  writeFileSync(path, bytes);
  await refused(path, "damaged", /is damaged.*restore it from a backup/is, "");
});

test("a file cut short is found at open, and left alone", async () => {
  const path = newPath();
  await filled(path);
  truncateSync(path, 8 * 4096);
  await refused(path, "damaged", /damaged/, "");
});

test("an emptied file whose log is still there is not taken for a new one", async () => {
  const path = newPath();
  await filled(path, 3);
  writeFileSync(`${path}-wal`, "what was not moved into the file yet");
  truncateSync(path, 0);
  await refused(path, "damaged", /is empty but its log is not/, "");
  assert.ok(statSync(`${path}-wal`).size > 0);
});

test("damaged rows are told apart from an end", async () => {
  const path = newPath();
  await filled(path, 5);
  const database = new DatabaseSync(path);
  database.exec("DELETE FROM events WHERE seq = 3");
  database.exec("INSERT INTO events (place, v, event) VALUES ((1 << 32) + 6, 99, '{}')");
  database.close();
  const journal = await opened({ path });
  assert.equal((await journal.read("r", 1, 2)).length, 2);
  await assert.rejects(journal.read("r", 1, 10), { code: "damaged", message: /Event 3 of run r/ });
  await assert.rejects(journal.read("r", 6, 10), { code: "newer-version", message: /Event 6/ });
});

test("to read: a missing journal, an unfinished one, and nothing can be written", async () => {
  const path = newPath();
  await assert.rejects(openJournalToRead(path), { code: "missing", message: /no journal at/ });
  writeFileSync(path, "");
  await assert.rejects(openJournalToRead(path), { code: "older-version" });
  await filled(path, 3);
  const reader = await openJournalToRead(path);
  assert.equal((await reader.read("r", 1, 10)).length, 3);
  assert.equal((await reader.run("r"))?.seq, 3);
  await reader.close();
  await assert.rejects(reader.runs(), { code: "closed" });
  assert.equal(rowsOf(path, "SELECT * FROM events").length, 3);
});

/** As somebody whom permissions bind, also where tests run as root. */
async function unprivileged(work: () => Promise<void>): Promise<void> {
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (root) process.seteuid?.(0);
  }
}

test("a read-only file, a read-only folder and a folder one may not enter are clear errors", async () => {
  const folder = newFolder();
  const path = join(folder, "journal.db");
  await filled(path, 3);
  const other = join(newFolder(), "closed");
  mkdirSync(other, { mode: 0o000 });
  chmodSync(path, 0o444);
  chmodSync(folder, 0o555);
  await unprivileged(async () => {
    await assert.rejects(openJournal({ path, processes }), {
      code: "read-only",
      message: /cannot be written.*make it and its folder writable/,
    });
    await assert.rejects(openJournal({ path: join(folder, "new.db"), processes }), {
      code: "cannot-open",
      message: /cannot be created \(EACCES\)/,
    });
    await assert.rejects(openJournal({ path: join(other, "journal.db"), processes }), {
      code: "cannot-open",
    });
  });
  chmodSync(folder, 0o755);
  chmodSync(path, 0o644);
  const journal = await opened({ path });
  assert.equal((await journal.read("r", 1, 10)).length, 3);
});

test("a path that is a folder is a clear error", async () => {
  await assert.rejects(openJournal({ path: newFolder(), processes }), { code: "cannot-open" });
});

test("a large journal is checked in part at open, and the rest when it is read", async () => {
  const path = newPath();
  const journal = await opened({ path });
  const claim = await journal.claim("r", 1);
  for (let seq = 0; seq < 7; seq += 1)
    await journal.append(appendOf(claim, seq, [numbered(seq, "w".repeat(10_000_000))]));
  await journal.close();
  const damage = (page: number): void => {
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(path, bytes);
  };
  damage(statSync(path).size / 4096 - 5);
  const partly = await opened({ path });
  assert.equal((await partly.read("r", 1, 3)).length, 3);
  await assert.rejects(partly.read("r", 7, 1), { code: "damaged", message: /is damaged/ });
  await partly.close();
  const [runs] = rowsOf<{ rootpage: number }>(
    path,
    "SELECT rootpage FROM sqlite_schema WHERE name = 'runs'",
  );
  damage(runs?.rootpage ?? 0);
  await refused(path, "damaged", /is damaged/, "");
});
