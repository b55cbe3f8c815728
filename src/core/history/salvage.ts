/**
 * Reads imported history as far as it can be read: what is malformed is left out and counted. Invariants: never
 * throws; what the strict reader accepts, with dates that are dates, is kept whole.
 */
import { importHistory } from "./attempt-history.ts";
import type { HistoryReading, SubtaskHistory } from "./attempt-history.ts";
import { readEpisodes } from "./episode.ts";
import type { Episode } from "./episode.ts";

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
