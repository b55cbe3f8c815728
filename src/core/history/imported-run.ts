/**
 * Imports history as a run that is over: reads as much of a file as can be read, counts what it leaves out, and
 * makes each attempt of the file an attempt of that run, so that every command that reads runs reads it too.
 * Invariants: never throws; what is exported of such a run is what was imported (B8); nothing of it is said to be
 * verified, because nobody here verified it.
 */
import { tame } from "../foreign-text.ts";
import type { ModelEntry, Plan } from "../plan/plan.ts";
import { classifyByStandardRules } from "../rules/standard.ts";
import type { AttemptSpec } from "../run/attempt.ts";
import type { RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import type { HistoryAttempt, HistoryReading, SubtaskHistory } from "./attempt-history.ts";
import type { Episode } from "./episode.ts";
import { importHistory } from "./attempt-history.ts";
import { readEpisodes } from "./episode.ts";

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

interface ImportedRun {
  readonly run: string;
  readonly title: string;
  readonly subtasks: readonly SubtaskHistory[];
  readonly episodes: readonly Episode[];
  /** Epoch milliseconds of the import. */
  readonly at: number;
}

export function importedEvents({ run, title, subtasks, episodes, at }: ImportedRun): RunEvent[] {
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
    ...subtasks.flatMap((subtask) => subtaskEvents(subtask)),
    ...episodes.map((episode): RunEvent => ({ kind: "episode-recorded", episode })),
    { kind: "run-ended", outcome: outcomeOf(subtasks), reason: "imported history" },
  ];
}

const received = (input: RunInput): RunEvent => ({ kind: "received", input });

const timeOf = ({ timestamp }: HistoryAttempt): number => Date.parse(timestamp) || 0;

const outcomeOf = (subtasks: readonly SubtaskHistory[]): "unverified" | "failed" =>
  subtasks.every(({ status }) => status === "completed") ? "unverified" : "failed";

function subtaskEvents({ id, status, attempts, stuckReason }: SubtaskHistory): RunEvent[] {
  const events = attempts.flatMap((attempt, index) => attemptEvents(id, index + 1, attempt));
  const attempt = attempts.findLastIndex(({ success }) => success) + 1;
  if (status === "completed")
    events.push({ kind: "subtask-done", subtask: id, attempt, phase: "unverified" });
  if (status === "stuck" || status === "failed")
    events.push({
      kind: "subtask-parked",
      subtask: id,
      phase: status === "stuck" ? "stuck" : "skipped",
      reason: tame(stuckReason ?? (status === "failed" ? "failed, as imported" : ""), {
        maxChars: 1000,
      }),
    });
  return events;
}

function attemptEvents(subtask: string, attempt: number, past: HistoryAttempt): RunEvent[] {
  const at = timeOf(past);
  const of = { subtask, attempt, at, chance: 0 };
  const { session, success } = past;
  const error = tame(past.error ?? "", { maxChars: 2000 });
  const evidence = success ? {} : { message: error, origin: "agent" as const };
  const events: RunEvent[] = [
    { kind: "attempt-queued", subtask, specs: [SPEC] },
    { kind: "attempt-dispatched", subtask, attempt, spec: SPEC, cap: {}, from: "urgent", at },
    received({ kind: "attempt-started", ...of, slot: IMPORTED_AGENT, identity: { session } }),
    received({
      kind: "attempt-ended",
      ...of,
      outcome: success ? "finished" : "failed",
      evidence,
      remains: {
        treeBefore: "",
        treeAfter: "",
        approach: tame(past.approach, { maxChars: 1000 }),
        signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
        used: {},
      },
    }),
  ];
  if (!success)
    events.push({
      kind: "failure-classified",
      subtask,
      attempt,
      failure: classifyByStandardRules(evidence),
      counted: true,
      verdict: true,
      error,
      failing: [],
    });
  return events;
}

export interface Salvaged {
  readonly subtasks: readonly SubtaskHistory[];
  readonly episodes: readonly Episode[];
  /** Entries or lines that were left out. */
  readonly skipped: number;
}

type Refused = Extract<HistoryReading, { readonly ok: false }>;

/** A whole JSON document of the source's shape, else JSON lines of episodes. */
export function salvage(text: string): Salvaged | Refused {
  const value = parsed(text);
  return isRecord(value) && "subtasks" in value ? salvageHistory(value) : salvageEpisodes(text);
}

function salvageHistory(value: Readonly<Record<string, unknown>>): Salvaged | Refused {
  const { subtasks, stuck_subtasks: stuck = [] } = value;
  if (!isRecord(subtasks)) return { ok: false, place: "subtasks", problem: "expected an object" };
  let skipped = 0;
  const kept =
    (reads: (entry: unknown) => boolean) =>
    (entry: unknown): boolean => {
      const isSound = reads(entry);
      if (!isSound) skipped += 1;
      return isSound;
    };
  const attemptReads = (attempt: unknown): boolean =>
    importHistory({ subtasks: { any: { status: "failed", attempts: [attempt] } } }).ok &&
    !Number.isNaN(Date.parse((attempt as { timestamp: string }).timestamp));
  const sound = Object.entries(subtasks).flatMap(([id, entry]) => {
    const attempts =
      isRecord(entry) && Array.isArray(entry["attempts"])
        ? (entry["attempts"] as unknown[]).filter(kept(attemptReads))
        : undefined;
    const whole = isRecord(entry) ? { ...entry, attempts } : entry;
    return kept((one) => importHistory({ subtasks: { any: one } }).ok)(whole)
      ? [[id, whole] as const]
      : [];
  });
  const reasons = (Array.isArray(stuck) ? (stuck as unknown[]) : [stuck]).filter(
    kept((entry) => importHistory({ subtasks: {}, stuck_subtasks: [entry] }).ok),
  );
  const read = importHistory({ subtasks: Object.fromEntries(sound), stuck_subtasks: reasons });
  return read.ok ? { subtasks: read.subtasks, episodes: [], skipped } : read;
}

function salvageEpisodes(text: string): Salvaged | Refused {
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  const episodes = readEpisodes(text);
  if (episodes.length === 0)
    return { ok: false, place: "", problem: "neither attempt history nor episodes" };
  const ends = new Map(episodes.map(({ goal, success }) => [goal, success]));
  const subtasks = [...ends].map(([id, success]): SubtaskHistory => ({
    id,
    status: success ? "completed" : "failed",
    attempts: [],
  }));
  return { subtasks, episodes, skipped: lines - episodes.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
