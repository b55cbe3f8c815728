/**
 * What an agent tells its hook and what the hook may answer, in terms that fit every agent. Each dialect handles its
 * agent's own formats; the rest of Unstuck sees only these types.
 */
import type { Fields } from "../output/json.ts";

interface EventOrigin {
  /** The agent's own name for the event, needed in the answer. */
  readonly name: string;
  readonly session: string;
  readonly cwd: string;
  /** A subagent's calls are a run of their own. */
  readonly runId?: string;
}

export interface BeforeTool extends EventOrigin {
  readonly kind: "before-tool";
  readonly tool: string;
  readonly args: unknown;
  readonly id?: string;
}

export interface AfterTool extends Omit<BeforeTool, "kind"> {
  readonly kind: "after-tool";
  readonly output: string;
  /** `unsure`: the agent gives the output without saying whether it failed. */
  readonly outcome: "ok" | "failed" | "unsure";
  readonly exitCode?: number;
}

/** A message to the agent: from a person, or from this hook when it rejected a stop. */
interface Prompt extends EventOrigin {
  readonly kind: "prompt";
  readonly text: string;
}

/** The model service failed and the agent gave up. */
export interface ModelFailure extends EventOrigin {
  readonly kind: "model-failure";
  readonly type: string;
  readonly text: string;
}

interface Signal extends EventOrigin {
  readonly kind: "stop" | "compaction";
}

export type HookEvent = BeforeTool | AfterTool | Prompt | ModelFailure | Signal;

export interface HookAnswer {
  /**
   * `hint`: added to a tool's result. `refuse`: the call does not run. `end`: the same, and the turn is over if the
   * agent lets a hook end it. `send-back`: the agent continues working.
   */
  readonly kind: "hint" | "refuse" | "end" | "send-back";
  readonly words: string;
}

/** Converts an agent's payload to an event, and an answer to the agent's format. */
export interface Dialect {
  readonly read: (payload: Fields) => HookEvent | undefined;
  readonly write: (event: HookEvent, answer: HookAnswer) => object;
}
