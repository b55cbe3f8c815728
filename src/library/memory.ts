/**
 * A task's state as plain JSON and back. Only what differs from a new task is written. Invariant: what is not of our
 * making is refused with a reason, never half restored.
 */
import type { SubtaskState } from "../core/run/state.ts";
import type { RecoveryMemory } from "./task-recovery.ts";

export const MEMORY_VERSION = 1;

/** Fields of the state in which the task differs from a new one. */
export function changesIn(own: SubtaskState, fresh: SubtaskState): RecoveryMemory["state"] {
  const entries = Object.entries(own).filter(
    ([field, value]) =>
      JSON.stringify(value) !== JSON.stringify(fresh[field as keyof SubtaskState]),
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as RecoveryMemory["state"];
}

export function restoredState(memory: RecoveryMemory, fresh: SubtaskState): SubtaskState {
  const refuse = (why: string): never => {
    throw new TypeError(`memory is not what toJSON() gave: ${why}`);
  };
  const given: unknown = memory;
  if (!isRecord(given) || given["version"] !== MEMORY_VERSION)
    return refuse(`expected version ${MEMORY_VERSION}`);
  const { task, prompt, state } = given;
  if (typeof task !== "string" || typeof prompt !== "string") return refuse("no task or prompt");
  if (!isRecord(state)) return refuse("no state");
  for (const [field, value] of Object.entries(state)) {
    if (!(field in fresh)) return refuse(`unknown field ${field}`);
    const expected = fresh[field as keyof SubtaskState];
    if (expected === undefined || expected === null) continue;
    if (typeof value !== typeof expected || Array.isArray(value) !== Array.isArray(expected))
      return refuse(`${field} is of another type`);
  }
  return { ...fresh, ...state };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
