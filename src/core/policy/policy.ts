/**
 * The seam between decisions and whatever chooses among recoveries: a ladder now, `adaptive` later. A policy sees
 * a situation and answers with recoveries that `possible` granted; it cannot reach past the guard rails, because
 * they decide before it is asked.
 */
import type { Failure } from "../failure.ts";
import type { Recovery, RecoveryName } from "../recovery.ts";
import type { PolicySettings, Rung } from "./ladder-policy.ts";

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
