/**
 * The Agent port: how the runtime starts, watches and ends one attempt, for any agent. An implementation keeps two
 * invariants: `start` runs nothing of the agent until `release`, so that the identity can be journaled first; `result`
 * never rejects, and settles only when no process of the attempt is left (or says which ones are).
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
  /** Think longer than usual: the last step of the ladder. */
  readonly thinking?: boolean;
  /** `edit`: the least that allows changing files here and running the checks; `full`: no gate at all (U14). */
  readonly permissions?: "edit" | "full";
  /** Commands the agent will want to run: the subtask's checks. */
  readonly checks?: readonly string[];
  /** Calls that a person allowed beyond that: exactly these, as precisely as the agent's rules can express it. */
  readonly allowed?: readonly Refusal[];
  /**
   * Asks whether a person allows a call that would be refused, for an agent that can wait for the answer. The wait does
   * not count against any limit. Never rejects; resolves to false once the attempt is over.
   */
  readonly askPermission?: (call: Refusal) => Promise<boolean>;
  /** Ends the attempt at this usage, if the agent reports usage as it goes; passed on to agents that can enforce it. */
  readonly cap?: AgentUsage;
  /** The most model answers the attempt may take. */
  readonly turns?: number;
  /** Resume this session of an earlier attempt in the same worktree, if the agent still has it. */
  readonly session?: string;
  /** The worktree. */
  readonly cwd: string;
  /** An existing private folder of this attempt, for its transcript and prompt file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * The run's redaction, applied to everything that is kept. Without it, secrets are recognized by pattern and from
   * `env`.
   */
  readonly redaction?: Redaction;
  readonly limits: {
    /** No output, no tree change and no CPU time for this long ends the attempt. */
    readonly idleMs?: number;
    readonly totalMs?: number;
  };
  /** Any text that changes when the tree does; requested only while the agent is silent. */
  readonly treeMark?: () => Promise<string>;
  /** The agent's steps as its output reports them; the output of a plain command is one long message. */
  readonly onStep?: (step: Step) => void;
}

export type AgentStart =
  | { readonly ok: true; readonly attempt: RunningAttempt }
  | { readonly ok: false; readonly problem: string };

export interface Agent {
  start(request: AgentRequest): Promise<AgentStart>;
  /**
   * Unless its permissions are full, it refuses everything but editing files and running the checks: its prompt says
   * so.
   */
  readonly isGated?: boolean;
  /** It can be switched to longer thinking; any other agent is asked for it in its prompt. */
  readonly canThink?: boolean;
}
