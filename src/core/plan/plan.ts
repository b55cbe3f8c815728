/**
 * The plan as the core decides on it: subtasks, the model ladder, limits and budgets. Plain data, pinned at start;
 * `run-plan.ts` has the whole, with what the runtime needs to carry it out.
 */
import type { Budget, Measure } from "../budget.ts";
import type { RepairRequest } from "../repair/repair.ts";
import type { Risk } from "../repair/shell-script.ts";

/** One rung of the model ladder: which agent with which model, how capable (tier), where in the order (rank). */
export interface ModelEntry {
  readonly agent: string;
  readonly model?: string;
  readonly tier: number;
  readonly disabled?: boolean;
}

export interface Subtask {
  readonly id: string;
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  /** Number of checks; what they run is the checker's business. */
  readonly checks: number;
  readonly tier?: number;
  /** Only looks and answers: ends `answered`, and whatever it changes is discarded (E1). */
  readonly readOnly?: boolean;
  /** An answer in a given shape is part of being done (E4). */
  readonly structuredOutput?: boolean;
  /** Failed attempts at it in an earlier run whose history was given along. */
  readonly earlierAttempts?: number;
  /** The way to its goal is open: other ways are tried before stronger models (C8). */
  readonly exploratory?: boolean;
  /** On the critical path: its exhaustion escalates at once (B5). */
  readonly critical?: boolean;
  readonly limits?: {
    /** Runs after the first (E7). */
    readonly maxRetries?: number;
    readonly budget?: Budget;
  };
}

export interface Plan {
  readonly goal: string;
  readonly subtasks: readonly Subtask[];
  readonly ladder: readonly ModelEntry[];
  readonly concurrency: number;
  /** How many branches of one exploration may work side by side where nobody set a concurrency; more than it or absent. */
  readonly branchesAtOnce?: number;
  /** The checks run on the base before the first attempt, and on the result before the run ends. */
  readonly judged?: boolean;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
  /** Runs after the first for subtasks that name no limit of their own (E7). */
  readonly maxSubtaskRetries?: number;
  readonly budget: Budget;
  /** What recovery as a whole may use of it: attempts that are iterations. */
  readonly recoveryBudget?: Budget;
  /** A question that is open for longer counts as answered with its default. */
  readonly expireMs?: number;
  /** How long an agent that can wait does so for a person's permission; 0: it is refused at once. */
  readonly permissionWaitMs?: number;
  /** Upper bound of one attempt, reserved before it starts; a measure that is left out gets a share of the budget. */
  readonly attemptCap: Budget;
  /** How long one attempt may take at most, whatever the budget. */
  readonly longestAttemptMs?: number;
  /** Agents that explored branches run on, by the branch's id; other branches run on the subtask's own. */
  readonly branchAgents?: Readonly<Record<string, string>>;
  /** What repairs may do; what is not named may not be done. */
  readonly permissions?: NonNullable<RepairRequest["permissions"]>;
  /** What the user never wants done (C8): agents are told, and nobody is asked about it again. */
  readonly never?: readonly Risk[];
  /** By agent, what it is not known to tell of its use: no budget of that can hold it. */
  readonly untold?: Readonly<Record<string, readonly Measure[]>>;
}
