/**
 * Feeds the steps of a running attempt to the loop detector as they arrive. Invariants: it reports only when the
 * verdict gets worse; one watch belongs to one attempt; after a nudge the agent gets one more model call, because the
 * nudge arrives too late for the request that the last result already caused.
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
  let hearing: NudgeState = "none";
  return (step) => {
    const verdict = watch.step(step);
    hearing = nextNudgeState(hearing, verdict.level, step.kind);
    if (hearing === "waits" && verdict.level === "stuck") return undefined;
    const isWorse = RANK[verdict.level] > RANK[level];
    level = verdict.level;
    return isWorse ? toLoopVerdict(verdict, step) : undefined;
  };
}

/** `told`: a nudge was sent; `waits`: the loop went on, in a call requested before the nudge arrived. */
type NudgeState = "none" | "told" | "waits";

/** Steps that show whether a nudge was heeded; a message alone does not. */
const SHOWS: ReadonlySet<Step["kind"]> = new Set(["tool_call", "tool_result", "turn_end"]);

function nextNudgeState(before: NudgeState, level: Level, kind: Step["kind"]): NudgeState {
  if (level === "none") return "none";
  if (level === "nudge") return kind === "tool_result" ? "told" : before;
  if (before === "told") return kind === "tool_result" ? "waits" : "none";
  return before === "waits" && !SHOWS.has(kind) ? "waits" : "none";
}

/** For a plain command's output the reason is more useful than the pattern, which is always the same one. */
function toLoopVerdict(
  { level, pattern, reason, nudge = "" }: StuckVerdict,
  step: Step,
): LoopVerdict | undefined {
  if (level === "none" || pattern === undefined) return undefined;
  const isPrinted = step.kind === "message" && step.channel === "output";
  return { level, pattern: isPrinted ? (reason ?? pattern) : pattern, words: nudge };
}
