/**
 * The plan of a run, complete and pinned: what the core decides on, and what the runtime needs to carry it out.
 * Made from a plan file and flags; plain data, stored with the run and never read again from a tree an agent can
 * write (U13).
 */
import type { Budget } from "../budget.ts";
import { defined } from "../defined.ts";
import type { PolicyData } from "../adaptive/policy-data.ts";
import type { PriorAttempt } from "../prompt/earlier-attempts.ts";
import type { ModelEntry, Plan } from "./plan.ts";

export interface CheckPlan {
  readonly name: string;
  readonly run: string;
  readonly timeoutMs: number;
  /** What failed on the base may go on failing; nothing else may. */
  readonly noWorse?: boolean;
}

export interface SubtaskPlan {
  readonly prompt: string;
  readonly checks: readonly CheckPlan[];
  /** What a change to the files that judge the work means (U13). */
  readonly tests: "judge" | "keep" | "free";
  /** Subtasks whose answers stand in its prompt; nothing else leaks in (E3). */
  readonly inputs: readonly string[];
  readonly output?: Readonly<Record<string, unknown>>;
  readonly totalMs: number;
  readonly idleMs: number;
  /** Failed attempts at it in an earlier run, for the first prompt of this one (B8). */
  readonly earlier?: readonly PriorAttempt[];
}

/** What a plan may name, as the caller says: the core knows no agent by name. */
export interface PlanAgents {
  /** Every way to drive an agent, by name. */
  readonly adapters: readonly string[];
  /** Those of them that have no program of their own. */
  readonly needCommand: readonly string[];
  /** The adapter of a command that is no known agent. */
  readonly plain: string;
  /** What a plain command's output may be written in. */
  readonly formats: readonly string[];
  /** The five entries of the `stuck-recovery` preset's source, weakest first: its default ladder. */
  readonly sourceLadder: readonly ModelEntry[];
  /** Agents that source gives to its branches, by the branch's id. */
  readonly branchAgents: Readonly<Record<string, string>>;
}

export interface AgentPlan {
  /** How it is driven: by the name of an agent, or as a plain command. */
  readonly adapter: string;
  /** Template of a plain command; for the others, what to start instead of their usual program. */
  readonly command?: string;
  /** How many answers of its model one attempt may take. */
  readonly turns?: number;
  /** What a plain command's output is written in. */
  readonly format?: string;
}

/** A cheap model that rewrites prompts: an agent of the plan, or an OpenAI-compatible endpoint. */
export type RewritePlan =
  | { readonly agent: string; readonly model?: string }
  | { readonly endpoint: string; readonly model: string; readonly keyVariable?: string };

type Permission = "allow" | "deny" | "ask";

/** Beside the core's plan: commands, texts and permissions. */
export interface RunPlan {
  readonly plan: Plan;
  readonly policy: PolicyData;
  /** By subtask id. */
  readonly subtasks: Readonly<Record<string, SubtaskPlan>>;
  /** By name. */
  readonly agents: Readonly<Record<string, AgentPlan>>;
  /** Agents of the preset's own ladder that the plan does not name, or has switched off. */
  readonly leftOut?: readonly string[];
  readonly permissions: {
    readonly sudo: Permission;
    readonly install: Permission;
    readonly delete: Permission;
    /** Agents start without any gate of their own. Only the user's own word gives it, never the repository's (U14). */
    readonly full: boolean;
    /** Commands that the user's own settings allow every agent. */
    readonly allow?: readonly string[];
  };
  readonly rewrite?: RewritePlan;
  readonly setup: readonly string[];
  /** Nobody wrote the set-up down: these files of the repository ask for it. */
  readonly setupDerived?: string;
  /** What is carried stands for the set-up as long as what set-up reads is as in the base. */
  readonly setupWhenChanged?: boolean;
  /** Globs of what setup reads; none: lock files and manifests. */
  readonly setupInputs: readonly string[];
  readonly carry: readonly string[];
  /** Build caches of check trees; absent: the usual ones. */
  readonly cache?: readonly string[];
  /** The published commit is checked once more without caches. */
  readonly finalCheck: "cold" | "warm";
  readonly protect: readonly string[];
  readonly forbidProtected: boolean;
}

const MINUTE = 60_000;

export const PLAN_DEFAULTS = {
  attemptMs: 60 * MINUTE,
  idleMs: 10 * MINUTE,
  checkMs: 20 * MINUTE,
} as const;

type BudgetFile = {
  readonly [measure in "usd" | "tokens" | "minutes" | "attempts"]?: number | undefined;
};

export const budgetOf = ({ usd, tokens, minutes, attempts }: BudgetFile = {}): Budget =>
  defined({ usd, tokens, timeMs: minutes && minutes * MINUTE, attempts });

export const minutesToMs = (minutes: number | undefined, otherwise: number): number =>
  minutes === undefined ? otherwise : Math.round(minutes * MINUTE);
