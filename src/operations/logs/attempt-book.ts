/**
 * The attempts of a run, from its recorded events: which agent, when, why there was another attempt, and what the
 * checks and the run decided about each. Invariant: unknown events change nothing.
 */
import { recoveryDid } from "../../core/report/phrases.ts";
import { reasonText } from "../../core/report/explanation-parts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { CheckResult } from "../../core/run/check-result.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { RunInput } from "../../core/run/input.ts";

export interface LoggedAttempt {
  readonly subtask: string;
  readonly attempt: number;
  readonly agent: string;
  readonly model?: string;
  readonly recovery?: string;
  readonly startedAt: number;
  /** Its agent has ended; its checks may still run. */
  endedAt?: number;
  readonly checks: CheckResult[];
  failure?: string;
}

export type AttemptBook = ReturnType<typeof attemptBook>;

/** After one of these events, an ended attempt is over: nothing more will be reported of it. */
const IS_OVER: ReadonlySet<RunEvent["kind"]> = new Set<RunEvent["kind"]>([
  ...["attempt-queued", "wait-scheduled", "subtask-done", "subtask-parked"],
] as const);

export const nameOf = ({ subtask, attempt }: Pick<LoggedAttempt, "subtask" | "attempt">): string =>
  `${subtask}/${attempt}`;

export function attemptBook() {
  const attempts = new Map<string, LoggedAttempt>();
  const recoveries = new Map<string, string>();
  const subtasks = new Set<string>();
  const latest = new Map<string, LoggedAttempt>();
  const over = new Set<string>();
  const received = (input: RunInput): void => {
    if (input.kind === "run-started") for (const { id } of input.plan.subtasks) subtasks.add(id);
    if (input.kind !== "attempt-ended" && input.kind !== "checks-ended") return;
    const known = attempts.get(nameOf(input));
    if (known === undefined) return;
    if (input.kind === "attempt-ended") known.endedAt = input.at;
    else known.checks.push(input.result);
  };
  return {
    add(event: RunEvent): void {
      if (IS_OVER.has(event.kind) && "subtask" in event) {
        const last = latest.get(event.subtask ?? "");
        if (last?.endedAt !== undefined) over.add(nameOf(last));
      }
      if (event.kind === "received") received(event.input);
      else if (event.kind === "recovery-chosen")
        recoveries.set(event.subtask, event.recoveries.map(recoveryDid).join(" and "));
      else if (event.kind === "failure-classified") {
        const known = attempts.get(nameOf(event));
        if (known !== undefined) known.failure = reasonText(event);
      } else if (event.kind === "attempt-dispatched") {
        const { subtask, attempt, spec, at } = event;
        const { agent, model } = spec.entry;
        const recovery = spec.recovery === undefined ? undefined : recoveries.get(subtask);
        const dispatched = {
          ...{ subtask, attempt, startedAt: at, checks: [], agent: cleanLine(agent, 60) },
          ...(model === undefined ? {} : { model: cleanLine(model, 60) }),
          ...(recovery === undefined ? {} : { recovery }),
        };
        attempts.set(nameOf(event), dispatched);
        latest.set(subtask, dispatched);
      }
    },
    /** Oldest first. */
    all: (): readonly LoggedAttempt[] => [...attempts.values()],
    subtasks: (): ReadonlySet<string> => subtasks,
    isOver: (name: string): boolean => over.has(name),
    find: (name: string): LoggedAttempt | undefined => attempts.get(name),
  };
}
