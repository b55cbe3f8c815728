/**
 * What takes a closer look for the hook, as types: the classifier, the repair plan and the stuck detector are most
 * of what Unstuck weighs, so they are loaded only when something failed or came again.
 */
import type { Failure } from "../../core/failure.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { AfterTool, ModelFailure } from "./hook-event.ts";

export interface RecoveryHint {
  readonly signature: string;
  readonly words: string;
}

export interface CloserLook {
  /** `tools`: those of the agent. */
  readonly recoveryHint: (tools: readonly string[], event: AfterTool) => RecoveryHint | undefined;
  readonly modelFailure: (event: ModelFailure) => Failure;
  /** Why the call that is about to be made must not run; undefined: it may. */
  readonly refusal: (past: readonly Step[], call: Step) => string | undefined;
  /** What to tell the agent beside a result; undefined: nothing new. */
  readonly nudge: (past: readonly Step[], result: Step) => string | undefined;
}
