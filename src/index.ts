/**
 * The public library: explicit named exports only. An addition here is a promise; test/cli/exports.test.ts pins the list.
 */
export { classify } from "./core/classify/classify.ts";
export { signatureOf } from "./core/classify/signature.ts";
export { parseReset } from "./core/classify/reset-time.ts";
export { readEvidence } from "./core/evidence.ts";
export type { Evidence, EvidenceReading, Origin, ProviderError } from "./core/evidence.ts";
export { categoryOf, FAILURE_KINDS, firstMoveOf, isInfrastructure } from "./core/failure.ts";
export type { Category, Failure, FailureKind, FirstMove } from "./core/failure.ts";
export { escapeHtml, escapeMarkdown, fence, tame, tameLine } from "./core/foreign-text.ts";

export { repairPlan } from "./core/repair/repair-plan.ts";
export { nextRepairStep } from "./core/repair/execution.ts";
export type { NextRepairStep, StepOutcome } from "./core/repair/execution.ts";
export type { Repair, RepairPlan, RepairRequest, RepairStep } from "./core/repair/repair.ts";

export { mutate, nextMutation } from "./core/prompt/mutation.ts";
export type { FailingItem, MutationInput } from "./core/prompt/mutation.ts";
export { recoveryHints } from "./core/prompt/recovery-hints.ts";
export { retryContext } from "./core/prompt/retry-context.ts";
export type { PriorAttempt } from "./core/prompt/prior-attempt.ts";
export { subtaskPrompt } from "./core/prompt/subtask-prompt.ts";
export type { SubtaskPromptInput } from "./core/prompt/subtask-prompt.ts";
export { escalationReport } from "./core/report/escalation-report.ts";
export type { EscalationInput } from "./core/report/escalation-report.ts";

export { validateJsonAnswer } from "./core/validate/json-answer.ts";
export type { AnswerVerdict } from "./core/validate/json-answer.ts";
export { validateToolCall } from "./core/validate/tool-call.ts";
export type { ToolCall, ToolCallVerdict } from "./core/validate/tool-call.ts";
export { readToolSpecs } from "./core/validate/tool-spec.ts";
export type { ToolSpec } from "./core/validate/tool-spec.ts";

export { circularFix } from "./core/progress/circular-fix.ts";
export type { CircularVerdict, FixAttempt } from "./core/progress/circular-fix.ts";
export { outputNovelty } from "./core/progress/progress-score.ts";
export { progressScore } from "./core/progress/progress-score.ts";
export type { ProgressSignals, ProgressWeights } from "./core/progress/progress-score.ts";
export { endRecovery, NOT_STUCK, startRecovery, stuckState } from "./core/progress/stuck-state.ts";
export type { StuckOptions, StuckState } from "./core/progress/stuck-state.ts";
export { createStuckDetector } from "./core/stuck/detector.ts";
export type { StuckDetector } from "./core/stuck/detector.ts";
export { createStuckWatch } from "./core/stuck/stuck-watch.ts";
export type { StuckWatch } from "./core/stuck/stuck-watch.ts";
export { readStuckConfig } from "./core/stuck/config.ts";
export type { StuckConfig } from "./core/stuck/config.ts";
export { readStep } from "./core/stuck/step.ts";
export type { Step } from "./core/stuck/step.ts";
export type { Verdict } from "./core/stuck/verdict.ts";
export { exportHistory, importHistory } from "./core/history/attempt-history.ts";
export { episodeLine, readEpisodes } from "./core/history/episode.ts";
export type { Episode } from "./core/history/episode.ts";

export type { Budget, Measure } from "./core/budget.ts";
export { planGraph, transitiveDependents } from "./core/plan/graph.ts";
export type { ModelEntry, Plan, Subtask } from "./core/plan/plan.ts";
export { ladder } from "./core/policy/ladder.ts";
export type { Choice, Policy, PolicySettings, Situation } from "./core/policy/policy.ts";
export { PRESETS } from "./core/policy/presets/index.ts";
export type { PresetName } from "./core/policy/presets/index.ts";
export { readLoopSettings, withLoopSettings } from "./core/policy/loop-settings.ts";
export type { LoopFlags, LoopSettings } from "./core/policy/loop-settings.ts";
export { policyJsonSchema } from "./core/policy/json-schema.ts";
export { readPolicy } from "./core/policy/read.ts";
export type { LadderPolicy, Rung } from "./core/policy/schema.ts";
export { MUTATIONS, RECOVERIES, RECOVERY_NAMES } from "./core/recovery.ts";
export type { Branch, Mutation, Recovery, RecoveryName } from "./core/recovery.ts";
export type { AttemptRecord, AttemptSpec } from "./core/run/attempt.ts";
export type { Checkpoint } from "./core/run/checkpoint.ts";
export { outstanding } from "./core/run/command.ts";
export type { Command } from "./core/run/command.ts";
export { decide } from "./core/run/decide.ts";
export type { Decided } from "./core/run/decide.ts";
export type { Decision, RunEvent } from "./core/run/decision.ts";
export { fold, foldAll } from "./core/run/fold.ts";
export type { Answer, AttemptRemains, CheckResult, RunInput } from "./core/run/input.ts";
export { NEW_RUN } from "./core/run/new-run.ts";
export type { RunState, SubtaskState } from "./core/run/state.ts";
export { needsPerson, phases } from "./core/run/view.ts";
export type { Phase } from "./core/run/view.ts";
