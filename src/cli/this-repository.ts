/**
 * Which runs belong to the repository that the current folder is in. Invariants: folders are compared by their
 * real path; a linked worktree also has the runs of its main checkout, and those of no other worktree; imported
 * history belongs to no repository.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { JournalReader, RunRow } from "../journal/reader.ts";
import { repositoryAt } from "../workspace/repository/inspect.ts";
import type { Places } from "../workspace/repository/inspect.ts";

export type ThisRepository = Pick<Places, "root" | "commonDir">;

/** Undefined outside of every repository. */
async function thisRepository(): Promise<ThisRepository | undefined> {
  const found = await repositoryAt(process.cwd());
  return found.ok ? found.value : undefined;
}

export async function isOf({ root, commonDir }: ThisRepository, repo: string): Promise<boolean> {
  if (repo === root) return true;
  if (repo === "") return false;
  const main = await realpath(join(repo, ".git")).catch(() => undefined);
  return main === commonDir && join(root, ".git") !== commonDir;
}

export interface RunsByPlace {
  /** Undefined outside of every repository. */
  readonly here: ThisRepository | undefined;
  /** Newest first; of this repository. */
  readonly own: readonly RunRow[];
  /** Of other repositories, and imported. */
  readonly others: readonly RunRow[];
}

export async function runsByPlace(journal: JournalReader): Promise<RunsByPlace> {
  const [here, rows] = [await thisRepository(), await journal.runs()];
  const isOwn = new Map<string, boolean>();
  for (const { repo } of rows)
    if (!isOwn.has(repo)) isOwn.set(repo, here !== undefined && (await isOf(here, repo)));
  return {
    here,
    own: rows.filter(({ repo }) => isOwn.get(repo) === true),
    others: rows.filter(({ repo }) => isOwn.get(repo) !== true),
  };
}
