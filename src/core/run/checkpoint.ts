/** A question to a person and the answers it offers, as data. */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Measure } from "../budget.ts";
import type { FailureKind } from "../kinds.ts";
import type { Answer } from "./input.ts";
import type { RetryWay } from "./retry-way.ts";

/** Who answers for people who did not: their question's default, which is never a risky one. */
export const NOBODY = "nobody in time";
/** Who closes a question when what it asks about is no more. */
export const UNSTUCK = "unstuck";

export type AnswerName = Answer["kind"];

export interface CheckpointOption {
  readonly answer: AnswerName;
  readonly label: string;
  /** Choosing it says all: a `retry` that needs no words. */
  readonly bare?: true;
}

export interface Checkpoint {
  readonly id: string;
  readonly trigger: "HICCUP" | "BUDGET" | "CHECKS";
  /** Absent where the whole run is concerned. */
  readonly subtask?: string;
  readonly question: string;
  readonly context: {
    readonly goal: string;
    readonly error: string;
    readonly kind?: FailureKind;
    readonly attempts: number;
    /** What only a person can tell, for this kind of failure, with its values filled in (C3). */
    readonly questions?: readonly string[];
    /** What a person can do about it, as a command where there is one. */
    readonly advice?: string;
    /** What the agent itself asks, in its own words (U22). */
    readonly asks?: string;
    /** The calls that the agent's gate refused (U21). */
    readonly refused?: readonly Refusal[];
    /** The attempt that came furthest: what a retry starts from. */
    readonly best?: number;
    /** How a retry may go about it, if a person chooses that themselves. */
    readonly ways?: readonly RetryWay[];
    readonly measure?: Measure;
    /** Checks that cannot judge anybody here. */
    readonly checks?: readonly string[];
    /** Whose budget is used up. */
    readonly budgetOf?: "run" | "subtask" | "recovery";
    /** The first of those that cannot go on without it, and how many there are in all. */
    readonly blocks: readonly string[];
    readonly blocksCount: number;
  };
  readonly options: readonly CheckpointOption[];
  readonly recommendation: AnswerName;
  /** What an expired checkpoint counts as; never a risky answer. */
  readonly default: AnswerName;
  /** The attempt that waits for the answer with a call, and which of its requests that is. */
  readonly waiting?: { readonly attempt: number; readonly request: number };
  /** What it is about where others may meet the same: they join this question instead of asking their own (C9). */
  readonly cause?: string;
  /** Subtasks that have joined it: the answer counts for them too. */
  readonly also?: readonly string[];
  /** When it counts as answered with its default. */
  readonly expiresAt?: number;
  /** A person said they handle it by hand; the question stays open until they are done. */
  readonly takenBy?: string;
}
