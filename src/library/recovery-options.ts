/** What `createRecovery` can be given. */
import type { RuleBook } from "../core/classify/rule-book.ts";
import type { LadderPolicy, Policy } from "../core/policy/policy.ts";
import type { FailureToRepair, NextRepair } from "../core/repair/run-repair.ts";

export interface RecoveryOptions {
  /**
   * What to try, in which order, and how long to wait. Plain data: one of `PRESETS`, or your own; or one that chooses by the
   * cause: `adaptive()` of `unstuck/core`.
   * @default PRESETS.standard
   */
  readonly policy?: LadderPolicy | Policy;
  /** Where to stop, whatever the policy would still try. */
  readonly limits?: RecoveryLimits;
  /** What an earlier recovery of the same task gave as `toJSON()`: it goes on from there. */
  readonly memory?: RecoveryMemory;
  /**
   * What tells from an error's text what failed, and knows repairs: `standardRules()` of `unstuck/rules`. Without it
   * status codes, error codes and exit codes decide alone, which is enough for a model's API and too little for commands.
   */
  readonly rules?: Rules;
  /** The models you have, weakest first. With more than one, recovery can move up; see `Again.model`. */
  readonly models?: readonly string[];
  /**
   * The time in epoch milliseconds.
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Chance in [0, 1), for the jitter of waits.
   * @default Math.random
   */
  readonly random?: () => number;
}

/** Rules for texts, and the repairs of what they recognise. Made by `unstuck/rules`. */
export interface Rules extends RuleBook {
  readonly repairs: {
    /** The next repair of a failure, after those that were tried. */
    readonly next: (of: FailureToRepair, tried: readonly string[]) => NextRepair;
    /** What a prompt says of one of them. */
    readonly words: (of: FailureToRepair, strategy: string, maxChars: number) => string;
  };
}

export interface RecoveryLimits {
  /** Attempts in all, the first included. Those that a rate limit or an outage ended do not count. */
  readonly attempts?: number;
  /** Longest wait for one rate limit or outage, in milliseconds. The standard policy waits up to 12 hours. */
  readonly waitMs?: number;
  /** Dollars that all attempts may use; tell them with `used`. */
  readonly usd?: number;
  /** Tokens that all attempts may use; tell them with `used`. */
  readonly tokens?: number;
}

/** What was tried so far, as plain JSON. */
export interface RecoveryMemory {
  readonly version: 1;
  /** The task as it was first put. */
  readonly task: string;
  /** The prompt of the attempt under way. */
  readonly prompt: string;
  /** Whatever else is remembered; its fields may change between versions of Unstuck. */
  readonly state: { readonly [field: string]: unknown };
}
