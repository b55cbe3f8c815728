/**
 * Opens the database file: looked over read-only first, then set up for durable writing. Invariants: a file that
 * is damaged, newer or another program's is never opened for writing; an append that was acknowledged survives
 * power loss.
 */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { JournalError, journalError } from "./error.ts";
import { fileSystemType, journalModeFor } from "./file-system.ts";
import type { JournalMode } from "./file-system.ts";
import { BUSY_TIMEOUT_MS, patiently } from "./patience.ts";
import { migrate, SCHEMA_VERSION, versionOf } from "./schema.ts";

export interface ConnectionOptions {
  readonly path: string;
  /** `statfs` type of a folder. */
  readonly fileSystemType?: (folder: string) => number;
  /** Called with the connection as soon as it is open, for tests that limit what it can do. */
  readonly onConnect?: (database: DatabaseSync) => void;
}

export interface Connection {
  readonly database: DatabaseSync;
  readonly mode: JournalMode;
}

/** Up to this size all pages are checked at open (about 1 ms per MB), above it all tables but events. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { path } = options;
  prepareFile(path);
  const isNew = statSync(path).size === 0;
  if (!isNew) await inspect(path);
  const wanted = journalModeFor((options.fileSystemType ?? fileSystemType)(dirname(path)));
  const database = opened(path, false);
  try {
    options.onConnect?.(database);
    // Before anything is written: only then a file can give space back in steps.
    if (isNew) await patiently(path, () => database.exec("PRAGMA auto_vacuum = INCREMENTAL"));
    const mode = await patiently(path, () => {
      const { journal_mode: given } = database.prepare(`PRAGMA journal_mode = ${wanted}`).get() as {
        journal_mode: string;
      };
      return given === "wal" ? "wal" : "delete";
    });
    // EXTRA also syncs the folder after the rollback journal is gone; WAL has no such moment.
    database.exec(`PRAGMA synchronous = ${mode === "wal" ? "FULL" : "EXTRA"}`);
    // Both mean something on macOS only, where fsync alone leaves data in the drive's cache.
    database.exec("PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1");
    database.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    await patiently(path, () => migrate(database, path));
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
    const version = await patiently(path, () => versionOf(database, path));
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
    if (code === "ENOSPC")
      throw new JournalError("disk-full", `No room for the journal ${path}: free space.`, error);
    if (code === "EROFS" || (code === "EACCES" && existsSync(path)))
      throw new JournalError(
        "read-only",
        `The journal ${path} cannot be written (${code}): make it and its folder writable.`,
        error,
      );
    throw new JournalError(
      "cannot-open",
      `The journal ${path} cannot be created (${code}): check its folder.`,
      error,
    );
  }
  // SQLite would take an empty file for a new database and drop a log that belongs to it.
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
    await patiently(path, () => {
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
    const database = new DatabaseSync(path, { readOnly });
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  } catch (error) {
    throw journalError(error, path);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
