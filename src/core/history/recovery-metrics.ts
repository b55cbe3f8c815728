/**
 * Counters of how well recovery works, as plain JSON that survives a restart. Invariants: counters only grow; a
 * recovery counts as a success only once its subtask is verified, so there are never more successes than verified
 * subtasks.
 */

export interface RecoveryMetrics {
  readonly recovery_triggers: number;
  /** Subtasks that ended verified after a recovery. */
  readonly recovery_success: number;
  /** By the rung whose attempt was verified. */
  readonly stage_success: Readonly<Record<string, number>>;
  readonly recovery_iterations: number;
}

export const NO_RECOVERIES: RecoveryMetrics = {
  recovery_triggers: 0,
  recovery_success: 0,
  stage_success: {},
  recovery_iterations: 0,
};

type RecoveryFact =
  | { readonly kind: "triggered" }
  | { readonly kind: "iteration" }
  | { readonly kind: "resolved"; readonly stage: string };

export function countRecovery(metrics: RecoveryMetrics, fact: RecoveryFact): RecoveryMetrics {
  const counted: Partial<RecoveryMetrics> =
    fact.kind === "triggered"
      ? { recovery_triggers: 1 }
      : fact.kind === "iteration"
        ? { recovery_iterations: 1 }
        : { recovery_success: 1, stage_success: { [fact.stage]: 1 } };
  return addMetrics(metrics, { ...NO_RECOVERIES, ...counted });
}

/** Adds up the counters of two runs. */
export function addMetrics(a: RecoveryMetrics, b: RecoveryMetrics): RecoveryMetrics {
  const stages = new Map(Object.entries(a.stage_success));
  for (const [stage, number] of Object.entries(b.stage_success))
    stages.set(stage, (stages.get(stage) ?? 0) + number);
  return {
    recovery_triggers: a.recovery_triggers + b.recovery_triggers,
    recovery_success: a.recovery_success + b.recovery_success,
    stage_success: Object.fromEntries(stages),
    recovery_iterations: a.recovery_iterations + b.recovery_iterations,
  };
}
