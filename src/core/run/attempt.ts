/**
 * Attempts: what one is to do (spec), its state while it runs, and what is remembered of it (record). Records are
 * bounded; the journal and the transcript hold everything.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget } from "../budget.ts";
import type { FailureKind } from "../kinds.ts";
import type { Recalled } from "../memory/recall.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { FailedCall } from "../repair/failed-call.ts";
import type { Mutation, RecoveryName, Reminder } from "../recovery.ts";
import type { AttemptLeftovers } from "./input.ts";

/** What an attempt's prompt contains besides the subtask's own text; the prompt builder turns it into words. */
export interface PromptParts {
  /** Earlier attempts, check output and a hint, with a request for a DIFFERENT approach. */
  readonly feedback?: boolean;
  readonly mutation?: Mutation;
  readonly strategy?: string;
  /** A reminder of the answer format, or that nobody will answer the agent's question. */
  readonly remind?: Reminder;
  /** A short summary of what failed before the roll-back. */
  readonly summary?: boolean;
  readonly handOver?: boolean;
  readonly branch?: {
    readonly id: string;
    readonly approach: string;
    /** What had been tried before, as in `Branch`. */
    readonly tried?: readonly string[];
  };
  /** A person's words; included in every prompt until an attempt that received them gets a verdict. */
  readonly words?: string;
  /** The agent's question that these words answer. */
  readonly answers?: string;
  /** A person's decision on calls that the agent's gate refused. */
  readonly permits?: Permits;
  /** What overcame the same failure earlier in this repository. */
  readonly recalled?: Recalled;
}

export interface Permits {
  readonly allowed?: readonly string[];
  readonly without?: readonly string[];
}

/**
 * The tree an attempt starts from: as it is (for a branch, its own tree), a good commit, the tree an earlier attempt
 * started from, the tree it left, or that tree rebased onto what has been merged since, with conflict markers in the
 * files.
 */
export type StartTree =
  | { readonly kind: "keep" }
  | { readonly kind: "good"; readonly commit: string }
  | { readonly kind: "start"; readonly attempt: number }
  | { readonly kind: "attempt"; readonly attempt: number }
  | { readonly kind: "rebased"; readonly attempt: number };

export interface AttemptSpec {
  readonly entry: ModelEntry;
  readonly thinking: boolean;
  readonly budgetFactor: number;
  readonly context: "keep" | "new" | "summary";
  readonly tree: StartTree;
  readonly prompt: PromptParts;
  /** The recovery this attempt carries out; absent for a first attempt. */
  readonly recovery?: RecoveryName;
  /** Started for recovery, so it counts against recovery budgets. */
  readonly iteration: boolean;
  /** Calls that only this attempt may make, in addition to those allowed for every attempt. */
  readonly allow?: readonly Refusal[];
  /** Resumes an attempt that a pause cut off, which has already been counted as an iteration. */
  readonly resumes?: boolean;
}

export interface RunningAttempt {
  readonly attempt: number;
  readonly spec: AttemptSpec;
  readonly cap: Budget;
  readonly startedAt: number;
  readonly slot: string | undefined;
  readonly identity: unknown;
  /** Its agent was told that it is repeating itself. */
  readonly nudged: boolean;
  /** The number of the last call for which it asked for permission. */
  readonly requests?: number;
  readonly interrupted: boolean;
  /** It was interrupted because the run is paused. */
  readonly paused: boolean;
}

/** Whether the attempt changed the tree. */
export const treeChanged = ({
  treeBefore,
  treeAfter,
}: Pick<AttemptLeftovers, "treeBefore" | "treeAfter">): boolean => treeBefore !== treeAfter;

/**
 * Whether it ended because of a pause: interrupted normally, or lost because its owner died before it could record the
 * end.
 */
export const isCutOffByPause = (
  { paused }: Pick<RunningAttempt, "paused">,
  observed: FailureKind | undefined,
): boolean => paused && (observed === "interrupted" || observed === "lost");

/** The failures that remain after an attempt. */
export interface RemainingFailures {
  readonly failing: readonly string[];
  /** Its work passed on its own but could not be merged with the work of others. */
  readonly unmerged?: boolean;
  /** Its checks failed just as they did on the base, before any work. */
  readonly onBase?: boolean;
  /** Every failure already existed on the base, and this many of the base's failures are gone: worth keeping. */
  readonly fixed?: number;
  /** The number of failures that the checks themselves report, if they do. */
  readonly failures?: number;
  /**
   * Names of failing items read from the structure of the output, whatever program printed it. Used to compare
   * attempts, never to judge them.
   */
  readonly shown?: readonly string[];
}

/** An attempt as summarised in an approval request. */
export interface TriedAttempt {
  readonly attempt: number;
  readonly tier: number;
  readonly model?: string;
  readonly approach: string;
  readonly recovery?: RecoveryName;
  readonly kind?: FailureKind;
  readonly error?: string;
}

type KeptOfRemains =
  | "approach"
  | "treeBefore"
  | "treeAfter"
  | "files"
  | "signals"
  | "asks"
  | "lacks"
  | "closing"
  | "refused";

export interface AttemptRecord extends RemainingFailures, Pick<AttemptLeftovers, KeptOfRemains> {
  readonly attempt: number;
  readonly at: number;
  readonly entry: ModelEntry;
  readonly recovery?: RecoveryName;
  /** The other words in which its prompt put the task, besides what its recovery did. */
  readonly wording?: Mutation;
  readonly branch?: string;
  /** It observed a tool result that no earlier attempt of the subtask had seen. */
  readonly sawNew?: boolean;
  /** Infrastructure and lost attempts are recorded but count towards no limit, rung or stuck counter. */
  readonly counted: boolean;
  readonly success: boolean;
  readonly kind?: FailureKind;
  readonly signature?: string;
  readonly error?: string;
  /** The values for a repair plan. */
  readonly call?: FailedCall;
  readonly score?: number;
}
