/**
 * Imports attempt history in the `attempt_history.json` format. Invariants: importing an export gives back the same
 * history; an import never throws, and names the place of what it rejects.
 */
import { defined, isRecord } from "../defined.ts";
import { SUBTASK_STATUSES } from "./attempt-history.ts";
import type { HistoryAttempt, HistoryStatus, SubtaskHistory } from "./attempt-history.ts";
import { parsedFields, readEpisodes } from "./episode.ts";
import type { Salvaged } from "./imported-run.ts";

interface Refusal {
  readonly ok: false;
  readonly place: string;
  readonly problem: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads parsed JSON of that format; `stuck_subtasks` may also be a list of plain ids. */
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

/** Reads as much of a file as possible: one JSON document of that format, else JSON lines of episodes. */
export function salvage(text: string): Salvaged | Refusal {
  const fields = parsedFields(text);
  if (!("subtasks" in fields)) return salvageEpisodes(text);
  const { subtasks, stuck_subtasks: stuck = [] } = fields;
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

/** The readable entries, and an error for each of the others, those of the stuck list first. */
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
    const place = `stuck_subtasks[${index}]`;
    if (typeof id === "string" && typeof reason === "string") reasons.set(id, reason);
    else refused.push(refuse(place, "expected an id, or an object with subtask_id and reason"));
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

const isStatus = (value: unknown): value is HistoryStatus =>
  SUBTASK_STATUSES.includes(value as HistoryStatus);

const refuse = (place: string, problem: string): Refusal => ({ ok: false, place, problem });
