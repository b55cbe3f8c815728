/** What is remembered of one subtask: its phase, attempts, branches, sessions and warnings. */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget, Ledger, Measure } from "../budget.ts";
import type { Failure } from "../failure.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { StuckState } from "../progress/stuck-state.ts";
import type { Mutation, RecoveryLevel, RecoveryName } from "../recovery.ts";
import type { AttemptRecord, AttemptSpec, RunningAttempt } from "./attempt.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Note } from "./note.ts";

export type StoredPhase =
  | "pending"
  | "running"
  | "waiting"
  | "asking"
  | "verified"
  | "unverified"
  | "answered"
  | "stuck"
  | "skipped";

/** One round of checks on the tree that an attempt left. */
export interface CheckRound {
  readonly attempt: number;
  readonly round: number;
  /** The agent itself failed, but its work is worth checking. */
  readonly failure?: Failure;
  /** How the failed agent ended. */
  readonly how?: string;
  /** What failed in an earlier round on the same tree. */
  readonly flaky?: readonly string[];
}

/** The processing of an attempt's tree after its agent has ended. */
export type Stage =
  | (CheckRound & { readonly kind: "checks" })
  | {
      readonly kind: "merge";
      readonly attempt: number;
      readonly dispatched: boolean;
      readonly round: number;
      /** Notes from its checks, to be shown along with "passed". */
      readonly notes: readonly Note[];
    };

export interface BranchState {
  readonly id: string;
  readonly approach: string;
  readonly iterationsLeft: number;
  readonly bestScore: number;
  readonly bestAttempt: number | undefined;
  readonly ended: boolean;
  /** What had been tried before, as in `Branch`. */
  readonly tried?: readonly string[];
}

export interface SubtaskState {
  readonly phase: StoredPhase;
  /** Dependencies that are not done yet. */
  readonly unmet: number;
  /** Number of the last attempt; attempts are numbered from 1 and never overwritten. */
  readonly attempt: number;
  readonly counted: number;
  readonly running: readonly RunningAttempt[];
  /** Attempts to dispatch as soon as a place is free. */
  readonly next: readonly AttemptSpec[];
  /** The processing of the trees of ended attempts; each branch has its own. */
  readonly stages: readonly Stage[];
  readonly lastSpec: AttemptSpec | undefined;
  /** The working tree of the subtask, and of each branch under its id. */
  readonly slots: Readonly<Record<string, string>>;
  /** The last agent session in each of those trees. */
  readonly sessions: Readonly<Record<string, { readonly agent: string; readonly id: string }>>;
  /** The last final answer; subtasks that declare this one as an input receive it. */
  readonly answer: string | undefined;
  /** Why it ended without an answer; only for a read-only subtask. */
  readonly unanswered: string | undefined;
  /** The end of the last attempt's output. */
  readonly lastOutput: string;
  /** Hashes of tool results and `<progress>` tags of all attempts, bounded; a repeated one is not new. */
  readonly seen: readonly number[];
  /** The most recent attempts, oldest first. */
  readonly attempts: readonly AttemptRecord[];
  readonly entry: ModelEntry;
  readonly entriesUsed: readonly ModelEntry[];
  readonly thinking: boolean;
  readonly budgetFactor: number;
  readonly uses: Readonly<Record<string, number>>;
  readonly mutationsTried: readonly Mutation[];
  readonly strategiesTried: readonly string[];
  /** The agent asked a question and was told to settle it itself; its next question goes to a person. */
  readonly toldToDecide: boolean;
  /** Refused calls that a person wants it to do without. */
  readonly declined: readonly Refusal[];
  /** The rung of the current recovery; undefined once the subtask is moving again. */
  readonly rung: string | undefined;
  /** The rung of the last recovery, which gets the credit if the subtask ends verified. */
  readonly lastRung: string | undefined;
  readonly lastRecovery: RecoveryName | undefined;
  /** Recoveries ruled out by a circular fix. */
  readonly banned: readonly RecoveryName[];
  readonly progress: StuckState;
  readonly iterations: number;
  /** Consecutive infrastructure failures. */
  readonly outage: { readonly streak: number; readonly since: number } | undefined;
  /** Consecutive hung, interrupted or lost attempts. */
  readonly cutOffs: number;
  /** Continuations since the last net progress, and in total. */
  readonly continues: number;
  readonly continuesTotal: number;
  readonly goodCommit: string | undefined;
  /** Its starting tree must not or cannot be restored: the base does not build, or no copy of it was kept. */
  readonly noReturn?: boolean;
  /** What to show with its phase once it is done. */
  readonly notes: readonly Note[];
  readonly words: string | undefined;
  /** The attempt after which a person last spoke; circles are only looked for since then. */
  readonly spokenAt: number;
  readonly timer:
    | {
        readonly id: number;
        readonly dueAt: number;
        readonly spec: AttemptSpec;
        readonly ofService: boolean;
      }
    | undefined;
  readonly timers: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly checkpoints: number;
  /** When the default answer to its question takes effect. */
  readonly expiry: { readonly id: number; readonly dueAt: number } | undefined;
  readonly branches: readonly BranchState[];
  readonly ledger: Ledger;
  readonly limit: Budget;
  /** The measures for which a person was warned. */
  readonly warned: Warned;
  readonly level: RecoveryLevel | null;
  readonly errors: number;
  readonly isHiccup: boolean;
  readonly startedAt: number | undefined;
}

export type Warned = readonly (Measure | "iterations")[];
