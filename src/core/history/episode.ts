/**
 * Episodes: one line of JSON for each subtask's history from its first failure to its outcome. Invariants: reading
 * never throws and skips malformed lines; older lines without `retry_count` and `recovery_level` load with 0 and null;
 * writing and reading back gives an equal episode.
 */
import type { RecoveryLevel } from "../recovery.ts";

export interface Episode {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly goal: string;
  readonly success: boolean;
  /** US dollars, as far as known; null if no attempt reported its cost. */
  readonly cost: number | null;
  /** Seconds. */
  readonly duration: number;
  readonly error: string | null;
  /** Includes uncounted retries. */
  readonly retry_count: number;
  readonly recovery_level: RecoveryLevel | null;
}

export const episodeLine = (episode: Episode): string => `${JSON.stringify(episode)}\n`;

export function readEpisodes(jsonl: string): readonly Episode[] {
  return jsonl.split("\n").flatMap((line) => readEpisode(line) ?? []);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const LEVELS: ReadonlySet<unknown> = new Set([null, "same", "alternative", "clarify", "escalate"]);

const IS_SOUND: { readonly [field in keyof Episode]: (value: unknown) => boolean } = {
  id: isText,
  time: isText,
  goal: isText,
  success: (value) => typeof value === "boolean",
  cost: (value) => value === null || isNumber(value),
  duration: isNumber,
  error: (value) => value === null || isText(value),
  retry_count: isNumber,
  recovery_level: (value) => LEVELS.has(value),
};

function readEpisode(line: string): Episode | undefined {
  const fields = parsedFields(line);
  const { cost = fields["cost_usd"] ?? 0 } = fields;
  const episode = {
    id: fields["id"] ?? fields["episode_id"],
    time: fields["time"] ?? fields["timestamp"],
    goal: fields["goal"] ?? fields["goal_id"],
    success: fields["success"],
    cost,
    duration: fields["duration"] ?? fields["duration_seconds"] ?? 0,
    error: fields["error"] ?? null,
    retry_count: fields["retry_count"] ?? 0,
    recovery_level: fields["recovery_level"] ?? null,
  };
  const names = Object.keys(IS_SOUND) as (keyof Episode)[];
  return names.every((name) => IS_SOUND[name](episode[name])) ? (episode as Episode) : undefined;
}

/** Empty for text that is not JSON. */
export function parsedFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
