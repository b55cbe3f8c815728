/** What we know of a working tree, in a file beside its private git dir. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { rawView } from "./git-dir.ts";
import { isAttributeFile, isIgnoreFile } from "./ignore-rules.ts";
import { GITLINK_MODE, indexEntries } from "./read-objects.ts";

/** Paths are latin1 bytes. All of it but `lease`, `givenBack`, `stands`, `ready`, `carry` and `keep` can be worked out again. */
export interface TreeState {
  lease: {
    readonly id: string;
    readonly commit: string;
    readonly carried: readonly string[];
    /** Paths asked for that the user's checkout had not, or that git tracks. */
    readonly notCarried: readonly string[];
  } | null;
  /** Its folder is gone, or being made anew: the snapshot that holds what stood there is named after this. */
  givenBack?: string;
  /** Label of the snapshot that holds what stood there when a command last was done with the tree. */
  stands?: string;
  /** What `markReady` was told after the slot's setup ran. */
  ready: string | null;
  carry: string[];
  keep: string[];
  gitlinks: string[];
  nested: string[];
  ignoreFiles: string[];
  attributes: boolean;
  /** Change time of a file written when the rules were frozen, in ns: older files were there. */
  frozenAt: string;
  /** The tree the index stands for, valid while the index ends with this checksum. */
  tree: { readonly index: string; readonly id: string } | null;
}

/** What is written down of a worktree; null where nothing is, or was cut short by a power loss. */
export const readState = (run: Run, key: string): Promise<TreeState | null> =>
  readJson<TreeState>(statePath(run, key));

export async function loadState(run: ActiveRun, worktree: Worktree): Promise<TreeState> {
  const known = await readState(run, worktree.key);
  if (known !== null) return known;
  const fresh = { lease: null, ready: null, carry: [], keep: [], nested: [], frozenAt: "0" };
  return { ...fresh, tree: null, ...(await surveyIndex(run, worktree)) };
}

/** What the index says about special files: asked once per lease, kept up to date by each scan. */
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
