/**
 * Metrics of a run while it goes on: the four recovery counters, attempts by outcome, their time, tokens and cost.
 * Invariants: pure; each event is counted once; the recovery counters are the run's own, so they agree with `metrics`.
 */
import { NO_RECOVERIES } from "../history/recovery-metrics.ts";
import type { RunEvent } from "../run/decision.ts";
import { fold } from "../run/fold/fold.ts";
import { NEW_RUN } from "../run/new-run.ts";

export const METRIC_DEFINITIONS = {
  "recovery.triggers": ["counter", "{recovery}", "Recoveries that were begun"],
  "recovery.success": ["counter", "{recovery}", "Subtasks that a recovery led to a verified end"],
  "recovery.stage.success": ["counter", "{recovery}", "The same, by the step that did it"],
  "recovery.iterations": ["counter", "{attempt}", "Agent starts for recovery"],
  "unstuck.attempts": ["counter", "{attempt}", "Attempts that have ended"],
  "unstuck.failures": ["counter", "{failure}", "Failures, by their kind"],
  "unstuck.questions": ["counter", "{question}", "Questions to a person"],
  "unstuck.tokens": ["counter", "{token}", "Tokens that agents told"],
  "unstuck.cost": ["counter", "USD", "Money that agents told, or that was estimated"],
  "unstuck.attempt.duration": ["histogram", "s", "How long attempts took"],
} as const;
export type MeasureName = keyof typeof METRIC_DEFINITIONS;

export interface Measured {
  readonly name: MeasureName;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export function metricCollector() {
  let state = NEW_RUN;
  let before = NO_RECOVERIES;
  const started = new Map<string, number>();
  return {
    add(event: RunEvent): readonly Measured[] {
      state = fold(state, event);
      const { metrics } = state;
      const recovered = [
        ...grown("recovery.triggers", metrics.recovery_triggers - before.recovery_triggers),
        ...grown("recovery.success", metrics.recovery_success - before.recovery_success),
        ...grown("recovery.iterations", metrics.recovery_iterations - before.recovery_iterations),
        ...Object.entries(metrics.stage_success).flatMap(([stage, number]) =>
          grown("recovery.stage.success", number - (before.stage_success[stage] ?? 0), {
            "recovery.stage": stage,
          }),
        ),
      ];
      before = metrics;
      return [...recovered, ...ofEvent(event, started)];
    },
  };
}

/** Omits a counter that did not grow. */
const grown = (
  name: MeasureName,
  value: number,
  attributes: Measured["attributes"] = {},
): Measured[] => (value > 0 ? [{ name, value, attributes }] : []);

function ofEvent(event: RunEvent, started: Map<string, number>): readonly Measured[] {
  if (event.kind === "attempt-dispatched") {
    started.set(`${event.subtask}/${event.attempt}`, event.at);
    return [];
  }
  if (event.kind === "failure-classified")
    return grown("unstuck.failures", 1, { "error.type": event.failure.kind });
  if (event.kind === "checkpoint-opened") return grown("unstuck.questions", 1);
  if (event.kind !== "received" || event.input.kind !== "attempt-ended") return [];
  const { subtask, attempt, at, outcome, remains } = event.input;
  const { tokens = 0, usd = 0 } = remains.used;
  const seconds = Math.max(0, at - (started.get(`${subtask}/${attempt}`) ?? at)) / 1000;
  return [
    ...grown("unstuck.attempts", 1, { "unstuck.attempt.end": outcome }),
    ...grown("unstuck.tokens", tokens),
    ...grown("unstuck.cost", usd),
    { name: "unstuck.attempt.duration", value: seconds, attributes: {} },
  ];
}
