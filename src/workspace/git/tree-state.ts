/** What we know about a working tree, in a file next to its private git dir. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { rawView } from "./git-dir.ts";
import { isAttributeFile, isIgnoreFile } from "./ignore-rules.ts";
import { GITLINK_MODE, indexEntries } from "./read-objects.ts";

/**
 * Paths are latin1 bytes. Everything except `lease`, `givenBack`, `stands`, `ready`, `carry` and `keep` can be computed
 * again.
 */
export interface TreeState {
  lease: {
    readonly id: string;
    readonly commit: string;
    readonly carried: readonly string[];
    /** Requested paths that the user's checkout did not have, or that git tracks. */
    readonly notCarried: readonly string[];
  } | null;
  /** The folder is gone or being recreated: the name of the snapshot with its content derives from this. */
  givenBack?: string;
  /** Label of the snapshot of the tree's content when a command last finished with it. */
  stands?: string;
  /** The mark passed to `markReady` after the slot's set-up ran. */
  ready: string | null;
  carry: string[];
  keep: string[];
  gitlinks: string[];
  nested: string[];
  ignoreFiles: string[];
  attributes: boolean;
  /** Change time, in ns, of a file written when the rules were frozen: older files were there before. */
  frozenAt: string;
  /** The tree that the index represents, valid while the index ends with this checksum. */
  tree: { readonly index: string; readonly id: string } | null;
}

/** The record of a worktree; null if there is none, or if a power loss cut it short. */
export const readState = (run: Run, key: string): Promise<TreeState | null> =>
  readJson<TreeState>(statePath(run, key));

export async function loadState(run: ActiveRun, worktree: Worktree): Promise<TreeState> {
  const known = await readState(run, worktree.key);
  if (known !== null) return known;
  const fresh = { lease: null, ready: null, carry: [], keep: [], nested: [], frozenAt: "0" };
  return { ...fresh, tree: null, ...(await surveyIndex(run, worktree)) };
}

/** What the index says about special files: read once per lease, then updated by each scan. */
export async function surveyIndex(
  run: ActiveRun,
  worktree: Worktree,
): Promise<Pick<TreeState, "gitlinks" | "ignoreFiles" | "attributes">> {
  if (!existsSync(join(layout(run.runDir).rawGit(worktree.key), "index")))
    return { gitlinks: [], ignoreFiles: [], attributes: false };
  const entries = await indexEntries(rawView(run, worktree, "own"), run.control);
  const paths = [...entries.keys()];
  return {
    gitlinks: paths.filter((path) => entries.get(path)?.startsWith(GITLINK_MODE)),
    ignoreFiles: paths.filter(isIgnoreFile),
    attributes: paths.some(isAttributeFile),
  };
}

export const statePath = (run: Run, key: string): string =>
  join(layout(run.runDir).private(key), "state.json");
