/** Journals in a folder that is removed after the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { openJournal, type Journal, type JournalOptions } from "../../src/journal/journal.ts";

const made: string[] = [];
const open = new Set<Journal>();

after(async () => {
  for (const journal of open) await journal.close();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-journal-"));
  made.push(folder);
  return folder;
}

export const newPath = (): string => join(newFolder(), "journal.db");

/** A process that lives for as long as its pid is not among the dead. */
export const pretendedProcess = (
  pid: number,
  dead: ReadonlySet<number> = new Set(),
): JournalOptions["processes"] => ({
  self: { pid, startTime: `start of ${pid}`, bootId: "boot" },
  isDead: (owner) => dead.has(owner.pid),
});

export async function opened(more: Partial<JournalOptions> = {}): Promise<Journal> {
  const journal = await openJournal({ path: newPath(), processes: pretendedProcess(1), ...more });
  open.add(journal);
  return journal;
}

/** What the file holds, seen by another program. */
export function rowsOf<T>(path: string, sql: string): readonly T[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).all() as unknown as readonly T[];
  } finally {
    database.close();
  }
}

/** Counts how often a statement with this text is run on the journal's connection. */
export function counting(sql: string): {
  readonly times: () => number;
  readonly onConnect: (database: DatabaseSync) => void;
} {
  let times = 0;
  return {
    times: () => times,
    onConnect(database) {
      const prepare = database.prepare.bind(database);
      database.prepare = (text) => {
        const statement = prepare(text);
        if (text !== sql) return statement;
        const run = statement.run.bind(statement);
        statement.run = (...values: []) => {
          times += 1;
          return run(...values);
        };
        return statement;
      };
    },
  };
}
