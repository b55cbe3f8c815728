/** What is told of a decision, and what it is told from. Types only; imports core types. */
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
  failure?: DecisionOf<"failure-classified">;
  score?: DecisionOf<"progress-scored">;
  circle?: string;
  loop?: InputOf<"loop-seen">;
  checks?: InputOf<"checks-ended">;
  merge?: InputOf<"merge-ended">;
}
