/** The row version, and the fields an input must have to be written or read. */
import type { RunInput } from "../core/run/input.ts";

/** Raised when the meaning of rows changes; older versions stay readable. */
export const ROW_VERSION = 3;

export type Needs<T extends { readonly kind: string }> = {
  readonly [K in T["kind"]]: readonly (string & keyof Extract<T, { readonly kind: K }>)[];
};

const INPUT_NEEDS: Needs<RunInput> = {
  "run-started": ["at", "chance", "run", "plan"],
  "baseline-ended": ["at", "chance", "round", "outcomes", "problems"],
  "final-check-ended": ["at", "chance", "round", "result", "confirmed"],
  "attempt-started": ["at", "chance", "subtask", "attempt", "slot"],
  "attempt-ended": ["at", "chance", "subtask", "attempt", "outcome", "evidence", "remains"],
  "checks-ended": ["at", "chance", "subtask", "attempt", "round", "result"],
  "merge-ended": ["at", "chance", "subtask", "attempt", "result"],
  "loop-seen": ["at", "chance", "subtask", "attempt", "level", "pattern", "words"],
  "permission-asked": ["at", "chance", "subtask", "attempt", "request", "call", "waitMs"],
  "timer-fired": ["at", "chance", "subtask", "timer"],
  "checkpoint-answered": ["at", "chance", "checkpoint", "answer", "by"],
  "service-back": ["at", "chance", "waits"],
  "retry-requested": ["at", "chance", "subtask", "words", "by"],
  "pause-requested": ["at", "chance", "pause", "by", "reason"],
  "resume-requested": ["at", "chance", "pause", "by"],
  "cancel-requested": ["at", "chance", "reason"],
};

const NUMBERS: ReadonlySet<string> = new Set(
  "at chance attempt request round timer dueAt waitMs since score independent".split(" "),
);

export const inputProblem = (value: unknown): string | undefined => unmetNeed(value, INPUT_NEEDS);

export function unmetNeed(
  value: unknown,
  needs: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  if (typeof value !== "object" || value === null) return "it is no object";
  const record = value as Readonly<Record<string, unknown>>;
  const { kind } = record;
  const fields = typeof kind === "string" && Object.hasOwn(needs, kind) ? needs[kind] : undefined;
  if (fields === undefined) return `its kind is unknown: ${String(kind).slice(0, 60)}`;
  for (const field of fields) {
    const found = record[field];
    if (found === undefined || found === null) return `${String(kind)} lacks ${field}`;
    if (NUMBERS.has(field) && !Number.isFinite(found)) return `${field} is no number`;
    if (field === "subtask" && typeof found !== "string") return "subtask is no text";
  }
  return undefined;
}
