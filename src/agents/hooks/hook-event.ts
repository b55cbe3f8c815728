/**
 * What an agent tells its hook, and what the hook may say to it, in words that fit every agent. An agent's own
 * shapes are the matter of its dialect; this is all the rest of Unstuck sees of a hook.
 */
import type { Fields } from "../output/json.ts";

interface EventOrigin {
  /** The agent's own name of the event, for the answer. */
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

/** Somebody wrote to the agent: a person, or this hook when it sent a stop back. */
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
   * `hint`: beside a tool's result. `refuse`: the call does not run. `end`: nor does it, and the turn is over, where the
   * agent lets a hook end it. `send-back`: the agent goes on working.
   */
  readonly kind: "hint" | "refuse" | "end" | "send-back";
  readonly words: string;
}

/** An agent's payload to an event, and an answer to what the agent reads. */
export interface Dialect {
  readonly read: (payload: Fields) => HookEvent | undefined;
  readonly write: (event: HookEvent, answer: HookAnswer) => object;
}
