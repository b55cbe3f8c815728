/**
 * The ports for trees: where attempts work (Workspace), which trees take disk space (StandingTrees), the commits that
 * would be published (Commits), and where those are judged (CheckTrees, Checker). Every operation is named by its
 * purpose (subtask, attempt, branch), so repeating it after a crash continues from what exists and changes nothing that
 * is done.
 */
import type { CheckOutcome } from "../core/checks/outcome.ts";
import type { CheckExcerpt } from "../core/excerpt/check-excerpt.ts";
import type { Failure } from "../core/failure.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { StartTree } from "../core/run/attempt.ts";
import type { CheckResult } from "../core/run/check-result.ts";

export interface AttemptTree {
  readonly subtask: string;
  readonly attempt: number;
  readonly slot: string;
  readonly branch?: string;
  /** For a read-only subtask: all changes are discarded when the attempt is finished. */
  readonly discard?: boolean;
}

/** A refusal of the workspace is an ordinary failure: disk full, repository gone, objects missing. */
export type TreeAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface OpenTree {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface FinishedTree {
  readonly treeBefore: string;
  readonly treeAfter: string;
  /** Lines added and removed since the attempt began, over commits, staged, unstaged and untracked. */
  readonly changedLines: number;
  readonly files: readonly string[];
  /** Changed files the plan protects (U13). */
  readonly protectedFiles: readonly string[];
}

export interface Workspace {
  /** Prepares the tree this attempt starts from and takes a snapshot of it. */
  begin(place: AttemptTree, tree: StartTree): Promise<TreeAnswer<OpenTree>>;
  /** Takes a snapshot of what the attempt left, also after a crash. Then removes what is to be discarded. */
  finish(place: AttemptTree): Promise<TreeAnswer<FinishedTree>>;
  /** Anything that changes when the tree does; cheap. */
  mark(place: AttemptTree): Promise<string>;
  /** Publishes the result to the user's repository. */
  publish(): Promise<TreeAnswer<{ readonly branch: string; readonly commit: string }>>;
}

/** The trees that take disk space. After a release, `begin` and `finish` recreate the tree at the same path. */
export interface StandingTrees {
  slots(): Promise<readonly string[]>;
  /** Removes the tree after a snapshot of its contents. No process works in it. */
  release(slot: string): Promise<TreeAnswer<void>>;
  /** The run has ended: no tree is kept. */
  releaseAll(): Promise<TreeAnswer<void>>;
}

/** A commit of the run, with the hash of its tree: verdicts are remembered by tree. */
export interface Commit {
  readonly commit: string;
  readonly tree: string;
}

export interface AttemptCommit extends Commit {
  /** The commit the subtask started from. */
  readonly start: string;
  /** Files in which a merge of this run left conflict markers. */
  readonly markers: readonly string[];
}

export type Joined =
  /** `there`: the result already contains it. */
  | (Commit & { readonly kind: "joined"; readonly onto: string; readonly there: boolean })
  | { readonly kind: "conflict"; readonly files: readonly string[] };

export interface Commits {
  /** The attempt's work as one commit on what its subtask started from. */
  ofAttempt(place: AttemptTree): Promise<TreeAnswer<AttemptCommit>>;
  /** Merges that commit with the result so far; moves no ref. */
  join(place: AttemptTree): Promise<TreeAnswer<Joined>>;
  advance(joined: Extract<Joined, { readonly kind: "joined" }>): Promise<TreeAnswer<void>>;
  /** The commit the run began with. */
  base(): Promise<TreeAnswer<Commit>>;
  /** The result so far. */
  tip(): Promise<TreeAnswer<Commit>>;
}

export interface CheckTree extends OpenTree {
  /** Its UNSTUCK_SLOT: never that of an agent. */
  readonly slot: number;
  /** No cache of an earlier check is in it. */
  readonly cold: boolean;
}

export interface LendRequest {
  /** Identifies the checks that run in it: their processes are proven dead before the tree is lent again. */
  readonly attemptId: string;
  readonly commit: Commit;
  /** Without the caches of earlier checks. */
  readonly cold?: boolean;
}

export type Lent<T> =
  /** `changed`: files that differed from the commit after the work. */
  | { readonly kind: "lent"; readonly value: T; readonly changed: readonly string[] }
  | { readonly kind: "not-ready"; readonly command: string; readonly run: CheckRun };

/** How the files that judge the work differ from those the subtask started with. */
export interface JudgingFiles {
  readonly changed: readonly string[];
  /** The commit with the original judging files, if it has to be checked with them too. */
  readonly restored?: Commit;
}

/** A file in an attempt's tree that is not part of its commit. */
export interface LeftOut {
  readonly path: string;
  readonly why: "ignored" | "too-big" | "too-deep" | "unreadable" | "submodule";
}

export interface CheckTrees {
  /** Lends a tree that holds exactly this commit, until `work` is done. */
  lend<T>(ask: LendRequest, work: (tree: CheckTree) => Promise<T>): Promise<TreeAnswer<Lent<T>>>;
  judgingFiles(
    commit: AttemptCommit,
    checks: readonly CheckPlan[],
  ): Promise<TreeAnswer<JudgingFiles>>;
  leftOut(place: AttemptTree): Promise<TreeAnswer<readonly LeftOut[]>>;
  /** Runs `work` in the attempt's own tree, which stays as the attempt left it. Its outcome decides nothing. */
  inSlot<T>(place: AttemptTree, work: (tree: OpenTree) => Promise<T>): Promise<TreeAnswer<T>>;
  /** Lock files and manifests that the commit changes and set-up does not read: checks may lack what it added. */
  unmetDependencies(commit: AttemptCommit): Promise<TreeAnswer<readonly string[]>>;
}

/** The outcome of one run of one check. */
export interface CheckRun {
  readonly outcome: CheckOutcome;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** The relevant part of its output, if it did not pass. */
  readonly excerpt?: CheckExcerpt;
  /** The same tree has failed more than once. */
  readonly confirmed?: boolean;
}

export interface CheckRequest {
  readonly attemptId: string;
  readonly subtask: string;
  readonly slot: number;
  readonly tree: OpenTree;
  readonly checks: readonly CheckPlan[];
  readonly stop: AbortSignal;
  /** The hash of the checked tree, if verdicts on it may be remembered. */
  readonly memory?: {
    readonly tree: string;
    /** Run the check even if a verdict is remembered. */
    readonly fresh?: boolean;
    /** Only a verdict reached without caches counts. */
    readonly cold?: boolean;
    /** The tree has no caches. */
    readonly isCold?: boolean;
  };
}

/** What checks reported on a tree before the run began. */
export interface MeasuredBase {
  readonly tree: string;
  /** By check command. */
  readonly runs: Readonly<Record<string, CheckRun>>;
}

/** Outcome on the base by check command; a missing check was not run there. */
export type Baseline = Readonly<Record<string, CheckOutcome>>;

export interface Checker {
  check(ask: CheckRequest, baseline: Baseline): Promise<CheckResult>;
  /** The verdict of these checks on a tree, if all of it is remembered. */
  known(
    tree: string,
    checks: readonly CheckPlan[],
    baseline: Baseline,
    cold: boolean,
  ): CheckResult | undefined;
  /** Runs each check once, on a tree without anyone's work. */
  baseline(ask: CheckRequest): Promise<Readonly<Record<string, CheckRun>>>;
}
