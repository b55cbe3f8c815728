/**
 * The plan as the core sees it: subtasks, the model ladder, limits and budgets. Plain data, fixed at the start;
 * `run-plan.ts` defines the full plan, including what the runtime needs.
 */
import type { Budget, Measure } from "../budget.ts";
import type { RepairRequest } from "../repair/repair.ts";
import type { Risk } from "../repair/shell-script.ts";

/** One entry of the model ladder: an agent with a model and its tier (how capable it is). Its rank is its position. */
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
  /** The number of checks; the checker knows what they run. */
  readonly checks: number;
  readonly tier?: number;
  /** Only looks and answers: it ends `answered`, and its changes are discarded. */
  readonly readOnly?: boolean;
  /** It has to give an answer that fits a schema. */
  readonly structuredOutput?: boolean;
  /** The number of failed attempts in an earlier run whose history was passed in. */
  readonly earlierAttempts?: number;
  /** How to reach its goal is open, so different approaches are tried before stronger models. */
  readonly exploratory?: boolean;
  /** On the critical path: once its options are exhausted, it escalates at once. */
  readonly critical?: boolean;
  readonly limits?: {
    /** Attempts after the first. */
    readonly maxRetries?: number;
    readonly budget?: Budget;
  };
}

export interface Plan {
  readonly goal: string;
  readonly subtasks: readonly Subtask[];
  readonly ladder: readonly ModelEntry[];
  readonly concurrency: number;
  /**
   * How many branches of one exploration may run concurrently if no concurrency was set; larger than `concurrency`, or
   * absent.
   */
  readonly branchesAtOnce?: number;
  /** The checks also run on the base before the first attempt, and on the result before the run ends. */
  readonly judged?: boolean;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
  /** Attempts after the first, for subtasks without a limit of their own. */
  readonly maxSubtaskRetries?: number;
  readonly budget: Budget;
  /** The part of `budget` available to recovery as a whole, that is, to iterations. */
  readonly recoveryBudget?: Budget;
  /** How long a question stays open before its default applies. */
  readonly expireMs?: number;
  /** How long an agent that can wait does so for a person's permission; with 0, the call is refused at once. */
  readonly permissionWaitMs?: number;
  /**
   * The most that one attempt may use, reserved before it starts; a measure without a cap gets a share of the budget.
   */
  readonly attemptCap: Budget;
  /** The longest duration of one attempt, whatever the budget. */
  readonly longestAttemptMs?: number;
  /** The agents for explored branches, by the branch's id; other branches use the subtask's own agent. */
  readonly branchAgents?: Readonly<Record<string, string>>;
  /** What repairs may do; anything not listed is forbidden. */
  readonly permissions?: NonNullable<RepairRequest["permissions"]>;
  /** What the user never wants done: agents are told, and the user is not asked about it again. */
  readonly never?: readonly Risk[];
  /** By agent, the measures it does not report; a budget in those cannot be enforced for it. */
  readonly untold?: Readonly<Record<string, readonly Measure[]>>;
}
