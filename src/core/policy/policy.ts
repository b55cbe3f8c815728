/**
 * What chooses among recoveries. A policy sees a situation and answers with recoveries that `possible` granted; it
 * cannot reach past the guard rails, because they decide before it is asked. A ladder policy is data: rungs in order,
 * and the settings beside them, plain JSON; `read.ts` checks one that was read from a file and holds that it describes
 * exactly this.
 */
import type { Failure } from "../failure.ts";
import type { Mutation, Recovery, RecoveryName } from "../recovery.ts";
import type { Category, FailureKind } from "../kinds.ts";
import type { ProgressWeights } from "../progress/progress-score.ts";

export interface Situation {
  readonly failure: Failure;
  /** Attempts that count, this failed one included. */
  readonly attempts: number;
  readonly stuck: boolean;
  readonly goodCommit: boolean;
  /** How often each rung was used for this subtask since the last progress or word of a person. */
  readonly uses: Readonly<Record<string, number>>;
  /** The recovery filled in, or why it cannot be used now. */
  readonly possible: (name: RecoveryName, rung: Partial<Rung>) => Possibility;
}

export type Possibility =
  { readonly ok: true; readonly recovery: Recovery } | { readonly ok: false; readonly why: string };

export interface Considered {
  readonly rung: string;
  readonly recovery: string;
  readonly verdict: string;
}

/** What chose a recovery: a guard rail, a structure rule, or a rung of the policy. */
export interface ChosenBy {
  readonly by: "guard" | "structure" | "rung";
  readonly id: string;
}

/** One name for it, on screens and in counters: a rung has its own, a rule says what it is. */
export const ruleName = ({ by, id }: ChosenBy): string => (by === "rung" ? id : `${by}:${id}`);

export interface Choice {
  readonly recoveries: readonly Recovery[];
  readonly chosenBy: ChosenBy;
  readonly because: string;
  readonly considered: readonly Considered[];
  /** The loop goes on: no recovery yet. */
  readonly loop?: boolean;
  readonly fallThrough?: boolean;
  readonly alert?: boolean;
}

export interface Policy {
  readonly name: string;
  readonly settings: PolicySettings;
  choose(situation: Situation): Choice;
}

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
interface WaitSettings {
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
