/**
 * A ladder policy as data: rungs in order, and the settings beside them. Plain JSON; `schema.ts` checks one that was
 * read from a file and holds that it describes exactly this.
 */
import type { Category, FailureKind } from "../kinds.ts";
import type { Mutation, RecoveryName } from "../recovery.ts";
import type { ProgressWeights } from "../progress/progress-score.ts";

/** All conditions must hold; an absent one always holds. */
export interface RungCondition {
  /** Only for these failure kinds. */
  readonly kinds?: readonly FailureKind[] | undefined;
  /** Not for these failure kinds. */
  readonly notKinds?: readonly FailureKind[] | undefined;
  readonly categories?: readonly Category[] | undefined;
  /** A commit whose checks passed is known (or is not). */
  readonly goodCommit?: boolean | undefined;
  /** The progress score says stuck (or does not). */
  readonly stuck?: boolean | undefined;
  /** Fewer counted attempts than this were made. */
  readonly attemptsBelow?: number | undefined;
}

export interface Rung {
  /** Lower-case letters, digits and dashes; unique in its policy. */
  readonly id: string;
  /** The recovery; `["skip", "ask"]` gives up and asks. */
  readonly do: RecoveryName | readonly RecoveryName[];
  readonly when?: RungCondition | undefined;
  /** How often the rung may be used for one task; default: no limit. */
  readonly times?: number | undefined;
  /** `escalate`: how far up; default `tier`. */
  readonly to?: "rank" | "tier" | "top" | undefined;
  /** `escalate`: extended thinking. */
  readonly thinking?: boolean | undefined;
  /** `escalate`: multiplies what the attempt may use. */
  readonly budgetFactor?: number | undefined;
  /** `mutate`: which kinds, in order. */
  readonly mutations?: readonly Mutation[] | undefined;
  /** The loop's own next attempt: not recovery, so no recovery budget is used. */
  readonly loop?: boolean | undefined;
  /** Record that nothing alternative was there (D3). */
  readonly logFallThrough?: boolean | undefined;
  /** Raise the alert `stuck_unrecoverable` (A7). */
  readonly alert?: boolean | undefined;
}

/** How long to wait when the model service, not the agent, failed. */
export interface WaitSettings {
  /** Exact delays of the first retries. */
  readonly delaysMs: readonly number[];
  /** Delay for a rate limit that names no time. */
  readonly rateLimitMs?: number | undefined;
  /** Try another model of the tier after the delays. */
  readonly sidegrade?: boolean | undefined;
  /** After the delays: full jitter that doubles from base to cap. */
  readonly outage?: { readonly baseMs: number; readonly capMs: number } | undefined;
  /** Added to a reset time. */
  readonly resetMarginMs: number;
  /** Longest wait for one outage. */
  readonly maxWaitMs: number;
  /** When no wait is left: ask, or go on with the rungs. */
  readonly then: "ask" | "ladder";
}

export interface PolicySettings {
  /** Structure rules apply: a format reminder, a fresh start after a broken build, checks that are run again. */
  readonly structure: boolean;
  /** A circular fix bans retry and feedback, becomes the failure's kind, or is only recorded. */
  readonly circular: "ban" | "kind" | "record";
  readonly wait: WaitSettings;
  readonly progress: {
    /** A score below this is no progress. */
    readonly threshold: number;
    /** Attempts without progress until it counts as stuck. */
    readonly stuckAfter: number;
    readonly warnAfter: number;
    /** What each signal of progress counts; default 0.3, 0.3, 0.25, 0.15. */
    readonly weights?: ProgressWeights | undefined;
  };
  readonly recovery: {
    readonly promptMutations: number;
    readonly branchExploration: boolean;
    readonly branchCount: number;
    readonly branchBudget: number;
    /** Attempts made for recovery, in all. */
    readonly totalRecoveryBudget: number;
  };
  /** Attempts after the first, where neither plan nor subtask says. */
  readonly maxRetries?: number | undefined;
}

export interface LadderPolicy extends PolicySettings {
  readonly policy: "ladder";
  readonly name: string;
  readonly description?: string | undefined;
  /** The first rung that applies wins; after the last comes `ask`. */
  readonly rungs: readonly Rung[];
}
