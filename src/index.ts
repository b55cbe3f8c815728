/**
 * Unstuck as a library, for people who write an agent loop of their own. Named exports only; an addition here is a
 * promise, and test/library/exports.test.ts pins the list. Runs in browsers and workers: nothing here needs Node.
 */
export { createRecovery } from "./library/create-recovery.ts";
export type {
  Again,
  Ask,
  FailedAttempt,
  GiveUp,
  NextMove,
  RecoveryLimits,
  RecoveryMemory,
  RecoveryOptions,
  Rules,
  TaskRecovery,
  Wait,
} from "./library/task-recovery.ts";

export { classify } from "./library/classify.ts";
export type { Evidence, Origin, ProviderError } from "./core/evidence.ts";
export type { Category, FailureKind } from "./core/kinds.ts";
export type { Failure } from "./core/failure.ts";
export type { RuleBook } from "./core/classify/rule-book.ts";

export { createStuckDetector } from "./core/stuck/detector.ts";
export type { StuckDetector } from "./core/stuck/detector.ts";
export type { Step } from "./core/stuck/step.ts";
export type { StuckVerdict } from "./core/stuck/verdict.ts";
export type { StuckConfig } from "./core/stuck/config.ts";

export { PRESETS } from "./core/policy/presets.ts";
export type { PresetName } from "./core/policy/presets.ts";
export type { LadderPolicy, Rung } from "./core/policy/policy.ts";
