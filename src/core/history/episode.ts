/**
 * Episodes (D6): one line of JSON for each subtask's way from its first failure to its outcome. Invariants:
 * reading never throws and skips malformed lines; lines of before `retry_count` and `recovery_level` existed load
 * with 0 and null; what was written reads back equal.
 */
import type { RecoveryLevel } from "../recovery.ts";

export interface Episode {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly goal: string;
  readonly success: boolean;
  /** US dollars, or what is known of them; null where no attempt told its cost. */
  readonly cost: number | null;
  /** Seconds. */
  readonly duration: number;
  readonly error: string | null;
  /** Uncounted retries too. */
  readonly retry_count: number;
  readonly recovery_level: RecoveryLevel | null;
}

export const episodeLine = (episode: Episode): string => `${JSON.stringify(episode)}\n`;

export function readEpisodes(jsonl: string): readonly Episode[] {
  return jsonl.split("\n").flatMap((line) => readEpisode(line) ?? []);
}

const LEVELS: ReadonlySet<unknown> = new Set(["same", "alternative", "clarify", "escalate"]);

function readEpisode(line: string): Episode | undefined {
  const fields = parsed(line);
  const id = fields["id"] ?? fields["episode_id"];
  const time = fields["time"] ?? fields["timestamp"];
  const goal = fields["goal"] ?? fields["goal_id"];
  const success = fields["success"];
  const { cost = fields["cost_usd"] ?? 0 } = fields;
  const duration = fields["duration"] ?? fields["duration_seconds"] ?? 0;
  const error = fields["error"] ?? null;
  const retries = fields["retry_count"] ?? 0;
  const level = fields["recovery_level"] ?? null;
  const isWhole =
    typeof id === "string" &&
    typeof time === "string" &&
    typeof goal === "string" &&
    typeof success === "boolean" &&
    (cost === null || typeof cost === "number") &&
    typeof duration === "number" &&
    (error === null || typeof error === "string") &&
    typeof retries === "number" &&
    isLevel(level);
  return isWhole
    ? {
        id,
        time,
        goal,
        success,
        cost,
        duration,
        error,
        retry_count: retries,
        recovery_level: level,
      }
    : undefined;
}

const isLevel = (value: unknown): value is RecoveryLevel | null =>
  value === null || LEVELS.has(value);

/** What is no object has none of the fields. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
