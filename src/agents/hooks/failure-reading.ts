/**
 * What reads failures for the hook, as types: the classifier and its rules are most of what Unstuck weighs, so they are
 * loaded only when something failed. Imports types.
 */
import type { Failure } from "../../core/failure.ts";
import type { AfterTool, HookAgent, ModelFailure } from "./hook-event.ts";

export interface RecoveryHint {
  readonly signature: string;
  readonly words: string;
}

export interface FailureReading {
  readonly recoveryHint: (agent: HookAgent, event: AfterTool) => RecoveryHint | undefined;
  readonly modelFailure: (event: ModelFailure) => Failure;
}
