/**
 * The loop watch of a running attempt: an agent's output as it comes, read as steps, judged by the
 * detector. Imports core/stuck, the readers and the runtime's types.
 * Invariants: speaks only when the verdict gets worse; one watch belongs to one attempt.
 */
import type { StuckConfig } from "../../core/stuck/config.ts";
import { createStuckWatch } from "../../core/stuck/stuck-watch.ts";
import type { Level, Verdict } from "../../core/stuck/verdict.ts";
import type { LoopVerdict, LoopWatch } from "../../runtime/loop-watch.ts";
import type { AgentFormat } from "./transcript.ts";
import { createTranscriptReader } from "./transcript.ts";

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

export function createTranscriptWatch(
  format: AgentFormat | "steps",
  config?: StuckConfig,
): LoopWatch {
  const reader = createTranscriptReader(format);
  const watch = createStuckWatch(config === undefined ? {} : { config });
  let level: Level = "none";
  return ({ stream, text }) => {
    if (stream !== "stdout") return undefined;
    let worse: LoopVerdict | undefined;
    for (const { step } of reader.push(text).steps) {
      const verdict = watch.step(step);
      if (RANK[verdict.level] > RANK[level]) worse = spoken(verdict) ?? worse;
      level = verdict.level;
    }
    return worse;
  };
}

function spoken({ level, pattern, nudge = "" }: Verdict): LoopVerdict | undefined {
  return level === "none" || pattern === undefined ? undefined : { level, pattern, words: nudge };
}
