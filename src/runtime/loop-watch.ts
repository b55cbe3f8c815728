/** What the stuck watch tells the runtime while an attempt goes on. Types only; the detector lives in core/stuck. */
import type { OutputStep } from "./ports-agent.ts";

export interface LoopVerdict {
  readonly level: "nudge" | "stuck";
  readonly pattern: string;
  readonly words: string;
}

/** Fed with the steps of one attempt; speaks when the verdict gets worse. */
export type LoopWatch = (step: OutputStep) => LoopVerdict | undefined;
