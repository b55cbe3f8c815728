/**
 * The Agent port: how the runtime starts, watches and ends one attempt, whatever agent does the work. Invariants
 * an implementation keeps: `start` runs nothing of the agent until `release`, so that the identity can be
 * journaled first; `result` never rejects and settles only when no process of the attempt is left (or says which
 * are).
 */
import type { Refusal } from "../core/agent-words/refusal.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import type { Step } from "../core/stuck/step.ts";
import type { RunningAttempt, AgentUsage } from "./agent-result.ts";

export interface AttemptPlace {
  readonly run: string;
  readonly subtask: string;
  readonly attemptId: string;
  readonly slot: number;
}

export interface AgentRequest {
  readonly place: AttemptPlace;
  readonly prompt: string;
  readonly model?: string;
  /** Think longer than usual: the top of the ladder. */
  readonly thinking?: boolean;
  /** `edit`: the least that can change files here and run the checks; `full`: no gate at all (U14). */
  readonly permissions?: "edit" | "full";
  /** Commands the agent will want to run: the subtask's checks. */
  readonly checks?: readonly string[];
  /** What a person allowed beyond that: these very calls, as exactly as the agent's rules can say it. */
  readonly allowed?: readonly Refusal[];
  /**
   * Whether a person allows a call that would be refused, for an agent that can wait for the answer. No limit counts the
   * time it takes. Never rejects; false once the attempt is over.
   */
  readonly askPermission?: (call: Refusal) => Promise<boolean>;
  /** Ends the attempt where the agent counts as it goes; passed on to agents that can hold to it. */
  readonly cap?: AgentUsage;
  /** How many answers of its model the attempt may take. */
  readonly turns?: number;
  /** Go on with this session of an earlier attempt in the same worktree, where the agent still has it. */
  readonly session?: string;
  /** The worktree. */
  readonly cwd: string;
  /** An existing private folder of this attempt, for its transcript and prompt file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of the run: what is kept goes through it. Without it, secrets are told by their looks and by `env`. */
  readonly redaction?: Redaction;
  readonly limits: {
    /** No output, no tree change and no CPU time for this long ends the attempt. */
    readonly idleMs?: number;
    readonly totalMs?: number;
  };
  /** Any text that changes when the tree does; asked only while the agent is silent. */
  readonly treeMark?: () => Promise<string>;
  /** What the agent does, as its output tells it; what a plain command prints is one long message. */
  readonly onStep?: (step: Step) => void;
}

export type AgentStart =
  | { readonly ok: true; readonly attempt: RunningAttempt }
  | { readonly ok: false; readonly problem: string };

export interface Agent {
  start(request: AgentRequest): Promise<AgentStart>;
  /** Unless its permissions are full, it refuses what goes beyond editing files and the checks: its prompt says so. */
  readonly isGated?: boolean;
  /** It can be switched to think longer; any other is asked to in its prompt. */
  readonly canThink?: boolean;
}
