/**
 * The record of a run as it is written to disk, the layout of its folder, and the names of its refs. `workspace.json`
 * is written last, so a folder that has it is complete.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** The few user settings that decide how files are read; no others are copied. */
export type Settings = Readonly<Record<string, string>>;

/** The user's filter drivers and LFS store when the run was opened. */
export interface FilterSettings {
  /** `filter.<driver>.<variable>` and `lfs.extension.<name>.<variable>`, in the order of the config. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly lfsObjects: string;
}

/** The author of commits. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** A repository of the user. */
export interface Repository {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
}

/** What decides how the user's files are read. */
export interface FileRules {
  readonly settings: Settings;
  /** The user's ignore and attribute lines from outside the tree. */
  readonly ignoreLines: string;
  readonly attributeLines: string;
  /** Missing in runs opened before filters were supported; they continue without. */
  readonly filters?: FilterSettings;
}

/** What `openRun` created, as written to `workspace.json` in the run's folder. */
export interface Run extends Repository, FileRules {
  readonly version: 1;
  readonly id: string;
  readonly runDir: string;
  readonly branch: string | null;
  /** The user's commit that the pin ref protects; null if there was no commit yet. */
  readonly pinned: string | null;
  /** The run's first commit: the pinned one, a snapshot of the user's changes, or an empty one. */
  readonly base: string;
  readonly withChanges: boolean;
  readonly skipped: readonly Skipped[];
  /** The user's identity when the run was opened, so that a commit made again is identical. */
  readonly identity?: Identity;
}

/** The key of the user's own checkout. Our keys start with an underscore, which no slot name does. */
export const CHECKOUT = "_checkout";

/** A working tree that the run manages: a slot, or the user's own checkout. */
export interface Worktree {
  readonly key: string;
  readonly path: string;
}

export interface Skipped {
  readonly path: string;
  readonly reason: "too-big" | "too-deep" | "unreadable" | "unstorable-name" | "nested-repository";
  readonly bytes: number;
}

/**
 * The paths in a run's folder:
 *
 * - workspace.json: the run, written last
 * - store/: git objects, the run's own
 * - clone.git/: refs, branches and snapshots
 * - clean.git/: makes commits with the user's conversions
 * - slots/<key>/: where agents work
 * - checks/<n>/: where checks run, never given to an agent
 * - private/<key>/: our own view of a tree
 * - kept/: what was moved aside
 * - carried/: copies of carried paths
 * - lfs/: the run's LFS objects, links to the user's where possible
 * - outside-ignore: ignore rules from outside the tree
 * - tags: the user's tags, packed
 */
export const layout = (runDir: string) => ({
  record: join(runDir, "workspace.json"),
  store: join(runDir, "store"),
  clone: join(runDir, "clone.git"),
  clean: join(runDir, "clean.git"),
  shallow: join(runDir, "clone.git", "shallow"),
  outsideRules: join(runDir, "outside-ignore"),
  tags: join(runDir, "tags"),
  slots: join(runDir, "slots"),
  checks: join(runDir, "checks"),
  kept: join(runDir, "kept"),
  carried: join(runDir, "carried"),
  private: (key: string) => join(runDir, "private", key),
  rawGit: (key: string) => join(runDir, "private", key, "git"),
  filterGit: (key: string) => join(runDir, "private", key, "filter-git"),
  forms: (key: string) => join(runDir, "private", key, "forms.json"),
  lfs: join(runDir, "lfs"),
});

/** Ref names: the result, a subtask's good commits, snapshots, and the pin in the user's repository. */
export const refs = {
  result: (run: string) => `refs/heads/unstuck/${run}`,
  pin: (run: string) => `refs/unstuck/${run}/base`,
  base: "refs/unstuck/base",
  subtask: (id: string) => `refs/unstuck/subtask/${encoded(id)}`,
  snapshots: "refs/unstuck/snap/",
  snapshot: (label: string) => `refs/unstuck/snap/${encoded(label)}`,
} as const;

/** Encodes any text as one ref component: flat, so that no label can shadow another. */
function encoded(label: string): string {
  const safe = Buffer.from(label, "utf8")
    .toString("latin1")
    .replace(/[^A-Za-z0-9_-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, "0")}`);
  if (safe.length <= 200) return safe;
  return `${safe.slice(0, 160)}-${createHash("sha256").update(label).digest("hex").slice(0, 32)}`;
}
