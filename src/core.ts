/**
 * `unstuck/core`: the actor core for people who build a runtime of their own, and the parts it is made of. Pure: no
 * clock, no chance, no I/O. Classification, presets and the stuck detector are in `unstuck`, rules in `unstuck/rules`.
 */

// The run as an actor: an input in, decisions and commands out.
export { decide, type Decided } from "./core/run/decide/decide.ts";
export { fold, foldAll } from "./core/run/fold/fold.ts";
export { NEW_RUN } from "./core/run/new-run.ts";
export { outstanding, type Command } from "./core/run/command.ts";
export type { Decision, RunEvent } from "./core/run/decision.ts";
export type { Answer, AttemptLeftovers, RunInput } from "./core/run/input.ts";
export type { CheckResult } from "./core/run/check-result.ts";
export type { AttemptRecord, AttemptSpec } from "./core/run/attempt.ts";
export type { Checkpoint } from "./core/run/checkpoint.ts";
export type { RunState } from "./core/run/state.ts";
export type { SubtaskState } from "./core/run/subtask-state.ts";
export { needsPerson, phases, type Phase } from "./core/run/view.ts";
export type { Budget, Measure } from "./core/budget.ts";
export { planGraph, transitiveDependents } from "./core/plan/graph.ts";
export type { ModelEntry, Plan, Subtask } from "./core/plan/plan.ts";

// Policies: data made into something that chooses, and read from YAML.
export { ladder } from "./core/policy/ladder.ts";
export { adaptive, type AdaptiveOptions } from "./core/adaptive/adaptive.ts";
export { policyOf } from "./core/adaptive/policy-of.ts";
export type { PolicyData } from "./core/adaptive/policy-data.ts";
export type { Choice, Policy, PolicySettings } from "./core/policy/policy.ts";
export type { Situation } from "./core/policy/situation.ts";
export { policyJsonSchema, readPolicy } from "./core/policy/read.ts";
export { readLoopSettings, withLoopSettings } from "./core/policy/loop-settings.ts";
export type { LoopFlags, LoopSettings } from "./core/policy/loop-settings.ts";
export { MUTATIONS, RECOVERIES, RECOVERY_NAMES } from "./core/recovery.ts";
export type { Branch, Mutation, Recovery, RecoveryName } from "./core/recovery.ts";

// Failures.
export { readEvidence, type EvidenceReading } from "./core/evidence.ts";
export { categoryOf, firstMoveOf, isInfrastructure } from "./core/failure.ts";
export { FAILURE_KINDS } from "./core/kinds.ts";
export type { FirstMove } from "./core/kind-traits.ts";
export { NO_RULES } from "./core/classify/rule-book.ts";
export { signatureOf } from "./core/classify/signature.ts";
export { parseReset } from "./core/classify/reset-time.ts";

// Repair plans.
export { repairPlan } from "./core/repair/repair-plan.ts";
export { nextRepairStep, type NextRepairStep, type StepOutcome } from "./core/repair/repair.ts";
export type { Repair, RepairPlan, RepairRequest, RepairStep } from "./core/repair/repair.ts";

// Prompts and reports.
export { mutate, nextMutation } from "./core/prompt/mutation.ts";
export type { FailingItem, MutationInput } from "./core/prompt/mutation.ts";
export { recoveryHints, retryContext, type PriorAttempt } from "./core/prompt/earlier-attempts.ts";
export { subtaskPrompt, type SubtaskPromptInput } from "./core/prompt/subtask-prompt.ts";
export { escalationReport, type EscalationInput } from "./core/report/escalation-report.ts";
export { escapeHtml, escapeMarkdown, fence, cleanText, cleanLine } from "./core/foreign-text.ts";

// Progress, within an attempt and across attempts.
export { createStuckWatch, type StuckWatch } from "./core/stuck/stuck-watch.ts";
export { readStuckConfig } from "./core/stuck/read-config.ts";
export { readStep } from "./core/stuck/read-step.ts";
export { circularFix } from "./core/progress/circular-fix.ts";
export type { CircularVerdict, FixAttempt } from "./core/progress/circular-fix.ts";
export { progressScore } from "./core/progress/progress-score.ts";
export { outputNovelty } from "./core/progress/output-novelty.ts";
export type { ProgressSignals, ProgressWeights } from "./core/progress/progress-score.ts";
export { endRecovery, NOT_STUCK, startRecovery, stuckState } from "./core/progress/stuck-state.ts";
export type { StuckOptions, StuckState } from "./core/progress/stuck-state.ts";

// What attempts came to, for the next run.
export { exportHistory } from "./core/history/attempt-history.ts";
export { importHistory } from "./core/history/imported-history.ts";
export { episodeLine, readEpisodes, type Episode } from "./core/history/episode.ts";
