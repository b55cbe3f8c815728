/**
 * What an agent's process produced: how it ended, what it used, what it printed, and the identity that proves it dead.
 */
import type { Refusal } from "../core/agent-words/refusal.ts";
import type { Evidence } from "../core/evidence.ts";

/** Identifies this process group beyond doubt, so that it can be proven dead later. Journaled before `release`. */
export interface ProcessIdentity {
  /** `run/subtask/attempt`; every process of the attempt carries it as UNSTUCK_ATTEMPT. */
  readonly attemptId: string;
  /** The group's id, which is the process id of its leader (the guard). */
  readonly groupId: number;
  /** Start time of the leader as the system reports it: distinguishes a reused process id. */
  readonly startTime: string;
  readonly bootId: string;
}

/**
 * `settled`: the agent's own output had already shown how the attempt ends, and the process would not exit by itself.
 */
export type StopReason = "idle" | "total" | "stop" | "settled";

/** How the process ended; what that means is for `classify` and `decide`. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | {
      readonly kind: "killed";
      readonly reason: StopReason;
      /** The reason given with the stop. */
      readonly detail: string;
      /** The strongest signal that was needed. */
      readonly with: "SIGINT" | "SIGTERM" | "SIGKILL";
      readonly code?: number;
      readonly signal?: string;
    }
  /** `errno`: as the system has it, or FOLDER_GONE. */
  | { readonly kind: "not-started"; readonly errno: string; readonly detail: string }
  /** The guard died unexpectedly; the rest of the attempt has been killed. */
  | { readonly kind: "guard-lost" };

/** The folder an agent was to start in no longer exists. The system has no code of its own for that. */
export const FOLDER_GONE = "ENOCWD";

export interface Transcript {
  readonly path: string;
  readonly bytes: number;
  /** The hash of exactly the bytes in the file, which contains no secrets. */
  readonly sha256: string;
  /** False if the size limit was reached or a write failed; `problem` names the latter. */
  readonly complete: boolean;
  readonly problem?: string;
}

export interface AttemptDurations {
  /** Time in which the attempt could work: without the time the machine was asleep. */
  readonly activeMs: number;
  readonly sleptMs: number;
}

export interface ProcessTrace {
  readonly pid: number;
  readonly name: string;
  readonly why: "still-alive" | "not-permitted" | "not-proven-ours";
}

export type Capped = "usd" | "tokens" | "turns";

export interface AgentUsage {
  readonly usd?: number;
  readonly tokens?: number;
  /** The cost is computed from tokens and list prices, not reported by the agent. */
  readonly estimated?: true;
}

/**
 * What an ended attempt's typed output reports; a plain command has none. The exit code alone is never trusted: an
 * attempt is finished only when the agent says so here and names no error.
 */
export interface AgentReport {
  /** The agent reported that its turn ended normally. */
  readonly completed: boolean;
  /** Why the turn did not complete, as typed as the agent reports it. */
  readonly error?: Evidence;
  /** All its messages, oldest first, bounded; without thoughts, calls and results. */
  readonly said: string;
  /** The last message: the agent's answer. */
  readonly answer: string;
  /** The question it asked with a question tool as its last action. */
  readonly asked?: string;
  /** Calls that its gate refused and that it did not get allowed later. */
  readonly refusals?: readonly Refusal[];
  /** The value for `AgentRequest.session`. */
  readonly session?: string;
  /** The requested session no longer existed, so the agent started a new one without its context. */
  readonly sessionLost?: boolean;
  /** The agent stopped itself because it went in circles: its own message. */
  readonly looped?: string;
  /** The destructive command that the agent was refused, and what it would have done. */
  readonly unsafe?: string;
  /** Reported amounts; a missing measure is unknown. */
  readonly usage: AgentUsage;
  /** It was stopped because it reached this limit. */
  readonly capped?: Capped;
  /** For the user: an untested version, a permission that was not given. */
  readonly warnings: readonly string[];
}

export interface AgentResult {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly transcript: Transcript;
  readonly durations: AttemptDurations;
  /** How many processes were still running when the agent itself had exited; they were ended too. */
  readonly leftBehind: number;
  /** Processes that could not be ended; nothing may start in this worktree while any are left. */
  readonly survivors: readonly ProcessTrace[];
  /** The kernel killed processes for lack of memory while the agent ran. */
  readonly outOfMemory?: boolean;
  readonly promptBy: "argument" | "file" | "stdin" | "file-reference";
  /** Absent where the agent has no typed output. */
  readonly report?: AgentReport;
}

export interface RunningAttempt {
  readonly identity: ProcessIdentity;
  /** Lets the agent start. Call it once, after the identity is journaled. */
  release(): void;
  /** Ends the attempt in order (SIGINT, SIGTERM, SIGKILL); also before `release`. */
  stop(detail: string): void;
  /** Sends the agent a message while it works; false if it cannot receive one. */
  steer?(words: string): boolean;
  readonly result: Promise<AgentResult>;
}
