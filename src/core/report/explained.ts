/** What is told of a decision, and what it is told from. Invariant: nothing told is empty. */
import type { Subtask } from "../plan/plan.ts";
import type { Considered } from "../policy/policy.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { InputOf } from "../run/input.ts";

export interface Explanation {
  readonly seq: number;
  readonly subtask?: string;
  /** The decision in a few words. */
  readonly decision: string;
  readonly seen: readonly string[];
  readonly considered: readonly Considered[];
  readonly why: string;
}

export type Told = Omit<Explanation, "seq" | "subtask">;

/** What was last seen of a subtask. */
export interface Seen {
  readonly plan?: Subtask;
  failure?: DecisionOf<"failure-classified">;
  score?: DecisionOf<"progress-scored">;
  circle?: string;
  loop?: InputOf<"loop-seen">;
  ended?: InputOf<"attempt-ended">;
  checks?: InputOf<"checks-ended">;
  merge?: InputOf<"merge-ended">;
  /** A person's answer, until an agent starts again. */
  answer?: DecisionOf<"checkpoint-closed" | "checkpoint-followed">;
  branches?: readonly DecisionOf<"branch-moved">[];
  phase?: string;
}

/** A rule that leaves nothing to weigh. */
export const only = (rung: string, recovery: string): readonly Considered[] => [
  { rung, recovery, verdict: "chosen; it follows from what was seen, nothing else was weighed" },
];
