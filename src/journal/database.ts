/**
 * The journal's database file: its tables, their forward-only migrations, and opening it: it is inspected read-only
 * first, then set up for durable writing. Invariants: a released migration step is never edited, only new ones are
 * added; a step and its version number are one transaction; a file that is damaged, newer or another program's is never
 * opened for writing; an acknowledged append survives power loss; an unknown file system gets no WAL.
 */
import { closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { BUSY_TIMEOUT_MS, JournalError, journalError, retryWhileLocked } from "./error.ts";
import type { JournalErrorCode } from "./error.ts";
import { sqlite } from "./sqlite.ts";

/** "unst": marks the file as a journal of Unstuck. */
const APPLICATION_ID = 0x756e7374;

const STEPS: readonly string[] = [
  `CREATE TABLE runs (
     number  INTEGER PRIMARY KEY,
     id      TEXT NOT NULL UNIQUE,
     created INTEGER NOT NULL,
     repo    TEXT NOT NULL DEFAULT '',
     title   TEXT NOT NULL DEFAULT '',
     phase   TEXT NOT NULL DEFAULT 'new',
     outcome TEXT,
     seq     INTEGER NOT NULL DEFAULT 0,
     changed INTEGER,
     epoch   INTEGER NOT NULL DEFAULT 0,
     pid     INTEGER,
     started TEXT,
     boot    TEXT
   ) STRICT;
   CREATE TABLE events (
     place INTEGER PRIMARY KEY,
     run   INTEGER GENERATED ALWAYS AS (place >> 32) VIRTUAL,
     seq   INTEGER GENERATED ALWAYS AS (place & 4294967295) VIRTUAL,
     v     INTEGER NOT NULL,
     event TEXT NOT NULL
   ) STRICT;
   CREATE TRIGGER events_are_append_only BEFORE UPDATE ON events
     BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
   CREATE TABLE snapshots (
     run   INTEGER PRIMARY KEY,
     seq   INTEGER NOT NULL,
     shape TEXT NOT NULL,
     state TEXT NOT NULL
   ) STRICT;
   CREATE TABLE inbox (
     id    INTEGER PRIMARY KEY AUTOINCREMENT,
     run   INTEGER NOT NULL,
     v     INTEGER NOT NULL,
     input TEXT NOT NULL
   ) STRICT;
   CREATE INDEX inbox_by_run ON inbox (run, id);`,
  `CREATE TABLE incidents (
     key   TEXT PRIMARY KEY,
     state TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  "ALTER TABLE runs ADD COLUMN summary TEXT;",
  `CREATE TABLE learned (
     repository TEXT PRIMARY KEY,
     changed    INTEGER NOT NULL,
     text       TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
];

/**
 * An event's key is its run's number times this plus its sequence number: one B-tree to write, and a run's events are
 * adjacent.
 */
export const PLACES_PER_RUN = 2 ** 32;

export const SCHEMA_VERSION = STEPS.length;

/** The version of an existing database; 0 if it is empty. Throws for one that is not ours to write. */
function versionOf(database: DatabaseSync, path: string): number {
  const application = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get();
  const isNew = application === 0 && version === 0 && tables?.["count"] === 0;
  if (!isNew && application !== APPLICATION_ID)
    throw new JournalError(
      "not-a-journal",
      `${path} is a database of another program; nothing was changed. Choose another path.`,
    );
  if (version > SCHEMA_VERSION)
    throw new JournalError(
      "newer-version",
      `The journal ${path} was written by a newer Unstuck (schema ${version}, this one knows ` +
        `${SCHEMA_VERSION}); nothing was changed. Update Unstuck.`,
    );
  return version;
}

/** Migrates the schema to this version; SQLite's busy error means: try again later. */
function migrate(database: DatabaseSync, path: string): void {
  if (versionOf(database, path) === SCHEMA_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of STEPS.slice(versionOf(database, path))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Reads a numeric PRAGMA. */
export function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return row[name] ?? 0;
}

export interface ConnectionOptions {
  readonly path: string;
  /** `statfs` type of a folder. */
  readonly fileSystemType?: (folder: string) => number;
  /** Called with the connection as soon as it is open, for tests that limit what it can do. */
  readonly onConnect?: (database: DatabaseSync) => void;
}

/** Up to this size all pages are checked at open (about 1 ms per MB), above it all tables but events. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

export async function connect(
  options: ConnectionOptions,
): Promise<{ readonly database: DatabaseSync; readonly mode: JournalMode }> {
  const { path, fileSystemType: typeOf = (folder) => statfsSync(folder).type } = options;
  prepareFile(path);
  const isNew = statSync(path).size === 0;
  if (!isNew) await inspect(path);
  const wanted = journalModeFor(typeOf(dirname(path)));
  const database = opened(path, false);
  try {
    options.onConnect?.(database);
    // Must be set before anything is written: only then can the file give space back incrementally.
    if (isNew)
      await retryWhileLocked(path, () => database.exec("PRAGMA auto_vacuum = INCREMENTAL"));
    const mode = await retryWhileLocked(path, () => {
      const given = database.prepare(`PRAGMA journal_mode = ${wanted}`).get();
      return given?.["journal_mode"] === "wal" ? "wal" : "delete";
    });
    // EXTRA also syncs the folder after the rollback journal is deleted; WAL has no such step.
    database.exec(`PRAGMA synchronous = ${mode === "wal" ? "FULL" : "EXTRA"}`);
    // Both matter on macOS only, where fsync alone leaves data in the drive's cache.
    database.exec("PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1");
    database.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    await retryWhileLocked(path, () => migrate(database, path));
    return { database, mode };
  } catch (error) {
    database.close();
    throw error;
  }
}

export async function connectToRead(path: string): Promise<DatabaseSync> {
  if (!existsSync(path))
    throw new JournalError("missing", `There is no journal at ${path}. Start a run first.`);
  const database = opened(path, true);
  try {
    const version = await retryWhileLocked(path, () => versionOf(database, path));
    if (version < SCHEMA_VERSION)
      throw new JournalError(
        "older-version",
        `The journal ${path} is of an older version. Start or resume a run once to update it.`,
      );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const fail = (kind: JournalErrorCode, what: string): never => {
      throw new JournalError(kind, what, error);
    };
    if (code === "ENOSPC") fail("disk-full", `No room for the journal ${path}: free space.`);
    if (code === "EROFS" || (code === "EACCES" && existsSync(path)))
      fail(
        "read-only",
        `The journal ${path} cannot be written (${code}): make it and its folder writable.`,
      );
    fail("cannot-open", `The journal ${path} cannot be created (${code}): check its folder.`);
  }
  // SQLite would take an empty file for a new database and drop the log that belongs to it.
  if (statSync(path).size === 0 && sizeOf(`${path}-wal`) > 0)
    throw new JournalError(
      "damaged",
      `The journal ${path} is empty but its log is not; nothing was changed. Restore the file ` +
        "from a backup, or move both away.",
    );
}

/** Throws if the file is not a sound journal of this version or an older one. */
async function inspect(path: string): Promise<void> {
  const database = opened(path, true);
  try {
    await retryWhileLocked(path, () => {
      const version = versionOf(database, path);
      const whole = sizeOf(path) + sizeOf(`${path}-wal`) <= CHECKED_BYTES_MAX;
      const parts = whole || version === 0 ? [""] : ["(runs)", "(snapshots)", "(inbox)"];
      for (const part of parts) {
        const row = database.prepare(`PRAGMA quick_check${part}`).get() as { quick_check: string };
        if (row.quick_check !== "ok")
          throw new JournalError(
            "damaged",
            `The journal ${path} is damaged (${row.quick_check}); nothing was changed. Restore ` +
              "it from a backup, or move it away to start a new one.",
          );
      }
    });
  } finally {
    database.close();
  }
}

function opened(path: string, readOnly: boolean): DatabaseSync {
  try {
    const database = new sqlite.DatabaseSync(path, { readOnly });
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  } catch (error) {
    throw journalError(error, path);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export type JournalMode = "wal" | "delete";

/** `statfs` types of local file systems: the numbers of the kernel's magic.h, and of macOS for APFS. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs, as in containers
  0x3153464a, // JFS
  26, // APFS
]);

/**
 * WAL needs memory shared by all processes: not available on NFS, SMB, 9p, FUSE, virtiofs, shared folders and unknown
 * file systems.
 */
export const journalModeFor = (type: number): JournalMode =>
  LOCAL.has(type >>> 0) ? "wal" : "delete";
