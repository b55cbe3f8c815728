/** Short words for sequences of steps, and the verdicts a detector gives on them. */
import { createStuckDetector } from "../../../src/core/stuck/detector.ts";
import type { StuckConfig } from "../../../src/core/stuck/config.ts";
import type { MessageStep, Step, ToolCallStep } from "../../../src/core/stuck/step.ts";
import type { Level, StuckVerdict } from "../../../src/core/stuck/verdict.ts";

export const call = (tool: string, args: unknown, more: Partial<ToolCallStep> = {}): Step => ({
  kind: "tool_call",
  tool,
  args,
  ...more,
});

export const result = (tool: string, output: string, isError = false): Step => ({
  kind: "tool_result",
  tool,
  output,
  isError,
});

/** A call and its result. */
export const ran = (tool: string, args: unknown, output: string): Step[] => [
  call(tool, args),
  result(tool, output),
];

export const failed = (tool: string, args: unknown, output: string): Step[] => [
  call(tool, args),
  result(tool, output, true),
];

export const said = (text: string, more: Partial<MessageStep> = {}): Step => ({
  kind: "message",
  text,
  ...more,
});

export const piece = (text: string): Step => said(text, { partial: true });

export const times = (count: number, steps: (index: number) => readonly Step[]): Step[] =>
  Array.from({ length: count }, (_, index) => steps(index)).flat();

export function verdictsOf(steps: readonly Step[], config?: StuckConfig): StuckVerdict[] {
  const detector = createStuckDetector(config);
  return steps.map((step) => detector.step(step));
}

export const lastVerdict = (steps: readonly Step[], config?: StuckConfig): StuckVerdict =>
  verdictsOf(steps, config).at(-1) ?? { level: "none" };

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

export const rank = ({ level }: StuckVerdict): number => RANK[level];

/** The strongest level reached at any step. */
export const worst = (steps: readonly Step[], config?: StuckConfig): Level =>
  verdictsOf(steps, config).reduce<Level>(
    (level, verdict) => (rank(verdict) > RANK[level] ? verdict.level : level),
    "none",
  );
