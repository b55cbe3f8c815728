/**
 * Attempt history in the source's JSON shape (B8), out and in. Invariants: what was exported imports to the same;
 * an import never throws and names the place of what it refuses; ids such as `__proto__` are data.
 */
import { cleanText } from "../foreign-text.ts";
import type { PriorAttempt } from "../prompt/earlier-attempts.ts";
import type { PastAttempt, SubtaskPast } from "./run-history.ts";
import type { Phase } from "../run/view.ts";

const SUBTASK_STATUSES = ["pending", "in_progress", "completed", "failed", "stuck"] as const;
type HistoryStatus = (typeof SUBTASK_STATUSES)[number];

export interface HistoryAttempt {
  readonly session: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly approach: string;
  readonly success: boolean;
  readonly error: string | null;
}

export interface SubtaskHistory {
  readonly id: string;
  readonly status: HistoryStatus;
  readonly attempts: readonly HistoryAttempt[];
  /** Why it is collected for review. */
  readonly stuckReason?: string;
}

/** The source's file: `attempt_history.json`. */
export interface AttemptHistoryJson {
  readonly subtasks: Readonly<
    Record<string, { readonly attempts: readonly HistoryAttempt[]; readonly status: HistoryStatus }>
  >;
  readonly stuck_subtasks: readonly {
    readonly subtask_id: string;
    readonly reason: string;
    readonly attempt_count: number;
  }[];
}

export function exportHistory(subtasks: readonly SubtaskHistory[]): AttemptHistoryJson {
  return {
    subtasks: Object.fromEntries(
      subtasks.map(({ id, attempts, status }) => [id, { attempts, status }]),
    ),
    stuck_subtasks: subtasks.flatMap(({ id, attempts, stuckReason }) =>
      stuckReason === undefined
        ? []
        : [{ subtask_id: id, reason: stuckReason, attempt_count: attempts.length }],
    ),
  };
}

interface Refusal {
  readonly ok: false;
  readonly place: string;
  readonly problem: string;
}

export type HistoryReading =
  { readonly ok: true; readonly subtasks: readonly SubtaskHistory[] } | Refusal;

/** Reads parsed JSON of the source's shape; `stuck_subtasks` may also be a list of plain ids. */
export function importHistory(value: unknown): HistoryReading {
  if (!isRecord(value)) return refuse("", "expected a JSON object");
  const { subtasks, stuck_subtasks: stuck = [] } = value;
  if (!isRecord(subtasks)) return refuse("subtasks", "expected an object");
  if (!Array.isArray(stuck)) return refuse("stuck_subtasks", "expected a list");
  const reasons = stuckReasons(stuck);
  if ("problem" in reasons) return reasons;
  const read: SubtaskHistory[] = [];
  for (const [id, entry] of Object.entries(subtasks)) {
    const subtask = readSubtask(id, entry, reasons.get(id));
    if ("problem" in subtask) return subtask;
    read.push(subtask);
  }
  for (const [id, stuckReason] of reasons)
    if (!Object.hasOwn(subtasks, id)) read.push({ id, status: "stuck", attempts: [], stuckReason });
  return { ok: true, subtasks: read };
}

function stuckReasons(entries: readonly unknown[]): ReadonlyMap<string, string> | Refusal {
  const reasons = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const id = isRecord(entry) ? entry["subtask_id"] : entry;
    const reason = isRecord(entry) ? (entry["reason"] ?? "") : "";
    if (typeof id !== "string" || typeof reason !== "string")
      return refuse(
        `stuck_subtasks[${index}]`,
        "expected an id, or an object with subtask_id and reason",
      );
    reasons.set(id, reason);
  }
  return reasons;
}

function readSubtask(
  id: string,
  entry: unknown,
  reason: string | undefined,
): SubtaskHistory | Refusal {
  const place = `subtasks.${id}`;
  if (!isRecord(entry)) return refuse(place, "expected an object");
  const { status, attempts } = entry;
  if (!isStatus(status))
    return refuse(`${place}.status`, `expected one of ${SUBTASK_STATUSES.join(", ")}`);
  if (!Array.isArray(attempts)) return refuse(`${place}.attempts`, "expected a list");
  const read: HistoryAttempt[] = [];
  for (const [index, one] of attempts.entries()) {
    const attempt = readAttempt(one, `${place}.attempts[${index}]`);
    if ("problem" in attempt) return attempt;
    read.push(attempt);
  }
  return { id, status, attempts: read, ...(reason !== undefined && { stuckReason: reason }) };
}

function readAttempt(value: unknown, place: string): HistoryAttempt | Refusal {
  if (!isRecord(value)) return refuse(place, "expected an object");
  const { session, timestamp, approach, success, error = null } = value;
  if (typeof session !== "number") return refuse(`${place}.session`, "expected a number");
  if (typeof timestamp !== "string") return refuse(`${place}.timestamp`, "expected a string");
  if (typeof approach !== "string") return refuse(`${place}.approach`, "expected a string");
  if (typeof success !== "boolean") return refuse(`${place}.success`, "expected true or false");
  if (error !== null && typeof error !== "string")
    return refuse(`${place}.error`, "expected a string or null");
  return { session, timestamp, approach, success, error };
}

const isStatus = (value: unknown): value is HistoryStatus =>
  SUBTASK_STATUSES.includes(value as HistoryStatus);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (place: string, problem: string): Refusal => ({ ok: false, place, problem });

const MOST = 20;
const MAX_CHARS = 2000;

export function earlierAttempts({ attempts }: SubtaskPast): PriorAttempt[] {
  return [...attempts.values()]
    .filter(({ succeeded, failure }) => !succeeded && failure !== undefined)
    .slice(-MOST)
    .map(({ approach, failing, failure, error = "", entry }, index) => ({
      attempt: index + 1,
      tier: entry?.tier ?? 1,
      ...(approach === "" ? {} : { approach: cleanText(approach, { maxChars: MAX_CHARS }) }),
      ...(failing.length === 0
        ? {}
        : { feedback: `failing: ${cleanText(failing.join(", "), { maxChars: MAX_CHARS })}` }),
      error: error === "" ? (failure?.kind ?? "failed") : cleanText(error, { maxChars: MAX_CHARS }),
    }));
}

export function exportedSubtask(past: SubtaskPast, phase: Phase): SubtaskHistory {
  const attempts = [...past.attempts.values()]
    .filter(({ failure, succeeded }) => failure !== undefined || succeeded)
    .map(exportedAttempt);
  const status = past.unanswered === undefined ? statusOf(phase, attempts.length > 0) : "failed";
  return {
    id: past.id,
    status,
    attempts,
    ...(status === "stuck" ? { stuckReason: past.parked ?? "" } : {}),
  };
}

function exportedAttempt(attempt: PastAttempt): HistoryAttempt {
  const { session, approach, succeeded, error, failure, endedAt, startedAt } = attempt;
  return {
    session: session ?? attempt.attempt,
    timestamp: new Date(endedAt ?? startedAt ?? 0).toISOString(),
    approach,
    success: succeeded,
    error: succeeded ? null : error || (failure?.kind ?? ""),
  };
}

function statusOf(phase: Phase, tried: boolean): HistoryStatus {
  switch (phase) {
    case "verified":
    case "unverified":
    case "answered":
      return "completed";
    case "stuck":
    case "asking":
      return "stuck";
    case "skipped":
      return "failed";
    case "running":
    case "waiting":
      return "in_progress";
    case "pending":
    case "blocked":
      return tried ? "in_progress" : "pending";
  }
}
