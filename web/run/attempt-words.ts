/** The outcome of an attempt as a word, a shape and a tone; and how it began. Pure. */
import type { OutlinedAttempt, OutlinedSubtask, RunOutline, Standing } from "../api/operations.ts";

/** Tones and icons are those of the page's states. */
interface AttemptLook {
  readonly tone: "failed" | "good" | "still" | "running";
  readonly icon: "cross" | "check" | "slash" | "pause" | "broken" | "clock" | "dotted" | "play";
  readonly words: string;
}

export function attemptLook(
  { attempts }: Pick<OutlinedSubtask, "attempts">,
  attempt: OutlinedAttempt,
  { stopped, paused, ended }: Standing,
): AttemptLook {
  const { succeeded, failure, endedAt, startedAt, branch } = attempt;
  if (failure !== undefined) return { tone: "failed", icon: "cross", words: failure.name };
  if (succeeded) return { tone: "good", icon: "check", words: "passed" };
  // An attempt begins when the previous one is over; only branches run in parallel.
  const isLast = branch !== undefined || attempts.at(-1) === attempt;
  if (!isLast || ended) return { tone: "still", icon: "slash", words: "stopped" };
  if (paused) return { tone: "still", icon: "pause", words: "stopped by the pause" };
  if (stopped) return { tone: "still", icon: "broken", words: "cut off" };
  if (endedAt !== undefined) return { tone: "running", icon: "clock", words: "being checked" };
  return startedAt === undefined
    ? { tone: "still", icon: "dotted", words: "not started" }
    : { tone: "running", icon: "play", words: "running" };
}

/** What was done differently in it, or why there was another; undefined for a first one. */
export function beganWith(
  { questions }: Pick<RunOutline, "questions">,
  { id, attempts }: Pick<OutlinedSubtask, "id" | "attempts">,
  attempt: OutlinedAttempt,
): string | undefined {
  const { recovery, branch, startedAt = 0 } = attempt;
  const before = attempts[attempts.indexOf(attempt) - 1];
  if (recovery !== undefined || branch !== undefined || before === undefined)
    return recovery ?? branch;
  const since = before.startedAt ?? 0;
  const isAnswered = questions.some(
    ({ subtask, also, closedAt = 0 }) =>
      (subtask === id || also.includes(id)) && closedAt >= since && closedAt <= startedAt,
  );
  if (isAnswered) return "after your answer";
  return before.failure === undefined ? "started again" : "tried again";
}
