/**
 * What chooses among recoveries. A policy sees a situation and answers with recoveries that `possible` granted; it
 * cannot reach past the guard rails, because they decide before it is asked. A ladder policy is data: rungs in order,
 * and the settings beside them, plain JSON; `read.ts` checks one that was read from a file and holds that it describes
 * exactly this.
 */
import type { FailureKind } from "../kinds.ts";
import type { Recovery } from "../recovery.ts";
import type { ProgressWeights } from "../progress/progress-score.ts";
import type { Belief } from "../adaptive/belief.ts";
import type { OutcomeByCause } from "../adaptive/outcome-by-cause.ts";
import type { ChosenBy, Considered, Situation, Rung } from "./situation.ts";

export interface Choice {
  readonly recoveries: readonly Recovery[];
  readonly chosenBy: ChosenBy;
  readonly because: string;
  readonly considered: readonly Considered[];
  /** What is believed of the cause, where the policy chooses by that. */
  readonly belief?: Belief;
  /** What its outcome will be counted as, for each cause. */
  readonly outcome?: OutcomeByCause;
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

/** How long to wait when the model service, not the agent, failed. */
interface WaitSettings {
  /** Exact delays of the first retries. */
  readonly delaysMs: readonly number[];
  /** Delay for a rate limit that names no time. */
  readonly rateLimitMs?: number | undefined;
  /** Waited for once; then the rungs are asked, where a chain has more to offer than waiting. */
  readonly once?: readonly FailureKind[] | undefined;
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
  /** An answer that cannot be read is asked for again, as the structure rules do. */
  readonly reAsk?: boolean | undefined;
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
  /** Failed attempts of earlier runs that the plan names count in the conditions of rungs (B8). */
  readonly countEarlier?: boolean | undefined;
}

export interface LadderPolicy extends PolicySettings {
  readonly policy: "ladder";
  readonly name: string;
  readonly description?: string | undefined;
  /** The first rung that applies wins; after the last comes `ask`. */
  readonly rungs: readonly Rung[];
}
