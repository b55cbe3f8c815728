/**
 * What repositories have taught, beside the journal's events: one text for each repository. In the database and not in
 * files, because several runs of one repository may end subtasks at the same moment, and a change that a crash cuts off
 * must leave the text as it was. Invariants: of two processes that change the same text at once, the second sees what
 * the first made of it; of repositories that nothing was learned in for longest, the texts go first.
 */
import type { DatabaseSync } from "node:sqlite";
import { LOCK_WAIT_MS, retryWhileLocked } from "./error.ts";
import type { GroupCommit } from "./group-commit.ts";

interface LearnedText {
  readonly repository: string;
  readonly text: string;
}

export interface Learned {
  /** Of all repositories, the one that changed last first. */
  all(): Promise<readonly LearnedText[]>;
  /** `next` undefined forgets it. The change must have no effect of its own: it may be tried again. */
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
