/**
 * The words of the git workspace: what a run, a slot's working tree and a snapshot are, and every reason why an
 * operation may be refused. Plain data only: all of it survives JSON.
 */

export type RefusalKind =
  | "git-missing"
  | "git-too-old"
  | "not-a-repository"
  | "not-owned"
  | "bare-repository"
  | "busy-repository"
  | "unmerged-files"
  | "sparse-checkout"
  | "objects-missing"
  | "run-inside-repository"
  | "repository-gone"
  | "damaged-run"
  | "no-such-commit"
  | "no-such-snapshot"
  | "not-an-ancestor"
  | "ref-moved"
  | "branch-checked-out"
  | "branch-in-the-way"
  | "conflict"
  | "overlap"
  | "taken-back"
  | "not-applied"
  | "changed-since"
  | "half-changed"
  | "locked"
  | "worktree-missing"
  | "worktree-replaced"
  | "unsafe-path"
  | "filter-failed"
  | "disk-full"
  | "file-system"
  | "git-failed"
  | "too-slow"
  | "aborted";

export interface Refusal {
  readonly kind: RefusalKind;
  /** One plain sentence for a person; may hold foreign text, so tame it before a terminal. */
  readonly detail: string;
  readonly files?: readonly string[];
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Every place where a process may die; a repeated call goes on from what is there. */
export const POINTS = [
  "open:pinned",
  "open:cloned",
  "open:based",
  "lease:rescued",
  "lease:cleaned",
  "lease:written",
  "lease:git-moved",
  "lease:git-made",
  "back:kept",
  "back:marked",
  "back:restored",
  "carry:kept",
  "carry:copied",
  "check:cleaned",
  "check:filled",
  "check:prepared",
  "snapshot:scanned",
  "snapshot:staged",
  "snapshot:tree",
  "snapshot:commit",
  "restore:rescued",
  "restore:aside",
  "restore:written",
  "good:commit",
  "merge:commit",
  "publish:packed",
  "apply:rescued",
  "apply:packed",
  "apply:written",
  "apply:staged",
  "undo:rescued",
  "undo:files",
  "undo:staged",
  "clean:marked",
  "clean:slots",
  "clean:branch",
  "clean:unpinned",
  "clean:clone",
] as const;
export type Point = (typeof POINTS)[number];

/** Handed to every operation: stop it, watch it, or (in tests) die inside it. */
export interface Control {
  readonly signal?: AbortSignal;
  readonly onPoint?: (name: Point) => void | Promise<void>;
  readonly onGit?: (args: readonly string[]) => void;
  /** How long one git may run while filter programs of the user's are at work. */
  readonly filterLimitMs?: number;
}

/** The few settings of the user's that decide how files are read; nothing else is carried over. */
export type Settings = Readonly<Record<string, string>>;

/** The user's own filter drivers and LFS store, as they stood when the run was opened. */
export interface FilterSettings {
  /** `filter.<driver>.<variable>` and `lfs.extension.<name>.<variable>`, in the order of the config. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly lfsObjects: string;
}

export interface Inspection {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /** `commit` is null when there is no commit yet, `branch` when HEAD is detached. */
  readonly head: { readonly commit: string | null; readonly branch: string | null };
  readonly dirty: {
    readonly staged: readonly string[];
    readonly unstaged: readonly string[];
    readonly untracked: readonly string[];
    readonly unmerged: readonly string[];
  };
  readonly shallow: boolean;
  readonly partial: boolean;
  readonly sparse: boolean;
  readonly linkedWorktree: boolean;
  readonly submodules: boolean;
  readonly lfs: boolean;
  readonly operation: "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | null;
  readonly settings: Settings;
  /** The user's own ignore and attribute lines that stand outside the tree. */
  readonly ignoreLines: string;
  readonly attributeLines: string;
  readonly filters: FilterSettings;
  /** Null when neither settings nor environment say who the user is. */
  readonly identity: Identity | null;
}

/** Who commits are made by. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** What `openRun` made, as written to `workspace.json` in the run's folder. */
export interface Run {
  readonly version: 1;
  readonly id: string;
  readonly runDir: string;
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly branch: string | null;
  /** The user's commit that the pin ref holds; null when there was no commit yet. */
  readonly pinned: string | null;
  /** The run's first commit: the pinned one, a snapshot of the user's changes, or an empty one. */
  readonly base: string;
  readonly withChanges: boolean;
  readonly settings: Settings;
  /** Ignore and attribute lines of the user's that stand outside the tree. */
  readonly ignoreLines: string;
  readonly attributeLines: string;
  /** Missing in runs of before filters applied: they go on without. */
  readonly filters?: FilterSettings;
  readonly skipped: readonly Skipped[];
  /** The user's, as it was when the run was opened, so that a commit made again is the same one. */
  readonly identity?: Identity;
}

/** A working tree under the run's care: a slot, or the user's own checkout. */
export interface Worktree {
  readonly key: string;
  readonly path: string;
}

export interface Skipped {
  readonly path: string;
  readonly reason: "too-big" | "too-deep" | "unreadable" | "unstorable-name" | "nested-repository";
  readonly bytes: number;
}

export interface Snapshot {
  readonly label: string;
  readonly commit: string;
  readonly tree: string;
  readonly at: number;
  readonly skipped: readonly Skipped[];
  /** Repositories inside the tree whose files are stored as plain files (their `.git` is not). */
  readonly nested: readonly string[];
  /** Submodules whose files are not those of their recorded commit: kept here, never committed. */
  readonly changedSubmodules: readonly string[];
}

export interface LineStat {
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}
