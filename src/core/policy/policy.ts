/**
 * What chooses among recoveries. A policy gets a situation and returns recoveries that `possible` granted; it cannot
 * bypass the guard rails, because they decide first. A ladder policy is plain JSON: ordered rungs and settings.
 * `read.ts` validates policies from files and enforces exactly these types.
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
  /** The policy's belief about the cause, if it chooses by that. */
  readonly belief?: Belief;
  /** What its outcome will be counted as, for each cause. */
  readonly outcome?: OutcomeByCause;
  /** The ordinary next attempt of the loop, not a recovery. */
  readonly loop?: boolean;
  readonly fallThrough?: boolean;
  readonly alert?: boolean;
}

export interface Policy {
  readonly name: string;
  readonly settings: PolicySettings;
  choose(situation: Situation): Choice;
}

/** How long to wait when the model service failed, not the agent. */
interface WaitSettings {
  /** The exact delays of the first retries. */
  readonly delaysMs: readonly number[];
  /** Delay for a rate limit that names no time. */
  readonly rateLimitMs?: number | undefined;
  /**
   * Kinds that are waited for only once; after that the rungs decide, because the repair chain has more to offer than
   * waiting.
   */
  readonly once?: readonly FailureKind[] | undefined;
  /** After the delays, try another model of the tier. */
  readonly sidegrade?: boolean | undefined;
  /** After the delays: full jitter that doubles from base to cap. */
  readonly outage?: { readonly baseMs: number; readonly capMs: number } | undefined;
  /** Added to a reset time. */
  readonly resetMarginMs: number;
  /** The longest wait for one outage. */
  readonly maxWaitMs: number;
  /** What to do when no wait is left: ask, or continue with the rungs. */
  readonly then: "ask" | "ladder";
}

export interface PolicySettings {
  /** Structure rules apply: a format reminder, a fresh start after a broken build, repeated checks. */
  readonly structure: boolean;
  /** Ask again for an unreadable answer, as the structure rules do. */
  readonly reAsk?: boolean | undefined;
  /** A circular fix bans retry and feedback, becomes the failure's kind, or is only recorded. */
  readonly circular: "ban" | "kind" | "record";
  readonly wait: WaitSettings;
  readonly progress: {
    /** A lower score counts as no progress. */
    readonly threshold: number;
    /** How many attempts without progress count as stuck. */
    readonly stuckAfter: number;
    readonly warnAfter: number;
    /** The weights of the progress signals; default 0.3, 0.3, 0.25, 0.15. */
    readonly weights?: ProgressWeights | undefined;
  };
  readonly recovery: {
    readonly promptMutations: number;
    readonly branchExploration: boolean;
    readonly branchCount: number;
    readonly branchBudget: number;
    /** The total number of attempts made for recovery. */
    readonly totalRecoveryBudget: number;
  };
  /** Attempts after the first, if neither plan nor subtask sets a limit. */
  readonly maxRetries?: number | undefined;
  /** Failed attempts of earlier runs named by the plan count in the conditions of rungs. */
  readonly countEarlier?: boolean | undefined;
}

export interface LadderPolicy extends PolicySettings {
  readonly policy: "ladder";
  readonly name: string;
  readonly description?: string | undefined;
  /** The first rung that applies wins; `ask` follows the last one. */
  readonly rungs: readonly Rung[];
}
