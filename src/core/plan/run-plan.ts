/**
 * The complete, fixed plan of a run: what the core decides on, and what the runtime needs to carry it out. Made from a
 * plan file and flags; plain data, stored with the run and never read again from a tree that an agent can write to.
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
  /** Failures of the base may remain; new ones may not. */
  readonly noWorse?: boolean;
}

export interface SubtaskPlan {
  readonly prompt: string;
  readonly checks: readonly CheckPlan[];
  /** What a change to the judging files means. */
  readonly tests: "judge" | "keep" | "free";
  /** Subtasks whose answers are included in its prompt; no other answers are. */
  readonly inputs: readonly string[];
  readonly output?: Readonly<Record<string, unknown>>;
  readonly totalMs: number;
  readonly idleMs: number;
  /** Failed attempts in an earlier run, for the first prompt of this one. */
  readonly earlier?: readonly PriorAttempt[];
}

/** What a plan may name, passed in by the caller because the core knows no agent by name. */
export interface PlanAgents {
  /** Every way to drive an agent, by name. */
  readonly adapters: readonly string[];
  /** The adapters among them that have no program of their own. */
  readonly needCommand: readonly string[];
  /** The adapter for commands that are not a known agent. */
  readonly plain: string;
  /** The possible output formats of a plain command. */
  readonly formats: readonly string[];
  /** The five entries of the `stuck-recovery` source's ladder, weakest first: that preset's default ladder. */
  readonly sourceLadder: readonly ModelEntry[];
  /** The agents that this source uses for its branches, by the branch's id. */
  readonly branchAgents: Readonly<Record<string, string>>;
}

export interface AgentPlan {
  /** How it is run: the name of an adapter, which may be the one for plain commands. */
  readonly adapter: string;
  /** The template of a plain command; for other adapters, a program to start instead of the usual one. */
  readonly command?: string;
  /** The most model responses that one attempt may take. */
  readonly turns?: number;
  /** The output format of a plain command. */
  readonly format?: string;
}

/** A cheap model that rewrites prompts: an agent of the plan, or an OpenAI-compatible endpoint. */
export type RewritePlan =
  | { readonly agent: string; readonly model?: string }
  | { readonly endpoint: string; readonly model: string; readonly keyVariable?: string };

type Permission = "allow" | "deny" | "ask";

/** The core's plan, together with commands, texts and permissions. */
export interface RunPlan {
  readonly plan: Plan;
  readonly policy: PolicyData;
  /** By subtask id. */
  readonly subtasks: Readonly<Record<string, SubtaskPlan>>;
  /** By name. */
  readonly agents: Readonly<Record<string, AgentPlan>>;
  /** Agents of the preset's own ladder that the plan does not name or has disabled. */
  readonly leftOut?: readonly string[];
  readonly permissions: {
    readonly sudo: Permission;
    readonly install: Permission;
    readonly delete: Permission;
    /** Agents start without any gate of their own. Only the user can grant this, never the repository. */
    readonly full: boolean;
    /** Commands that the user's own settings allow every agent. */
    readonly allow?: readonly string[];
  };
  readonly rewrite?: RewritePlan;
  readonly setup: readonly string[];
  /** The setup was not written down but derived from these files of the repository. */
  readonly setupDerived?: string;
  /** The carried files replace the setup as long as the files it reads are unchanged from the base. */
  readonly setupWhenChanged?: boolean;
  /** Globs of the files that setup reads; if empty, lock files and manifests. */
  readonly setupInputs: readonly string[];
  readonly carry: readonly string[];
  /** Build caches of check trees; if absent, the usual ones. */
  readonly cache?: readonly string[];
  /** With `cold`, the published commit is checked once more without caches. */
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
