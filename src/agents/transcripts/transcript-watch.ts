/**
 * The loop watch of a running attempt: an agent's output as it comes, read as steps, judged by the detector.
 * Invariants: speaks only when the verdict gets worse; one watch belongs to one attempt; who was told of a loop by
 * a nudge gets one more model call: the words are too late for the request that the last result has already
 * caused.
 */
import type { StuckConfig } from "../../core/stuck/config.ts";
import { createStuckWatch } from "../../core/stuck/stuck-watch.ts";
import type { Step } from "../../core/stuck/step.ts";
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
  let hearing: Hearing = "none";
  return ({ stream, text }) => {
    if (stream !== "stdout") return undefined;
    let worse: LoopVerdict | undefined;
    for (const { step } of reader.push(text).steps) {
      const verdict = watch.step(step);
      hearing = hearingAfter(hearing, verdict.level, step.kind);
      if (hearing === "waits" && verdict.level === "stuck") continue;
      if (RANK[verdict.level] > RANK[level]) worse = spoken(verdict) ?? worse;
      level = verdict.level;
    }
    return worse;
  };
}

/** `told`: a nudge is under way; `waits`: the loop went on, in a call that was asked for before the nudge came. */
type Hearing = "none" | "told" | "waits";

/** What shows whether a nudge was heeded: words alone do not. */
const SHOWS: ReadonlySet<Step["kind"]> = new Set(["tool_call", "tool_result", "turn_end"]);

function hearingAfter(before: Hearing, level: Level, kind: Step["kind"]): Hearing {
  if (level === "none") return "none";
  if (level === "nudge") return kind === "tool_result" ? "told" : before;
  if (before === "told") return kind === "tool_result" ? "waits" : "none";
  return before === "waits" && !SHOWS.has(kind) ? "waits" : "none";
}

function spoken({ level, pattern, nudge = "" }: Verdict): LoopVerdict | undefined {
  return level === "none" || pattern === undefined ? undefined : { level, pattern, words: nudge };
}
