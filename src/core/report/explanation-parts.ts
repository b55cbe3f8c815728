/**
 * The types of explanations and of what they are made from, and short texts about failures. Invariant: no text in an
 * explanation is empty.
 */
import { cleanLine } from "../foreign-text.ts";
import type { Subtask } from "../plan/plan.ts";
import type { Considered } from "../policy/situation.ts";
import type { Decision, DecisionOf } from "../run/decision.ts";
import type { Recovery } from "../recovery.ts";
import type { InputOf } from "../run/input.ts";
import type { BelievedCause } from "./believed-causes.ts";
import type { ClassifiedFailure } from "./classified.ts";

export interface Explanation {
  readonly seq: number;
  readonly subtask?: string;
  /** The decision in a few words. */
  readonly decision: string;
  readonly seen: readonly string[];
  readonly considered: readonly Considered[];
  readonly why: string;
  /**
   * For decisions that are part of a subtask's story: the decision in plain words, the evidence to show, and the
   * alternatives.
   */
  readonly said?: string;
  readonly evidence?: readonly string[];
  readonly others?: readonly OtherOption[];
  /** The believed causes, most likely first. */
  readonly belief?: readonly BelievedCause[];
  /** The failure it is about: its classification, and the lines that decided. */
  readonly classified?: ClassifiedFailure;
}

/** An option that was not chosen. */
export interface OtherOption {
  readonly option: string;
  readonly why: string;
}

export type ExplanationContent = Omit<Explanation, "seq" | "subtask">;

/** The latest facts about a subtask. */
export interface SubtaskFacts {
  readonly plan?: Subtask;
  failure?: DecisionOf<"failure-classified">;
  /** The failure before it. */
  earlier?: DecisionOf<"failure-classified">;
  /** The last response to a failure. */
  did?: readonly Recovery[];
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

/** Facts about the whole run. */
export interface RunFacts {
  readonly subtasks: ReadonlyMap<string, SubtaskFacts>;
  /** Why it is being paused or cancelled. */
  readonly stop?: string;
}

type Explain<K extends Decision["kind"]> = (
  event: DecisionOf<K>,
  seen: SubtaskFacts,
  run: RunFacts,
) => ExplanationContent | undefined;

/** By kind of decision; kinds without an entry need no explanation. */
export type Explanations = { readonly [K in Decision["kind"]]?: Explain<K> };

export function explained(
  by: Explanations,
  event: Decision,
  seen: SubtaskFacts,
  run: RunFacts,
): ExplanationContent | undefined {
  const explain = by[event.kind] as Explain<Decision["kind"]> | undefined;
  return explain?.(event, seen, run);
}

/** A rule that left nothing to weigh. */
export const only = (rung: string, recovery: string): readonly Considered[] => [
  { rung, recovery, verdict: "chosen; it follows from what was seen, nothing else was weighed" },
];

const firstLine = (text: string): string =>
  cleanLine(text.split("\n").find((line) => line.trim() !== "") ?? "", 200);

/** Why it was classified as it was; for an unknown failure, its first line. */
export function reasonText({ failure, error }: DecisionOf<"failure-classified">): string {
  const line = failure.kind === "unknown" ? firstLine(error) : "";
  return line === "" ? cleanLine(failure.because[0] ?? "", 200) : line;
}

/** The lines of a failure that are worth reading: several of a check's output, which often say more than the first. */
export function excerptLines({ error, failure }: DecisionOf<"failure-classified">): string[] {
  const lines = error.split("\n").filter((line) => line.trim() !== "");
  const told = failure.origin === "check" ? lines.slice(0, EXCERPT_LINES) : lines.slice(0, 1);
  return told
    .map((line) => cleanLine(line, 200))
    .filter((line) => !failure.because.some((reason) => reason.includes(line)));
}

const EXCERPT_LINES = 8;

export const failureText = (failure: DecisionOf<"failure-classified"> | undefined): string[] =>
  failure === undefined
    ? ["no failure is recorded"]
    : [`${failure.failure.kind}: ${reasonText(failure)}`];
