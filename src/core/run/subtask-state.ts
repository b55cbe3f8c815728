/** What is remembered of one subtask: its stage, attempts, branches, sessions and warnings. */
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

/** One run of the checks on what an attempt left. */
export interface CheckRound {
  readonly attempt: number;
  readonly round: number;
  /** The agent itself failed, but its work is worth checking. */
  readonly failure?: Failure;
  /** How the agent ended that failed so. */
  readonly how?: string;
  /** What failed in an earlier round on the same tree. */
  readonly flaky?: readonly string[];
}

/** What happens to an attempt's tree after its agent ended. */
export type Stage =
  | (CheckRound & { readonly kind: "checks" })
  | {
      readonly kind: "merge";
      readonly attempt: number;
      readonly dispatched: boolean;
      readonly round: number;
      /** What its checks had to say beside "passed". */
      readonly notes: readonly Note[];
    };

export interface BranchState {
  readonly id: string;
  readonly approach: string;
  readonly iterationsLeft: number;
  readonly bestScore: number;
  readonly bestAttempt: number | undefined;
  readonly ended: boolean;
  /** What had been tried before it, as `Branch` has it. */
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
  /** What is done with the trees of ended attempts; branches have one each. */
  readonly stages: readonly Stage[];
  readonly lastSpec: AttemptSpec | undefined;
  /** Working tree of the subtask, and of each branch under its id. */
  readonly slots: Readonly<Record<string, string>>;
  /** The last session of an agent in each of those trees. */
  readonly sessions: Readonly<Record<string, { readonly agent: string; readonly id: string }>>;
  /** Final answer of the last attempt that gave one: what subtasks that declare it as input are told. */
  readonly answer: string | undefined;
  /** Why it ended without an answer; only of a read-only subtask. */
  readonly unanswered: string | undefined;
  /** The end of what the last attempt said. */
  readonly lastOutput: string;
  /** Results of tools and `<progress>` tags of all attempts, as hashes, bounded: what comes again is not new. */
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
  /** Its agent asked something and was told to settle it: a second question goes to a person (U22). */
  readonly toldToDecide: boolean;
  /** Refused calls that a person wants it to go on without. */
  readonly declined: readonly Refusal[];
  /** Rung of the recovery under way; none once the subtask got going again. */
  readonly rung: string | undefined;
  /** Rung of the last recovery: what is put down to it if the subtask ends verified. */
  readonly lastRung: string | undefined;
  readonly lastRecovery: RecoveryName | undefined;
  /** Ruled out by a circular fix. */
  readonly banned: readonly RecoveryName[];
  readonly progress: StuckState;
  readonly iterations: number;
  /** Infrastructure failures in a row. */
  readonly outage: { readonly streak: number; readonly since: number } | undefined;
  /** Hung, interrupted or lost attempts in a row. */
  readonly cutOffs: number;
  /** Continuations since the last that net progress led to, and in all. */
  readonly continues: number;
  readonly continuesTotal: number;
  readonly goodCommit: string | undefined;
  /** What it started from is no place to go back to: it does not build, or nobody has kept it. */
  readonly noReturn?: boolean;
  /** What is to be known beside its phase, once it is done. */
  readonly notes: readonly Note[];
  readonly words: string | undefined;
  /** Attempt after which a person last spoke: circles are looked for since then. */
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
  /** When its question counts as answered with its default. */
  readonly expiry: { readonly id: number; readonly dueAt: number } | undefined;
  readonly branches: readonly BranchState[];
  readonly ledger: Ledger;
  readonly limit: Budget;
  /** What a person was told is nearly used up. */
  readonly warned: Warned;
  readonly level: RecoveryLevel | null;
  readonly errors: number;
  readonly isHiccup: boolean;
  readonly startedAt: number | undefined;
}

export type Warned = readonly (Measure | "iterations")[];
