/**
 * The loop watch of a running attempt: its steps as they come, judged by the detector. Invariants: speaks only when
 * the verdict gets worse; one watch belongs to one attempt; who was told of a loop by a nudge gets one more model
 * call: the words are too late for the request that the last result has already caused.
 */
import { createStuckWatch } from "../core/stuck/stuck-watch.ts";
import type { Step } from "../core/stuck/step.ts";
import type { Level, StuckVerdict } from "../core/stuck/verdict.ts";

interface LoopVerdict {
  readonly level: "nudge" | "stuck";
  readonly pattern: string;
  readonly words: string;
}

export type LoopWatch = (step: Step) => LoopVerdict | undefined;

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

export function createLoopWatch(): LoopWatch {
  const watch = createStuckWatch();
  let level: Level = "none";
  let hearing: Hearing = "none";
  return (step) => {
    const verdict = watch.step(step);
    hearing = hearingAfter(hearing, verdict.level, step.kind);
    if (hearing === "waits" && verdict.level === "stuck") return undefined;
    const isWorse = RANK[verdict.level] > RANK[level];
    level = verdict.level;
    return isWorse ? spoken(verdict, step) : undefined;
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

/** Of a plain command's words, the reason says more than the pattern: it is always the same one. */
function spoken(
  { level, pattern, reason, nudge = "" }: StuckVerdict,
  step: Step,
): LoopVerdict | undefined {
  if (level === "none" || pattern === undefined) return undefined;
  const isPrinted = step.kind === "message" && step.channel === "output";
  return { level, pattern: isPrinted ? (reason ?? pattern) : pattern, words: nudge };
}
