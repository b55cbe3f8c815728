/** What the writer of an agent loop tells of a failure, and what comes back. */
import type { Failure } from "../core/failure.ts";
import type { ToolCallStep } from "../core/stuck/step.ts";
import type { RecoveryMemory } from "./recovery-options.ts";

/** What you know of an attempt that failed. Only `prompt` is needed; the more is known, the better the next one. */
export interface FailedAttempt {
  /** What was asked: the task itself, or the `prompt` of the last `again`. */
  readonly prompt: string;
  /** Names of the tests or checks that fail: the work was judged, and this is left to do. */
  readonly failing?: readonly string[];
  /** The tool call that failed, if it was one and not the model. */
  readonly step?: ToolCallStep;
  /** What the attempt tried, in one line. Later attempts are told not to try it again. */
  readonly approach?: string;
  /** The last words of the attempt. A new conversation is told where the old one stopped. */
  readonly output?: string;
  /** Commands that verify the work; prompts name them. */
  readonly checks?: readonly string[];
  /** JSON Schema of the answer you need; an unreadable answer is asked for again with it. */
  readonly schema?: unknown;
  /** A fingerprint of the work after the attempt, such as a git tree: shows edits that go in circles, or none at all. */
  readonly tree?: string;
  /** The last state of the work that was good, such as a commit. Makes a fresh start from it possible. */
  readonly goodCommit?: string;
  /** What the attempt used, for `limits`. */
  readonly used?: { readonly usd?: number; readonly tokens?: number };
}

interface Explained {
  /** Why, in one line for a person or a log. */
  readonly because: string;
  /** What failed, classified. */
  readonly failure: Failure;
}

/** Try again with this prompt. */
export interface Again extends Explained {
  readonly kind: "again";
  readonly prompt: string;
  /** What the next attempt does differently. */
  readonly recovery:
    "retry" | "feedback" | "repair" | "mutate" | "fresh" | "sidegrade" | "escalate" | "continue";
  /** Go on in the same conversation, or start a new one: what went wrong in the old one is in the prompt. */
  readonly conversation: "keep" | "new";
  /** The model to use; only where `models` were given. */
  readonly model?: string;
  /** Let the model think longer: it is the strongest there is. */
  readonly thinking?: boolean;
  /** Reset the work to this first; only for a fresh start. */
  readonly resetTo?: string;
}

/** Nothing is wrong with the attempt: wait so long, then make the same one again. */
export interface Wait extends Explained {
  readonly kind: "wait";
  readonly ms: number;
}

/** Only a person can help. Give what they say to `answered`. */
export interface Ask extends Explained {
  readonly kind: "ask";
  readonly question: string;
}

/** Everything was tried, or a limit is reached. */
export interface GiveUp extends Explained {
  readonly kind: "give-up";
}

export type NextMove = Again | Wait | Ask | GiveUp;

/** The recovery of one task: tell it how each attempt ended, and it says what comes next. */
export interface TaskRecovery {
  /**
   * An attempt failed: what now?
   * @param failure What was caught or seen: an `Error` (of fetch, the AI SDK, an OpenAI-like client, a command), evidence
   * (`{ exitCode, stderr }`, `{ httpStatus, message }`), the verdict of a stuck detector, or words.
   */
  failed(failure: unknown, attempt: FailedAttempt): NextMove;
  /** A person answered what `ask` asked: their words are in the prompt, and what was used up may be used anew. */
  answered(words?: string): Again;
  /** The task is done. What was tried is forgotten; what was spent is not. */
  succeeded(): void;
  /** What is remembered, for `createRecovery({ memory })` after a restart. `JSON.stringify(recovery)` calls it. */
  toJSON(): RecoveryMemory;
}
