/**
 * What was learned in each repository, stored beside the journal's events: one text per repository. It is in the
 * database because several runs of one repository may end subtasks at the same moment, and an interrupted change must
 * leave the text as it was. Invariants: of two processes that change the same text at once, the second sees the result
 * of the first; the texts of repositories not updated for longest are dropped first.
 */
import type { DatabaseSync } from "node:sqlite";
import { LOCK_WAIT_MS, retryWhileLocked } from "./error.ts";
import type { GroupCommit } from "./group-commit.ts";

interface LearnedText {
  readonly repository: string;
  readonly text: string;
}

export interface Learned {
  /** Most recently changed first. */
  all(): Promise<readonly LearnedText[]>;
  /** `next` undefined forgets the text. The change must have no side effect: it may be repeated. */
  change(
    repository: string,
    at: number,
    change: (known: string | undefined) => string | undefined,
  ): Promise<void>;
}

const REPOSITORIES_MAX = 200;

export function learned(database: DatabaseSync, group: GroupCommit, path: string): Learned {
  const list = database.prepare("SELECT repository, text FROM learned ORDER BY changed DESC");
  const find = database.prepare("SELECT text FROM learned WHERE repository = ?");
  const put = database.prepare(
    "INSERT OR REPLACE INTO learned (repository, changed, text) VALUES (?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM learned WHERE repository = ?");
  const removeOldest = database.prepare(
    `DELETE FROM learned WHERE repository IN
       (SELECT repository FROM learned ORDER BY changed DESC LIMIT -1 OFFSET ${REPOSITORIES_MAX})`,
  );
  return {
    all: () => retryWhileLocked(path, () => list.all() as unknown as LearnedText[]),
    change: (repository, at, change) =>
      group.write(() => {
        const row = find.get(repository) as { text: string } | undefined;
        const next = change(row?.text);
        if (next === row?.text) return;
        if (next === undefined) return void remove.run(repository);
        put.run(repository, at, next);
        removeOldest.run();
      }, LOCK_WAIT_MS),
  };
}
