/**
 * The ports of trees: where attempts work (Workspace), which of them take room (StandingTrees), what of it would
 * be published (Commits), and where that is judged (CheckTrees, Checker). Every operation is named by what it is
 * for (subtask, attempt, branch), so that repeating it after a crash goes on from what is there and changes
 * nothing that is done.
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
  /** Of a read-only subtask: whatever was changed in it is discarded when the attempt is finished. */
  readonly discard?: boolean;
}

/** A refusal of the workspace is a failure like any other: disk full, repository gone, objects missing. */
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
  /** The tree this attempt starts from, ready to work in, with a snapshot taken. */
  begin(place: AttemptTree, tree: StartTree): Promise<TreeAnswer<OpenTree>>;
  /** The snapshot of what the attempt left; also for one that a crash cut off. What is to be discarded is gone after it. */
  finish(place: AttemptTree): Promise<TreeAnswer<FinishedTree>>;
  /** Anything that changes when the tree does; cheap. */
  mark(place: AttemptTree): Promise<string>;
  /** Puts the result where the user finds it. */
  publish(): Promise<TreeAnswer<{ readonly branch: string; readonly commit: string }>>;
}

/** Which trees take room on the disk. Where one was given back, `begin` and `finish` make it anew at the same path. */
export interface StandingTrees {
  slots(): Promise<readonly string[]>;
  /** Takes the tree away; a snapshot keeps what stands there. Nobody works in it. */
  release(slot: string): Promise<TreeAnswer<void>>;
  /** The run has ended: no tree stays. */
  releaseAll(): Promise<TreeAnswer<void>>;
}

/** A commit of the run, with its tree: verdicts are remembered by that. */
export interface Commit {
  readonly commit: string;
  readonly tree: string;
}

export interface AttemptCommit extends Commit {
  /** The commit the subtask started from. */
  readonly start: string;
  /** Files in which a merge of this run left its markers. */
  readonly markers: readonly string[];
}

export type Joined =
  /** `there`: the result holds it already. */
  | (Commit & { readonly kind: "joined"; readonly onto: string; readonly there: boolean })
  | { readonly kind: "conflict"; readonly files: readonly string[] };

export interface Commits {
  /** The attempt's work as one commit on what its subtask started from. */
  ofAttempt(place: AttemptTree): Promise<TreeAnswer<AttemptCommit>>;
  /** That together with the result so far; nothing moves. */
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
  /** Whose checks run in it: what is proven dead before anybody else gets the tree. */
  readonly attemptId: string;
  readonly commit: Commit;
  /** Without the caches of earlier checks. */
  readonly cold?: boolean;
}

export type Lent<T> =
  /** `changed`: what was not as it should be when the work was done. */
  | { readonly kind: "lent"; readonly value: T; readonly changed: readonly string[] }
  | { readonly kind: "not-ready"; readonly command: string; readonly run: CheckRun };

/** How the files that judge the work differ from those the subtask started with. */
export interface JudgingFiles {
  readonly changed: readonly string[];
  /** The commit with the judging files it started from, where it has to be checked with them too. */
  readonly restored?: Commit;
}

/** What stands in an attempt's tree and is not part of its commit. */
export interface LeftOut {
  readonly path: string;
  readonly why: "ignored" | "too-big" | "too-deep" | "unreadable" | "submodule";
}

export interface CheckTrees {
  /** Lends a tree that holds exactly this commit, for as long as `work` takes. */
  lend<T>(ask: LendRequest, work: (tree: CheckTree) => Promise<T>): Promise<TreeAnswer<Lent<T>>>;
  judgingFiles(
    commit: AttemptCommit,
    checks: readonly CheckPlan[],
  ): Promise<TreeAnswer<JudgingFiles>>;
  leftOut(place: AttemptTree): Promise<TreeAnswer<readonly LeftOut[]>>;
  /** Runs `work` in the attempt's own tree, which is then as the attempt left it. What it finds decides nothing. */
  inSlot<T>(place: AttemptTree, work: (tree: OpenTree) => Promise<T>): Promise<TreeAnswer<T>>;
  /** Lock files and manifests that the commit changes and no set-up reads: checks may miss what it added. */
  unmetDependencies(commit: AttemptCommit): Promise<TreeAnswer<readonly string[]>>;
}

/** What one run of one check said. */
export interface CheckRun {
  readonly outcome: CheckOutcome;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** What matters of its output, where it did not pass. */
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
  /** The tree that stands there, where verdicts on it may be remembered. */
  readonly memory?: {
    readonly tree: string;
    /** Run it, whatever is remembered. */
    readonly fresh?: boolean;
    /** Only a verdict without caches counts. */
    readonly cold?: boolean;
    /** No cache is there. */
    readonly isCold?: boolean;
  };
}

/** What checks said of a tree before the run began. */
export interface MeasuredBase {
  readonly tree: string;
  /** By check command. */
  readonly runs: Readonly<Record<string, CheckRun>>;
}

/** Outcome on the base by check command; a check that is not in it was not run there. */
export type Baseline = Readonly<Record<string, CheckOutcome>>;

export interface Checker {
  check(ask: CheckRequest, baseline: Baseline): Promise<CheckResult>;
  /** What these checks say of a tree, where all of it is remembered. */
  known(
    tree: string,
    checks: readonly CheckPlan[],
    baseline: Baseline,
    cold: boolean,
  ): CheckResult | undefined;
  /** Each check once, on a tree nobody has worked on. */
  baseline(ask: CheckRequest): Promise<Readonly<Record<string, CheckRun>>>;
}
