/** Small readings of a history that several properties share. */
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { Happened, History, Violation } from "../world/history.ts";

/** Judges a whole history; an empty list means that it holds. */
export type Property = (history: History) => readonly Violation[];

export interface Report {
  (where: number, detail: string): void;
}

/** A property that looks at one happening after the other. */
export function judging(
  property: string,
  begin: (history: History, report: Report) => (happened: Happened, where: number) => void,
  end?: (history: History, report: Report) => void,
): Property {
  return (history) => {
    const found: Violation[] = [];
    const report: Report = (where, detail) => void found.push({ property, detail, where });
    const look = begin(history, report);
    for (const [where, happened] of history.happened.entries()) look(happened, where);
    end?.(history, report);
    return found;
  };
}

export const eventOf = (happened: Happened): RunEvent | undefined =>
  happened.kind === "committed" ? happened.event : undefined;

export function inputOf(happened: Happened): RunInput | undefined {
  const event = eventOf(happened);
  return event?.kind === "received" ? event.input : undefined;
}

export const idOf = (
  run: string,
  { subtask, attempt }: { readonly subtask: string; readonly attempt: number },
): string => `${run}/${subtask}/${attempt}`;

export const subtaskOf = (attemptId: string): string => attemptId.split("/")[1] ?? "";

/** Follows who watches whom; true for a happening of an agent whose owner has died. */
export function agentsWithoutOwner(): (happened: Happened) => boolean {
  const owners = new Map<string, string>();
  const dead = new Set<string>();
  return (happened) => {
    if (happened.kind === "owner-died") dead.add(happened.by);
    if (happened.kind === "agent-started") owners.set(happened.attemptId, happened.by);
    return happened.kind === "agent-ended" && dead.has(owners.get(happened.attemptId) ?? "");
  };
}

/** The fields that name what may be recorded only once, by kind of event or input. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "run-started": [],
  "cancel-requested": [],
  "pause-requested": ["pause"],
  "run-paused": ["pause"],
  "attempt-cut-off": ["subtask", "attempt"],
  "attempt-dispatched": ["subtask", "attempt"],
  "attempt-started": ["subtask", "attempt"],
  "attempt-ended": ["subtask", "attempt"],
  "checks-dispatched": ["subtask", "attempt", "round"],
  "checks-ended": ["subtask", "attempt", "round"],
  "merge-dispatched": ["subtask", "attempt", "round"],
  "merge-ended": ["subtask", "attempt", "round"],
  "baseline-dispatched": ["round"],
  "baseline-ended": ["round"],
  "final-check-dispatched": ["round"],
  "final-check-ended": ["round"],
  "wait-scheduled": ["subtask", "timer"],
  "wait-shortened": ["subtask", "timer"],
  "timer-fired": ["subtask", "timer"],
  "checkpoint-closed": ["checkpoint"],
  "permission-asked": ["subtask", "attempt", "request"],
  "permission-settled": ["subtask", "attempt", "request"],
  "subtask-done": ["subtask"],
  "run-ended": [],
};

/** The name under which this can be recorded at most once; nothing for what may come again. */
export function onceName(fact: RunEvent | RunInput): string | undefined {
  if (fact.kind === "checkpoint-opened") return `${fact.kind} ${fact.checkpoint.id}`;
  const values = new Map<string, unknown>(Object.entries(fact));
  const fields = NAMES[fact.kind];
  return fields && [fact.kind, ...fields.map((field) => String(values.get(field)))].join(" ");
}
