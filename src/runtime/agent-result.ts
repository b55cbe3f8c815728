/** What an agent's process comes to: how it ended, what it used, what it said, and what proves it dead. */
import type { Refusal } from "../core/agent-words/refusal.ts";
import type { Evidence } from "../core/evidence.ts";

/** What proves later that this process group, and no other, is dead. Journaled before `release`. */
export interface ProcessIdentity {
  /** `run/subtask/attempt`; every process of the attempt carries it as UNSTUCK_ATTEMPT. */
  readonly attemptId: string;
  /** The group's id, which is the process id of its leader (the guard). */
  readonly groupId: number;
  /** Start time of the leader as the system writes it: tells a reused process id apart. */
  readonly startTime: string;
  readonly bootId: string;
}

/** `settled`: the agent's own output had already told how the attempt ends, and it would not end by itself. */
export type StopReason = "idle" | "total" | "stop" | "settled";

/** How the process ended; what that means is for `classify` and `decide`. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | {
      readonly kind: "killed";
      readonly reason: StopReason;
      /** The words of whoever asked for the stop. */
      readonly detail: string;
      /** The strongest signal that was needed. */
      readonly with: "SIGINT" | "SIGTERM" | "SIGKILL";
      readonly code?: number;
      readonly signal?: string;
    }
  | { readonly kind: "not-started"; readonly errno: string; readonly detail: string }
  /** The guard died without a word; what was left of the attempt has been killed. */
  | { readonly kind: "guard-lost" };

export interface Transcript {
  readonly path: string;
  readonly bytes: number;
  /** Of exactly the bytes in the file, which holds no secrets. */
  readonly sha256: string;
  /** False where the size limit was reached or the disk refused; `problem` names the latter. */
  readonly complete: boolean;
  readonly problem?: string;
}

export interface AttemptDurations {
  /** Time the attempt could work in: sleep of the machine left out. */
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
  /** The money is tokens times list price, not the agent's own word. */
  readonly estimated?: true;
}

/**
 * What an agent's typed output says of the attempt, once it has ended; a plain command has none. The exit code alone is never
 * trusted: an attempt is finished only when the agent said so here and named no error.
 */
export interface AgentReport {
  /** The agent said that its turn came to its normal end. */
  readonly completed: boolean;
  /** Why it did not, as typed as the agent tells it. */
  readonly error?: Evidence;
  /** All its messages, oldest first, bounded; without thoughts, calls and results. */
  readonly said: string;
  /** The last message: what it answers. */
  readonly answer: string;
  /** What it asked with a tool for questions, as the last thing it did. */
  readonly asked?: string;
  /** Calls that its gate refused, and that it did not get through otherwise. */
  readonly refusals?: readonly Refusal[];
  /** What `AgentRequest.session` takes. */
  readonly session?: string;
  /** The session that was asked for was not there: it began anew, without what it knew. */
  readonly sessionLost?: boolean;
  /** It stopped itself because it went in circles: its words. */
  readonly looped?: string;
  /** The destructive command that it wanted to run and was refused, and what it would do. */
  readonly unsafe?: string;
  /** Reported amounts; absent measures are not known. */
  readonly usage: AgentUsage;
  /** It was stopped because it had used what it may. */
  readonly capped?: Capped;
  /** For a person: an untested version, a permission that was not given. */
  readonly warnings: readonly string[];
}

export interface AgentResult {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly transcript: Transcript;
  readonly durations: AttemptDurations;
  /** How many processes were still there when the agent itself had ended; they were ended too. */
  readonly leftBehind: number;
  /** Processes that could not be ended; nothing may start in this worktree while there are any. */
  readonly survivors: readonly ProcessTrace[];
  /** The kernel killed processes for want of memory while it ran. */
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
  /** Says something to the agent while it works; false where it cannot hear. */
  steer?(words: string): boolean;
  readonly result: Promise<AgentResult>;
}
