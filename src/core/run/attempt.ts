/**
 * Attempts: what one is to do (spec), that it is under way, and what is remembered of it (record). Records are
 * bounded: the journal and the transcript hold the whole.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget } from "../budget.ts";
import type { FailureKind } from "../kinds.ts";
import type { Recalled } from "../memory/recall.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { FailedCall } from "../repair/failed-call.ts";
import type { Mutation, RecoveryName, Reminder } from "../recovery.ts";
import type { AttemptRemains } from "./input.ts";

/** What an attempt's prompt has beside the subtask's own text; the prompt builder turns it into words. */
export interface PromptParts {
  /** Prior attempts, check output and a hint; a DIFFERENT approach is asked for (B4, B9, E6). */
  readonly feedback?: boolean;
  readonly mutation?: Mutation;
  readonly strategy?: string;
  /** Of the form of its answer; or that nobody answers what it asked. */
  readonly remind?: Reminder;
  /** Short summary of what failed before a roll-back. */
  readonly summary?: boolean;
  readonly handOver?: boolean;
  readonly branch?: {
    readonly id: string;
    readonly approach: string;
    /** What had been tried before, as `Branch` has it. */
    readonly tried?: readonly string[];
  };
  /** A person's words; they stand in each prompt until an attempt that had them gets a verdict (D4). */
  readonly words?: string;
  /** The agent's question that the words answer. */
  readonly answers?: string;
  /** What a person said of calls that its gate refused. */
  readonly permits?: Permits;
  /** What overcame the same failure before, in this repository (U23). */
  readonly recalled?: Recalled;
}

export interface Permits {
  readonly allowed?: readonly string[];
  readonly without?: readonly string[];
}

/**
 * Tree an attempt starts from: as it is (a branch's own, where it has one), a good commit, what an earlier attempt began
 * with, what it left, or that together with what others merged meanwhile, conflicts marked in the files.
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
  /** A start made for recovery: counts against recovery budgets. */
  readonly iteration: boolean;
  /** What this attempt alone may do beside what every attempt may. */
  readonly allow?: readonly Refusal[];
  /** It goes on where a pause cut it off: as an iteration it was counted then. */
  readonly resumes?: boolean;
}

export interface RunningAttempt {
  readonly attempt: number;
  readonly spec: AttemptSpec;
  readonly cap: Budget;
  readonly startedAt: number;
  readonly slot: string | undefined;
  readonly identity: unknown;
  /** Its agent has been told that it goes in circles. */
  readonly nudged: boolean;
  /** Number of the last call that it waited with for a person's word. */
  readonly requests?: number;
  readonly interrupted: boolean;
  /** It is interrupted because the run is paused. */
  readonly paused: boolean;
}

/** Whether the tree is another than before it. */
export const treeChanged = ({
  treeBefore,
  treeAfter,
}: Pick<AttemptRemains, "treeBefore" | "treeAfter">): boolean => treeBefore !== treeAfter;

/** It ended because the run was paused, whether in order or because its owner did not live to see it. */
export const isCutOffByPause = (
  { paused }: Pick<RunningAttempt, "paused">,
  observed: FailureKind | undefined,
): boolean => paused && (observed === "interrupted" || observed === "lost");

/** What an attempt left failing. */
export interface LeftFailing {
  readonly failing: readonly string[];
  /** Its work was fine alone, and could not be merged with what others did. */
  readonly unmerged?: boolean;
  /** Its checks failed as they did on the base, before anybody worked on it. */
  readonly onBase?: boolean;
  /** All that fails failed on the base, and so many of its failures are gone: worth keeping (U11). */
  readonly fixed?: number;
  /** How many failures the checks count themselves, where they say so. */
  readonly failures?: number;
  /** Names of failing items as their output is built, whatever printed it: for comparing attempts, never for judging. */
  readonly shown?: readonly string[];
}

/** An attempt as whoever is asked for approval is told of it. */
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

export interface AttemptRecord extends LeftFailing, Pick<AttemptRemains, KeptOfRemains> {
  readonly attempt: number;
  readonly at: number;
  readonly entry: ModelEntry;
  readonly recovery?: RecoveryName;
  readonly branch?: string;
  /** A tool told it something that no attempt of the subtask had seen before. */
  readonly sawNew?: boolean;
  /** Infrastructure and lost attempts are kept but use no limit, rung or stuck count. */
  readonly counted: boolean;
  readonly success: boolean;
  readonly kind?: FailureKind;
  readonly signature?: string;
  readonly error?: string;
  /** What a repair of it is filled in with. */
  readonly call?: FailedCall;
  readonly score?: number;
}
