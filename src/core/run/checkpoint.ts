/** A question to a person and the answers it offers, as plain data. */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Measure } from "../budget.ts";
import type { FailureKind } from "../kinds.ts";
import type { Answer } from "./input.ts";
import type { RetryMethod } from "./retry-method.ts";

/** Recorded as the author of an answer when nobody answered in time: the question's default, which is never risky. */
export const NOBODY = "nobody in time";
/** Recorded as the author when a question becomes obsolete and is closed automatically. */
export const UNSTUCK = "unstuck";

export type AnswerName = Answer["kind"];

export interface CheckpointOption {
  readonly answer: AnswerName;
  readonly label: string;
  /** A `retry` that needs no words from the person. */
  readonly bare?: true;
}

export interface Checkpoint {
  readonly id: string;
  readonly trigger: "HICCUP" | "BUDGET" | "CHECKS";
  /** Absent if it concerns the whole run. */
  readonly subtask?: string;
  readonly question: string;
  readonly context: {
    readonly goal: string;
    readonly error: string;
    readonly kind?: FailureKind;
    readonly attempts: number;
    /** Questions for this kind of failure that only a person can answer, with values filled in. */
    readonly questions?: readonly string[];
    /** What a person can do about it, as a command if there is one. */
    readonly advice?: string;
    /** The agent's own question, in its words. */
    readonly asks?: string;
    /** The calls that the agent's gate refused. */
    readonly refused?: readonly Refusal[];
    /** The attempt that came furthest; a retry starts from it. */
    readonly best?: number;
    /** The kinds of retry that a person can choose from. */
    readonly ways?: readonly RetryMethod[];
    readonly measure?: Measure;
    /** Checks that cannot be used to judge the work here. */
    readonly checks?: readonly string[];
    /** Which budget is used up. */
    readonly budgetOf?: "run" | "subtask" | "recovery";
    /** The first subtasks blocked by it, and how many there are in total. */
    readonly blocks: readonly string[];
    readonly blocksCount: number;
  };
  readonly options: readonly CheckpointOption[];
  readonly recommendation: AnswerName;
  /** The answer that applies if the checkpoint expires; never a risky one. */
  readonly default: AnswerName;
  /** The attempt that waits for the answer to continue a call, and the number of that request. */
  readonly waiting?: { readonly attempt: number; readonly request: number };
  /** The cause that other subtasks may share: they join this question instead of asking their own. */
  readonly cause?: string;
  /** Subtasks that have joined; the answer applies to them too. */
  readonly also?: readonly string[];
  /** When the default answer takes effect. */
  readonly expiresAt?: number;
  /** The person who is handling it by hand; the question stays open until they are done. */
  readonly takenBy?: string;
}
