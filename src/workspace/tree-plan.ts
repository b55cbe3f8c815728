/** What the ports of this folder share: the run, and what its plan says about working trees. */
import type { CheckRun, OpenTree } from "../runtime/ports-workspace.ts";
import type { Control, Run } from "./types.ts";

export interface SetUpProblem {
  readonly command: string;
  readonly run: CheckRun;
}

export interface GitTrees {
  readonly run: Run;
  /** Attempts at a time: as many check trees stay when they are not used. */
  readonly concurrency: number;
  readonly carry: readonly string[];
  /** Build caches that check trees keep. */
  readonly caches: readonly string[];
  /** What every process in the tree at this path is given beside the tree's own variables. */
  readonly environment: (path: string) => Readonly<Record<string, string>>;
  readonly now: () => number;
  /** What set-up amounts to for a commit or tree; a tree that was made ready for the same is not set up again. */
  readonly readyMark: (commit: string) => Promise<string>;
  /** Runs the set-up of this commit in its tree; a problem is why it cannot be used. */
  readonly setUp: (tree: OpenTree, commit: string) => Promise<SetUpProblem | undefined>;
  /** Whether the run has a set-up that installs what lock files ask for. */
  readonly installs: boolean;
  /** What a subtask was asked to do, for the subjects of its commits. */
  readonly promptOf?: (subtask: string) => string | undefined;
  /** Tells a person what the trees lack. */
  readonly tell: (words: string) => void;
  readonly isProtected: (path: string) => boolean;
  /** Ends what a check of an earlier owner left behind; settles once it is dead. */
  readonly untilDead: (attemptId: string) => Promise<void>;
  /** Agents work in the user's own checkout: one tree, one line of commits, nothing to set up or publish. */
  readonly inPlace: boolean;
  readonly control?: Control;
}
