/** The options of `createRecovery`. */
import type { RuleBook } from "../core/classify/rule-book.ts";
import type { LadderPolicy, Policy } from "../core/policy/policy.ts";
import type { FailureToRepair, NextRepair } from "../core/repair/run-repair.ts";

export interface RecoveryOptions {
  /**
   * What to try, in which order, and how long to wait. Plain data: one of `PRESETS`, or your own. Or a policy that
   * chooses by the likely cause: `adaptive()` from `unstuck/core`.
   *
   * @default PRESETS.standard
   */
  readonly policy?: LadderPolicy | Policy;
  /** When to stop, even if the policy has more to try. */
  readonly limits?: RecoveryLimits;
  /** The `toJSON()` of an earlier recovery of the same task, to continue from there. */
  readonly memory?: RecoveryMemory;
  /**
   * Recognises failures by the text of an error, and knows how to repair them: `standardRules()` from `unstuck/rules`.
   * Without it, only status codes, error codes and exit codes are used. That is enough for a model's API, but too
   * little for commands.
   */
  readonly rules?: Rules;
  /** The models you have, weakest first. With more than one, recovery can move up; see `Again.model`. */
  readonly models?: readonly string[];
  /**
   * The current time in epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * A random number in [0, 1), for the jitter of waits.
   *
   * @default Math.random
   */
  readonly random?: () => number;
}

/** Rules that recognise failures by their text, and the repairs for them. Created by `unstuck/rules`. */
export interface Rules extends RuleBook {
  readonly repairs: {
    /** The next repair for a failure that is not among those already tried. */
    readonly next: (of: FailureToRepair, tried: readonly string[]) => NextRepair;
    /** The text for the prompt that describes a repair. */
    readonly words: (of: FailureToRepair, strategy: string, maxChars: number) => string;
  };
}

export interface RecoveryLimits {
  /** Maximum number of attempts, including the first. Attempts ended by a rate limit or an outage do not count. */
  readonly attempts?: number;
  /** Longest wait for one rate limit or outage, in milliseconds. The standard policy waits up to 12 hours. */
  readonly waitMs?: number;
  /** Dollars that all attempts together may use; report what each used with `used`. */
  readonly usd?: number;
  /** Tokens that all attempts together may use; report what each used with `used`. */
  readonly tokens?: number;
}

/** What was tried so far, as plain JSON. */
export interface RecoveryMemory {
  readonly version: 1;
  /** The task as first given. */
  readonly task: string;
  /** The prompt of the current attempt. */
  readonly prompt: string;
  /** Everything else that is remembered. The fields may change between versions of Unstuck. */
  readonly state: { readonly [field: string]: unknown };
}
