/**
 * Exports attempt history in the `attempt_history.json` format; `imported-history.ts` imports it. Invariants: only
 * judged attempts are exported; ids such as `__proto__` are treated as data; foreign text is as recorded, cleaned and
 * bounded.
 */
import { cleanText } from "../foreign-text.ts";
import { isFailedWork, type PriorAttempt } from "../prompt/earlier-attempts.ts";
import { RECOVERY_WORDS } from "../recovery.ts";
import type { Phase } from "../run/view.ts";
import type { PastAttempt, SubtaskPast } from "./run-history.ts";

export const SUBTASK_STATUSES = ["pending", "in_progress", "completed", "failed", "stuck"] as const;
export type HistoryStatus = (typeof SUBTASK_STATUSES)[number];

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
  /** Why it was set aside for review. */
  readonly stuckReason?: string;
}

/** The contents of an `attempt_history.json` file. */
export interface AttemptHistoryJson {
  readonly subtasks: Readonly<Record<string, Pick<SubtaskHistory, "attempts" | "status">>>;
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

/** A pending subtask that was already tried is exported as in progress. */
const STATUS: { readonly [phase in Phase]: HistoryStatus } = {
  verified: "completed",
  unverified: "completed",
  answered: "completed",
  stuck: "stuck",
  asking: "stuck",
  skipped: "failed",
  running: "in_progress",
  waiting: "in_progress",
  pending: "pending",
  blocked: "pending",
};

export function exportedSubtask(past: SubtaskPast, phase: Phase): SubtaskHistory {
  const { id, parked = "", unanswered } = past;
  const attempts = [...past.attempts.values()]
    .filter(({ failure, succeeded }) => failure !== undefined || succeeded)
    .map(exportedAttempt);
  const reached = unanswered === undefined ? STATUS[phase] : "failed";
  const status = reached === "pending" && attempts.length > 0 ? "in_progress" : reached;
  return { id, status, attempts, ...(status === "stuck" ? { stuckReason: parked } : {}) };
}

function exportedAttempt(attempt: PastAttempt): HistoryAttempt {
  const { session, succeeded, error, failure, endedAt, startedAt } = attempt;
  return {
    session,
    timestamp: new Date(endedAt ?? startedAt ?? 0).toISOString(),
    approach: attempt.imported ? attempt.approach : approachText(attempt),
    success: succeeded,
    error: succeeded ? null : error || (failure?.kind ?? ""),
  };
}

/** What it tried: in the agent's own words, else the recovery and the model. */
export function approachText({ approach, recovery, entry, branch, imported }: PastAttempt): string {
  if (approach === "" && imported) return "not told";
  if (entry === undefined && approach === "") return "done by hand";
  const did = recovery === undefined ? "first try" : `${RECOVERY_WORDS[recovery].did},`;
  const how = `${did} with ${entry?.model ?? entry?.agent ?? "an agent"}`;
  return `${approach === "" ? how : approach}${branch === undefined ? "" : ` in branch ${branch}`}`;
}

const MOST_EARLIER = 20;

/** Failed attempts of an earlier run, for the first prompt of the next run. */
export function earlierAttempts({ attempts }: SubtaskPast): PriorAttempt[] {
  const clean = (text: string): string => cleanText(text, { maxChars: 2000 });
  return [...attempts.values()]
    .filter(({ succeeded, counted, failure }) => !succeeded && isFailedWork(counted, failure?.kind))
    .slice(-MOST_EARLIER)
    .map(({ approach, failing, failure, error = "", entry, imported }, index) => ({
      attempt: index + 1,
      // The tier of an imported attempt is unknown.
      ...(entry === undefined || imported ? {} : { tier: entry.tier }),
      ...(approach === "" ? {} : { approach: clean(approach) }),
      ...(failing.length === 0 ? {} : { feedback: `failing: ${clean(failing.join(", "))}` }),
      error: error === "" ? (failure?.kind ?? "failed") : clean(error),
    }));
}
