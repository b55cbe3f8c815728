/**
 * A temporary clone of the user's HEAD, outside of any run, in which something is read or run. Invariants: work in it
 * changes nothing of the user's; it is removed afterwards, even if the work failed.
 */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { forceRemove, removeLeftovers } from "../../workspace/base/remove.ts";
import { environmentFor } from "../../workspace/carry/environment.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { throwAwayClone } from "../../workspace/repository/throw-away-clone.ts";
import { userEnvironment } from "../composition.ts";
import { openHome } from "../home.ts";
import { defined } from "../operation.ts";
import { refusalText, refused } from "../runs/open-run.ts";

export interface ThrowAwayTree {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Creates a private folder next to the tree. */
  readonly folder: (name: string) => string;
}

const NAME = "look-";
export async function inThrowAwayTree<T>(
  repository: Inspection,
  signal: AbortSignal | undefined,
  work: (tree: ThrowAwayTree) => Promise<T>,
): Promise<T> {
  const { root } = openHome();
  await removeLeftovers(root, NAME);
  const all = mkdtempSync(join(root, NAME));
  try {
    const cwd = join(all, "tree");
    const made = await throwAwayClone(repository, cwd, defined({ signal }));
    if (!made.ok) throw refused(made.refusal, `cannot clone: ${refusalText(made.refusal)}`);
    const { env } = environmentFor(repository.root, cwd, userEnvironment());
    const folder = (name: string): string => {
      const path = join(all, name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    };
    return await work({ cwd, env, folder });
  } finally {
    await forceRemove(all);
  }
}
