/**
 * A run as spans of a trace: the run, its subtasks, its attempts; decisions about failures are events of the subtask's
 * span. Names and attributes follow OpenTelemetry's conventions for generative AI where these exist, else `recovery.*`
 * and `unstuck.*`. Invariants: pure; every span is emitted once, when it has ended; none contains text from agents,
 * errors or prompts.
 */
import type { Budget } from "../budget.ts";
import { defined } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import { ruleName } from "../policy/situation.ts";
import type { Decision, DecisionOf, OfAttempt, RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";

export type SpanValue = string | number | boolean | readonly string[];
export type SpanAttributes = Record<string, SpanValue>;

export interface RunSpan {
  /** Unique within the run, and stable when the run is read again. */
  readonly key: string;
  readonly parent?: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Why it failed, in one word. */
  readonly failed?: string;
  readonly happenings: readonly { name: string; at: number; attributes: SpanAttributes }[];
}

interface OpenSpan extends Omit<RunSpan, "endedAt" | "failed" | "happenings"> {
  endedAt?: number;
  readonly happenings: { name: string; at: number; attributes: SpanAttributes }[];
}

const attemptName = ({ subtask, attempt }: OfAttempt): string => `${subtask}/${attempt}`;
const RUN_KEY = "run";

export function spanCollector(run: string) {
  const all = new Map<typeof RUN_KEY, OpenSpan>();
  const subtasks = new Map<string, OpenSpan>();
  const attempts = new Map<string, OpenSpan>();
  /** How often each subtask was started. */
  const rounds = new Map<string, number>();
  let now = 0;

  const end = <K>(
    open: Map<K, OpenSpan>,
    key: K,
    more: SpanAttributes,
    failed?: string,
  ): RunSpan[] => {
    const span = open.get(key);
    if (span === undefined) return [];
    open.delete(key);
    const endedAt = Math.max(span.startedAt, span.endedAt ?? now);
    const attributes = { ...span.attributes, ...more };
    return [{ ...span, endedAt, attributes, ...defined({ failed }) }];
  };
  const endAttempt = (name: string, outcome: string, failed?: string): RunSpan[] => {
    const told = defined({ "unstuck.attempt.outcome": outcome, "error.type": failed });
    return end(attempts, name, told, failed);
  };
  const endSubtask = (subtask: string, state: string, failed?: string): RunSpan[] =>
    end(subtasks, subtask, { "unstuck.subtask.state": state }, failed);

  function beginSubtask(subtask: string): OpenSpan {
    const known = subtasks.get(subtask);
    if (known !== undefined) return known;
    const round = (rounds.get(subtask) ?? 0) + 1;
    rounds.set(subtask, round);
    const span = {
      key: `subtask ${subtask}${round === 1 ? "" : `, again ${round}`}`,
      ...{ parent: RUN_KEY, name: `subtask ${cleanLine(subtask, 80)}`, startedAt: now },
      ...{ attributes: { "unstuck.subtask.id": cleanLine(subtask, 120) }, happenings: [] },
    };
    subtasks.set(subtask, span);
    return span;
  }

  function taken(input: RunInput): void {
    now = Math.max(now, input.at);
    if (input.kind === "run-started")
      all.set(RUN_KEY, {
        ...{ key: RUN_KEY, name: "invoke_workflow unstuck", startedAt: now, happenings: [] },
        attributes: {
          "gen_ai.operation.name": "invoke_workflow",
          "gen_ai.workflow.name": "unstuck",
          "gen_ai.conversation.id": run,
          "unstuck.subtasks": input.plan.subtasks.length,
        },
      });
    if (input.kind !== "attempt-ended") return;
    const span = attempts.get(attemptName(input));
    if (span === undefined) return;
    span.endedAt = now;
    Object.assign(span.attributes, usageOf(input.remains.used));
  }

  function decided(event: Decision): RunSpan[] {
    switch (event.kind) {
      case "attempt-dispatched": {
        now = Math.max(now, event.at);
        const { key: parent } = beginSubtask(event.subtask);
        const attributes = ofDispatch(run, event);
        attempts.set(attemptName(event), {
          ...{ key: `attempt ${attemptName(event)}`, parent, startedAt: now, happenings: [] },
          ...{ name: `invoke_agent ${cleanLine(event.spec.entry.agent, 80)}`, attributes },
        });
        return [];
      }
      case "failure-classified":
        return endAttempt(attemptName(event), "failed", event.failure.kind);
      case "attempt-cut-off":
        return endAttempt(attemptName(event), "cut off");
      case "recovery-chosen":
        subtasks.get(event.subtask)?.happenings.push({
          ...{ name: "recovery.chosen", at: now, attributes: ofRecovery(event) },
        });
        return [];
      case "subtask-done":
        return [
          ...endAttempt(attemptName(event), "passed"),
          ...endSubtask(event.subtask, event.phase),
        ];
      case "subtask-parked":
        return endSubtask(event.subtask, event.phase, event.phase);
      case "run-ended": {
        const failed = event.outcome === "verified" ? undefined : event.outcome;
        return [
          ...[...attempts.keys()].flatMap((name) => endAttempt(name, "ended with the run")),
          ...[...subtasks.keys()].flatMap((subtask) => endSubtask(subtask, "not done")),
          ...end(all, RUN_KEY, { "unstuck.run.outcome": event.outcome }, failed),
        ];
      }
      default:
        return [];
    }
  }

  return {
    add(event: RunEvent): readonly RunSpan[] {
      if (event.kind !== "received") return decided(event);
      taken(event.input);
      return [];
    },
  };
}

function ofDispatch(
  run: string,
  { subtask, attempt, spec }: DecisionOf<"attempt-dispatched">,
): SpanAttributes {
  const { entry, recovery, context, thinking } = spec;
  return defined({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": cleanLine(entry.agent, 80),
    "gen_ai.conversation.id": run,
    "gen_ai.request.model": entry.model && cleanLine(entry.model, 80),
    "unstuck.subtask.id": cleanLine(subtask, 120),
    "unstuck.attempt.number": attempt,
    "unstuck.attempt.memory": context,
    "unstuck.attempt.thinking": thinking,
    "recovery.kind": recovery,
  });
}

const usageOf = ({ tokens, usd }: Budget): SpanAttributes =>
  defined({ "unstuck.usage.tokens": tokens, "unstuck.usage.usd": usd });

function ofRecovery({
  recoveries,
  chosenBy,
  considered,
  belief,
}: DecisionOf<"recovery-chosen">): SpanAttributes {
  const chosen = considered.find(({ verdict }) => verdict === "chosen");
  const likely = Object.entries(belief ?? {}).toSorted(([, a], [, b]) => b - a)[0];
  return defined({
    "recovery.kinds": recoveries.map(({ kind }) => kind),
    "recovery.chosen_by": ruleName(chosenBy),
    "recovery.options": considered.length,
    "recovery.expected_success": chosen?.success,
    "recovery.expected_cost": chosen?.cost,
    "recovery.cause": likely?.[0],
    "recovery.cause.share": likely?.[1],
  });
}
