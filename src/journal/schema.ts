/**
 * The tables of the journal and their forward-only migrations. Invariants: a step is never edited once released,
 * only added; the step and the new version are one transaction; a database that is not ours, or newer, is refused
 * before anything is written.
 */
import type { DatabaseSync } from "node:sqlite";
import { JournalError } from "./error.ts";

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
];

/** An event's key is its run's number times this plus its sequence: one tree to write, and each run's events together. */
export const PLACES_PER_RUN = 2 ** 32;

export const SCHEMA_VERSION = STEPS.length;

/** The version of an existing database; 0 if it is empty. Throws for one that is not ours to write. */
export function versionOf(database: DatabaseSync, path: string): number {
  const application = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get() as {
    count: number;
  };
  const isNew = application === 0 && version === 0 && tables.count === 0;
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

/** Brings the schema up to date; SQLite's busy error means: try again later. */
export function migrate(database: DatabaseSync, path: string): void {
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

/** The number a setting of the database stands at. */
export function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return row[name] ?? 0;
}
