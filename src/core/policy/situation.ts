/** What a policy is told when it has to choose, and how it says what chose. */
import type { Closing } from "../agent-words/closing.ts";
import type { Failure } from "../failure.ts";
import type { Mutation, Recovery, RecoveryName } from "../recovery.ts";
import type { FailureKind } from "../kinds.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import type { Category } from "../kind-traits.ts";

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
  /** How often which move worked before, as the run recorded it at its start. */
  readonly learned?: LearnedCounts;
  /** The time of day here when it failed, in minutes since midnight; recorded with what happened. */
  readonly minuteOfDay?: number;
  /** The way to its goal is open: other ways count for more than a stronger model. */
  readonly exploratory?: boolean;
  /** Failed attempts since a person last spoke, oldest first, the one just failed last; bounded. */
  readonly past?: readonly PastAttempt[];
  readonly left?: BudgetLeft;
}

/** What recovery of the subtask may still use. */
export interface BudgetLeft {
  /** Agent starts. */
  readonly starts: number;
  /** Money, tokens or time, whatever is scarcest: what is left for each part of it that is spent. */
  readonly perSpent?: number;
}

/** A failed attempt, as far as it tells what may be wrong. */
export interface PastAttempt {
  /** What it carried out; a first attempt has none. */
  readonly recovery?: RecoveryName;
  /** How many tiers above the one the subtask was planned for. */
  readonly tierStep: number;
  readonly failure: FailureKind;
  /** What its checks left failing, beside what failed before. */
  readonly items?: "same" | "fewer" | "more" | "other";
  readonly progress: boolean;
  readonly circular: boolean;
  /** The pattern it was stuck in. */
  readonly stuck?: string;
  /** How its agent spoke of the work at its end. */
  readonly closing?: Closing;
  /** The agent's gate refused something. */
  readonly refused: boolean;
  readonly costUsd?: number;
  readonly ms?: number;
  readonly agent?: string;
  readonly tier?: number;
}

export type Possibility =
  | {
      readonly ok: true;
      readonly recovery: Recovery;
      /** What was passed over for it, and why. */
      readonly note?: string;
      /** Why this one of several, as outcomes have it. */
      readonly outcomes?: string;
    }
  | { readonly ok: false; readonly why: string };

export interface Considered {
  readonly rung: string;
  readonly recovery: string;
  readonly verdict: string;
  /** How likely it was to work, of 1; only where the policy weighs that. */
  readonly success?: number;
  /** What it was expected to cost, in attempts at the planned tier. */
  readonly cost?: number;
}

/** What chose a recovery: a guard rail, a structure rule, or a rung of the policy. */
export interface ChosenBy {
  readonly by: "guard" | "structure" | "rung";
  readonly id: string;
}

/** One name for it, on screens and in counters: a rung has its own, a rule says what it is. */
export const ruleName = ({ by, id }: ChosenBy): string => (by === "rung" ? id : `${by}:${id}`);

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
