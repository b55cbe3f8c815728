/** What you report about a failed attempt, and what you get back. */
import type { Failure } from "../core/failure.ts";
import type { ToolCallStep } from "../core/stuck/step.ts";
import type { RecoveryMemory } from "./recovery-options.ts";

/**
 * What you know about a failed attempt. Only `prompt` is required; the more you report, the better the next attempt.
 */
export interface FailedAttempt {
  /** The prompt of the failed attempt: the task itself, or the `prompt` of the last `again`. */
  readonly prompt: string;
  /** Names of the failing tests or checks: the work was judged, and these are left to fix. */
  readonly failing?: readonly string[];
  /** The tool call that failed, if a tool failed rather than the model. */
  readonly step?: ToolCallStep;
  /** What the attempt tried, in one line. Later attempts are told not to repeat it. */
  readonly approach?: string;
  /** The end of the attempt's output. A new conversation is told where the old one stopped. */
  readonly output?: string;
  /** The commands that verify the work; prompts name them. */
  readonly checks?: readonly string[];
  /** JSON Schema of the answer you need. After an unreadable answer, the next prompt includes it. */
  readonly schema?: unknown;
  /**
   * A fingerprint of the work after the attempt, such as a git tree. It reveals edits that go in circles or change
   * nothing.
   */
  readonly tree?: string;
  /** The last good state of the work, such as a commit. Enables a fresh start from there. */
  readonly goodCommit?: string;
  /** What the attempt used, counted against `limits`. */
  readonly used?: { readonly usd?: number; readonly tokens?: number };
}

interface Explained {
  /** Why, in one line for a person or a log. */
  readonly because: string;
  /** The classified failure. */
  readonly failure: Failure;
}

/** Try again with this prompt. */
export interface Again extends Explained {
  readonly kind: "again";
  readonly prompt: string;
  /** What the next attempt does differently. */
  readonly recovery:
    "retry" | "feedback" | "repair" | "mutate" | "fresh" | "sidegrade" | "escalate" | "continue";
  /**
   * Whether to continue the conversation or start a new one. The prompt already says what went wrong in the old one.
   */
  readonly conversation: "keep" | "new";
  /** The model to use; present only if `models` were given. */
  readonly model?: string;
  /** Let the model think longer: there is no stronger model left. */
  readonly thinking?: boolean;
  /** Reset the work to this state first; only for a fresh start. */
  readonly resetTo?: string;
}

/** The attempt itself was fine: wait this long, then repeat it unchanged. */
export interface Wait extends Explained {
  readonly kind: "wait";
  readonly ms: number;
}

/** Only a person can help. Pass their answer to `answered`. */
export interface Ask extends Explained {
  readonly kind: "ask";
  readonly question: string;
}

/** Everything was tried, or a limit was reached. */
export interface GiveUp extends Explained {
  readonly kind: "give-up";
}

export type NextMove = Again | Wait | Ask | GiveUp;

/** The recovery of one task: report how each attempt ended, and it returns what to do next. */
export interface TaskRecovery {
  /**
   * Reports a failed attempt and returns what to do next.
   *
   * @param failure What was caught or observed: an `Error` (from fetch, the AI SDK, an OpenAI-like client or a
   * command), evidence (`{ exitCode, stderr }`, `{ httpStatus, message }`), the verdict of a stuck detector, or plain
   * text.
   */
  failed(failure: unknown, attempt: FailedAttempt): NextMove;
  /**
   * Call it with a person's answer to an `ask`. The next prompt includes it, and recoveries that were used up may be
   * used again.
   */
  answered(words?: string): Again;
  /** Call it when the task is done. Forgets what was tried, but not what was spent. */
  succeeded(): void;
  /** What to save for `createRecovery({ memory })` after a restart. `JSON.stringify(recovery)` calls it. */
  toJSON(): RecoveryMemory;
}
