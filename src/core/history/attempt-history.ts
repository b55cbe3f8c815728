/**
 * Attempt history in the source's JSON shape (B8), out and in. Invariants: what was exported imports to the same;
 * only attempts that were judged are told; an import never throws and names the place of what it refuses; ids such as
 * `__proto__` are data; foreign text is as it was recorded, cleaned and bounded.
 */
import { defined } from "../defined.ts";
import { cleanText } from "../foreign-text.ts";
import type { PriorAttempt } from "../prompt/earlier-attempts.ts";
import type { Phase } from "../run/view.ts";
import { readEpisodes } from "./episode.ts";
import type { Episode } from "./episode.ts";
import type { PastAttempt, SubtaskPast } from "./run-history.ts";

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

/** What was never tried is pending; once tried, it is in progress. */
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
  const { session, approach, succeeded, error, failure, endedAt, startedAt } = attempt;
  return {
    session: session ?? attempt.attempt,
    timestamp: new Date(endedAt ?? startedAt ?? 0).toISOString(),
    approach,
    success: succeeded,
    error: succeeded ? null : error || (failure?.kind ?? ""),
  };
}

interface Refusal {
  readonly ok: false;
  readonly place: string;
  readonly problem: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads parsed JSON of the source's shape; `stuck_subtasks` may also be a list of plain ids. */
export function importHistory(
  value: unknown,
): { readonly ok: true; readonly subtasks: readonly SubtaskHistory[] } | Refusal {
  if (!isRecord(value)) return refuse("", "expected a JSON object");
  const { subtasks, stuck_subtasks: stuck = [] } = value;
  if (!isRecord(subtasks)) return refuse("subtasks", "expected an object");
  if (!Array.isArray(stuck)) return refuse("stuck_subtasks", "expected a list");
  const read = readEntries(subtasks, stuck, readAttempt);
  return read.refused[0] ?? { ok: true, subtasks: read.subtasks };
}

export interface Salvaged {
  readonly subtasks: readonly SubtaskHistory[];
  readonly episodes: readonly Episode[];
  /** Entries or lines that were left out. */
  readonly skipped: number;
}

/** As much of a file as can be read: a JSON document of the source's shape, else JSON lines of episodes. */
export function salvage(text: string): Salvaged | Refusal {
  const value = parsed(text);
  if (!isRecord(value) || !("subtasks" in value)) return salvageEpisodes(text);
  const { subtasks, stuck_subtasks: stuck = [] } = value;
  if (!isRecord(subtasks)) return refuse("subtasks", "expected an object");
  const read = readEntries(subtasks, Array.isArray(stuck) ? stuck : [stuck], readDatedAttempt);
  return { subtasks: read.subtasks, episodes: [], skipped: read.refused.length };
}

function salvageEpisodes(text: string): Salvaged | Refusal {
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  const episodes = readEpisodes(text);
  if (episodes.length === 0) return refuse("", "neither attempt history nor episodes");
  const ends = new Map(episodes.map(({ goal, success }) => [goal, success]));
  const subtasks = [...ends].map(([id, success]): SubtaskHistory => ({
    id,
    status: success ? "completed" : "failed",
    attempts: [],
  }));
  return { subtasks, episodes, skipped: lines - episodes.length };
}

/** What can be read, and a refusal for each entry that cannot, the stuck list's first. */
function readEntries(
  subtasks: Fields,
  stuck: readonly unknown[],
  read: typeof readAttempt,
): { readonly subtasks: readonly SubtaskHistory[]; readonly refused: readonly Refusal[] } {
  const refused: Refusal[] = [];
  const reasons = new Map<string, string>();
  for (const [index, entry] of stuck.entries()) {
    const id = isRecord(entry) ? entry["subtask_id"] : entry;
    const reason = isRecord(entry) ? (entry["reason"] ?? "") : "";
    if (typeof id === "string" && typeof reason === "string") reasons.set(id, reason);
    else
      refused.push(
        refuse(
          `stuck_subtasks[${index}]`,
          "expected an id, or an object with subtask_id and reason",
        ),
      );
  }
  const found = new Map<string, SubtaskHistory>();
  for (const [id, entry] of Object.entries(subtasks)) {
    const place = `subtasks.${id}`;
    const { status, attempts: list = undefined } = isRecord(entry) ? entry : {};
    if (!isRecord(entry)) refused.push(refuse(place, "expected an object"));
    else if (!isStatus(status))
      refused.push(refuse(`${place}.status`, `expected one of ${SUBTASK_STATUSES.join(", ")}`));
    else if (!Array.isArray(list)) refused.push(refuse(`${place}.attempts`, "expected a list"));
    const attempts = (Array.isArray(list) ? list : []).flatMap((one: unknown, index) => {
      const attempt = read(one, `${place}.attempts[${index}]`);
      if (!("problem" in attempt)) return [attempt];
      refused.push(attempt);
      return [];
    });
    if (isStatus(status) && Array.isArray(list))
      found.set(id, { id, status, attempts, ...defined({ stuckReason: reasons.get(id) }) });
  }
  for (const [id, stuckReason] of reasons)
    if (!found.has(id)) found.set(id, { id, status: "stuck", attempts: [], stuckReason });
  return { subtasks: [...found.values()], refused };
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

function readDatedAttempt(value: unknown, place: string): HistoryAttempt | Refusal {
  const read = readAttempt(value, place);
  const isDated = "problem" in read || !Number.isNaN(Date.parse(read.timestamp));
  return isDated ? read : refuse(`${place}.timestamp`, "expected a date");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is HistoryStatus =>
  SUBTASK_STATUSES.includes(value as HistoryStatus);

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (place: string, problem: string): Refusal => ({ ok: false, place, problem });

const MOST_EARLIER = 20;

/** Failed attempts of an earlier run, for the first prompt of the next. */
export function earlierAttempts({ attempts }: SubtaskPast): PriorAttempt[] {
  const clean = (text: string): string => cleanText(text, { maxChars: 2000 });
  return [...attempts.values()]
    .filter(({ succeeded, failure }) => !succeeded && failure !== undefined)
    .slice(-MOST_EARLIER)
    .map(({ approach, failing, failure, error = "", entry }, index) => ({
      attempt: index + 1,
      tier: entry?.tier ?? 1,
      ...(approach === "" ? {} : { approach: clean(approach) }),
      ...(failing.length === 0 ? {} : { feedback: `failing: ${clean(failing.join(", "))}` }),
      error: error === "" ? (failure?.kind ?? "failed") : clean(error),
    }));
}
