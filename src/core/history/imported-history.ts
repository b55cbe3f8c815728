/**
 * Attempt history in the source's JSON shape (B8) as it is taken in, and as a run that is over: each attempt of the
 * file is an attempt of that run, so that every command that reads runs reads it too. Invariants: what was exported
 * imports to the same, and what is exported of such a run is what was imported; an import never throws and names the
 * place of what it refuses; nothing of it is said to be verified, because nobody here verified it.
 */
import { classify } from "../classify/classify.ts";
import type { RuleBook } from "../classify/rule-book.ts";
import { defined } from "../defined.ts";
import { cleanText } from "../foreign-text.ts";
import type { ModelEntry, Plan } from "../plan/plan.ts";
import type { AttemptSpec } from "../run/attempt.ts";
import type { RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import { SUBTASK_STATUSES } from "./attempt-history.ts";
import type { HistoryAttempt, HistoryStatus, SubtaskHistory } from "./attempt-history.ts";
import { parsedFields, readEpisodes } from "./episode.ts";
import type { Episode } from "./episode.ts";

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

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (place: string, problem: string): Refusal => ({ ok: false, place, problem });

const IMPORTED_AGENT = "imported";
const ENTRY: ModelEntry = { agent: IMPORTED_AGENT, tier: 1 };
const SPEC: AttemptSpec = {
  entry: ENTRY,
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
};

interface ImportedRun extends Omit<Salvaged, "skipped"> {
  readonly run: string;
  readonly title: string;
  /** Epoch milliseconds of the import. */
  readonly at: number;
}

export function importedEvents(
  { run, title, subtasks, episodes, at }: ImportedRun,
  rules: RuleBook,
): RunEvent[] {
  const plan: Plan = {
    goal: title,
    subtasks: subtasks.map(({ id }) => ({ id, prompt: "", dependsOn: [], checks: 0 })),
    ladder: [ENTRY],
    concurrency: 1,
    budget: {},
    attemptCap: {},
  };
  const times = subtasks.flatMap(({ attempts }) => attempts.map(timeOf));
  const began = times.reduce((least, time) => Math.min(least, time), at);
  return [
    received({ kind: "run-started", at: began, chance: 0, run, plan }),
    ...subtasks.flatMap((subtask) => subtaskEvents(subtask, rules)),
    ...episodes.map((episode): RunEvent => ({ kind: "episode-recorded", episode })),
    { kind: "run-ended", outcome: outcomeOf(subtasks), reason: "imported history" },
  ];
}

const received = (input: RunInput): RunEvent => ({ kind: "received", input });

const timeOf = ({ timestamp }: HistoryAttempt): number => Date.parse(timestamp) || 0;

const outcomeOf = (subtasks: readonly SubtaskHistory[]): "unverified" | "failed" =>
  subtasks.every(({ status }) => status === "completed") ? "unverified" : "failed";

function subtaskEvents(
  { id, status, attempts, stuckReason }: SubtaskHistory,
  rules: RuleBook,
): RunEvent[] {
  const events = attempts.flatMap((past, index) =>
    attemptEvents({ subtask: id, attempt: index + 1 }, past, rules),
  );
  const attempt = attempts.findLastIndex(({ success }) => success) + 1;
  if (status === "completed")
    events.push({ kind: "subtask-done", subtask: id, attempt, phase: "unverified" });
  if (status === "stuck" || status === "failed")
    events.push({
      kind: "subtask-parked",
      subtask: id,
      phase: status === "stuck" ? "stuck" : "skipped",
      reason: cleanText(stuckReason ?? (status === "failed" ? "failed, as imported" : ""), {
        maxChars: 1000,
      }),
    });
  return events;
}

function attemptEvents(
  named: { readonly subtask: string; readonly attempt: number },
  past: HistoryAttempt,
  rules: RuleBook,
): RunEvent[] {
  const at = timeOf(past);
  const of = { ...named, at, chance: 0 };
  const { session, success } = past;
  const error = cleanText(past.error ?? "", { maxChars: 2000 });
  const evidence = success ? {} : { message: error, origin: "agent" as const };
  const events: RunEvent[] = [
    { kind: "attempt-queued", subtask: named.subtask, specs: [SPEC] },
    { kind: "attempt-dispatched", ...named, spec: SPEC, cap: {}, from: "urgent", at },
    received({ kind: "attempt-started", ...of, slot: IMPORTED_AGENT, identity: { session } }),
    received({
      kind: "attempt-ended",
      ...of,
      outcome: success ? "finished" : "failed",
      evidence,
      remains: {
        treeBefore: "",
        treeAfter: "",
        approach: cleanText(past.approach, { maxChars: 1000 }),
        signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
        used: {},
      },
    }),
  ];
  if (!success)
    events.push({
      kind: "failure-classified",
      ...named,
      failure: classify(evidence, rules),
      counted: true,
      verdict: true,
      error,
      failing: [],
    });
  return events;
}
