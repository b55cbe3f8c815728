/**
 * Incidents of the user, over all runs: small texts by key, changed in one transaction each. Invariant: of two
 * processes that change the same one at once, the second sees what the first made of it.
 */
import type { DatabaseSync } from "node:sqlite";
import type { GroupCommit } from "./group-commit.ts";

export interface Incidents {
  /** `next` undefined ends the incident. The change must have no effect of its own: it may be tried again. */
  change<T>(
    key: string,
    change: (known: string | undefined) => {
      readonly next: string | undefined;
      readonly answer: T;
    },
  ): Promise<T>;
}

export function incidents(database: DatabaseSync, group: GroupCommit): Incidents {
  const find = database.prepare("SELECT state FROM incidents WHERE key = ?");
  const put = database.prepare("INSERT OR REPLACE INTO incidents (key, state) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM incidents WHERE key = ?");
  return {
    change: (key, change) =>
      group.write(() => {
        const row = find.get(key) as { state: string } | undefined;
        const { next, answer } = change(row?.state);
        if (next === undefined && row !== undefined) remove.run(key);
        if (next !== undefined && next !== row?.state) put.run(key, next);
        return answer;
      }),
  };
}
