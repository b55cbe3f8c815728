/** The situation in which a policy has to choose, and the record of what chose. */
import type { Closing } from "../agent-words/closing.ts";
import type { Failure } from "../failure.ts";
import type { Mutation, Recovery, RecoveryName } from "../recovery.ts";
import type { FailureKind } from "../kinds.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import type { Category } from "../kind-traits.ts";

export interface Situation {
  readonly failure: Failure;
  /** Counted attempts, including the one that just failed. */
  readonly attempts: number;
  readonly stuck: boolean;
  readonly goodCommit: boolean;
  /** How often each rung was used for this subtask since the last progress or the last words of a person. */
  readonly uses: Readonly<Record<string, number>>;
  /** The recovery with its values filled in, or why it is not possible now. */
  readonly possible: (name: RecoveryName, rung: Partial<Rung>) => Possibility;
  /** How often each move has worked before, as recorded at the start of the run. */
  readonly learned?: LearnedCounts;
  /** The local time of the failure in minutes since midnight, as recorded in the input. */
  readonly minuteOfDay?: number;
  /** How to reach its goal is open, so different approaches are worth more than a stronger model. */
  readonly exploratory?: boolean;
  /** Failed attempts since a person last spoke, from the oldest to the one that just failed; bounded. */
  readonly past?: readonly PastAttempt[];
  readonly left?: BudgetLeft;
}

/** What is left for the subtask's recovery. */
export interface BudgetLeft {
  /** Agent starts. */
  readonly starts: number;
  /** For money, tokens or time, whichever is scarcest: the amount left per amount spent. */
  readonly perSpent?: number;
}

/** The parts of a failed attempt that show what may be wrong. */
export interface PastAttempt {
  /** The recovery it carried out; absent for a first attempt. */
  readonly recovery?: RecoveryName;
  /** Its prompt put the task in other words, whatever else the recovery did. */
  readonly reworded?: boolean;
  /** How many tiers it is above the planned one. */
  readonly tierStep: number;
  readonly failure: FailureKind;
  /** How the items that its checks left failing compare with the earlier ones. */
  readonly items?: "same" | "fewer" | "more" | "other";
  readonly progress: boolean;
  readonly circular: boolean;
  /** The pattern it was stuck in. */
  readonly stuck?: string;
  /** How its agent described the work at the end. */
  readonly closing?: Closing;
  /** The agent's gate refused a call. */
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
      /** What was skipped in favour of it, and why. */
      readonly note?: string;
      /** Why this one of several was chosen, based on past outcomes. */
      readonly outcomes?: string;
    }
  | { readonly ok: false; readonly why: string };

export interface Considered {
  readonly rung: string;
  readonly recovery: string;
  readonly verdict: string;
  /** The estimated probability of success, 0 to 1, if the policy estimates it. */
  readonly success?: number;
  /** The expected cost, in attempts at the planned tier. */
  readonly cost?: number;
}

/** What chose a recovery: a guard rail, a structure rule, or a rung of the policy. */
export interface ChosenBy {
  readonly by: "guard" | "structure" | "rung";
  readonly id: string;
}

/** One name for screens and counters: the id of a rung, or a rule's type and id. */
export const ruleName = ({ by, id }: ChosenBy): string => (by === "rung" ? id : `${by}:${id}`);

/** All conditions must hold; an absent one always holds. */
export interface RungCondition {
  /** Only for these failure kinds. */
  readonly kinds?: readonly FailureKind[] | undefined;
  /** Not for these failure kinds. */
  readonly notKinds?: readonly FailureKind[] | undefined;
  readonly categories?: readonly Category[] | undefined;
  /** Whether a commit whose checks passed is known. */
  readonly goodCommit?: boolean | undefined;
  /** Whether the progress score says stuck. */
  readonly stuck?: boolean | undefined;
  /** Fewer counted attempts than this were made. */
  readonly attemptsBelow?: number | undefined;
}

export interface Rung {
  /** Lower-case letters, digits and dashes; unique within its policy. */
  readonly id: string;
  /** The recovery; `["skip", "ask"]` gives up and asks. */
  readonly do: RecoveryName | readonly RecoveryName[];
  readonly when?: RungCondition | undefined;
  /** How often the rung may be used for one subtask; default: no limit. */
  readonly times?: number | undefined;
  /** `escalate`: how far up; default `tier`. */
  readonly to?: "rank" | "tier" | "top" | undefined;
  /** `escalate`: extended thinking. */
  readonly thinking?: boolean | undefined;
  /** `escalate`: multiplies the attempt's cap. */
  readonly budgetFactor?: number | undefined;
  /** `mutate`: which kinds, in order; `feedback` and `fresh`: which of them its prompt may also use. */
  readonly mutations?: readonly Mutation[] | undefined;
  /** The ordinary next attempt of the loop: not a recovery, so it uses no recovery budget. */
  readonly loop?: boolean | undefined;
  /** Record that no alternative was available. */
  readonly logFallThrough?: boolean | undefined;
  /** Raise the alert `stuck_unrecoverable`. */
  readonly alert?: boolean | undefined;
}
