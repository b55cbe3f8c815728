/**
 * Unstuck as a library, for people who write an agent loop of their own. Named exports only; an addition here is a
 * promise, and test/library/exports.test.ts pins the list. Runs in browsers and workers: nothing here needs Node.
 */
import { classify as classifyBy } from "./core/classify/classify.ts";
import { NO_RULES, type RuleBook } from "./core/classify/rule-book.ts";
import type { Evidence } from "./core/evidence.ts";
import type { Failure } from "./core/failure.ts";

export { createRecovery } from "./library/create-recovery.ts";
export type {
  Again,
  Ask,
  FailedAttempt,
  GiveUp,
  NextMove,
  TaskRecovery,
  Wait,
} from "./library/task-recovery.ts";
export type {
  RecoveryLimits,
  RecoveryMemory,
  RecoveryOptions,
  Rules,
} from "./library/recovery-options.ts";

/**
 * What failed, and why we think so. Never throws.
 * @param rules `standardRules()` of `unstuck/rules`. Without them texts are not read: status, errno, exit code, signal
 * and the error type a service names decide alone.
 */
export const classify = (evidence: Evidence, rules: RuleBook = NO_RULES): Failure =>
  classifyBy(evidence, rules);
export type { Evidence, Failure, RuleBook };
export type { Origin, ProviderError } from "./core/evidence.ts";
export type { FailureKind } from "./core/kinds.ts";
export type { Category } from "./core/kind-traits.ts";

export { createStuckDetector } from "./core/stuck/detector.ts";
export type { StuckDetector } from "./core/stuck/detector.ts";
export type { Step } from "./core/stuck/step.ts";
export type { StuckVerdict } from "./core/stuck/verdict.ts";
export type { StuckConfig } from "./core/stuck/config.ts";

export { PRESETS } from "./core/policy/presets.ts";
export type { PresetName } from "./core/policy/presets.ts";
export type { LadderPolicy } from "./core/policy/policy.ts";
export type { Rung } from "./core/policy/situation.ts";
