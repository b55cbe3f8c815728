/**
 * The types of the adaptive policy's tables: the moves it chooses from, and the symptoms it reads. The default numbers
 * are in `priors.ts`; a simulator or a test may supply others.
 */
import type { Cause, RootCause } from "./causes.ts";

/** The recoveries it weighs. `think` is the same model with more thinking and a larger budget. */
export const MOVES = [
  "retry",
  "feedback",
  "repair",
  "mutate",
  "fresh",
  "sidegrade",
  "continue",
  "escalate",
  "think",
  "explore",
  "ask",
] as const;

export type Move = (typeof MOVES)[number];

/** What kind of failure it was, as far as that tells causes apart. */
export const FAILURE_CLASSES = [
  "checks",
  "build",
  "no-change",
  "loop",
  "missing",
  "format",
  "service",
  "crash",
  "declined",
  "conflict",
  "unknown",
  "fatal",
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** What an attempt left beside its failure. */
export const SIGNS = [
  "same-items",
  "fewer-items",
  "more-items",
  "other-items",
  "progress",
  "no-progress",
  "circular",
  "stuck",
  "refused",
  "says-asks",
  "says-unable",
  "says-done",
] as const;

export type Sign = (typeof SIGNS)[number];

export type Symptom = FailureClass | Sign;

export type PerCause = Readonly<Record<Cause, number>>;
export type PerRootCause = Readonly<Record<RootCause, number>>;

/** P(success | cause) of a move, and what is left of it where the tree is spoiled. */
export interface Success {
  readonly chance: PerRootCause;
  readonly onSpoiled: number;
}

export interface Tables {
  readonly version: number;
  /** Shares among first failures, `pollution` for whatever cause a spoiled tree goes with; sum 1. */
  readonly prior: PerCause;
  /** P(symptom | cause). Of classes the column of a cause sums to 1; of signs each is a chance of its own. */
  readonly symptoms: Readonly<Record<Symptom, PerCause>>;
  /** How often a spoiled tree shows itself instead of the cause. */
  readonly hides: number;
  /** P(success | cause, move) at the tier the subtask was planned for; `escalate`: one tier up. */
  readonly success: Readonly<Record<Move, PerRootCause>>;
  /** What is left of the chance of a move that keeps a spoiled tree. */
  readonly spoiled: number;
  /** Added to the log odds of success for each tier above the planned one; `escalate`: above its first. */
  readonly tierLift: PerRootCause;
  /** What a move costs, in attempts of the model it is made with; `explore`: for each branch. */
  readonly cost: Readonly<Record<Move, number>>;
  /** How much of a move's price is the time it takes, which a stronger model does not raise; the rest is money. */
  readonly timeShare: number;
  /** What an attempt costs at so many tiers above the planned one, in attempts of that one. */
  readonly tierPrices: readonly number[];
  /** Success of a move that keeps the context is multiplied by this for each failed one before it. */
  readonly decay: number;
  /** Success of a move is multiplied by this for each time it failed before. */
  readonly again: number;
  /** How often a failed attempt spoils the tree it keeps. */
  readonly pollutes: number;
  /** Success of a move is multiplied by this where the failure makes it a poor fit. */
  readonly fit: Readonly<Partial<Record<FailureClass, Readonly<Partial<Record<Move, number>>>>>>;
  /** How much a symptom counts that came before: the same failure twice is hardly news. */
  readonly repeatWeight: number;
  /** How much it counts that a recovery lost its way: most that do would have done so whatever the cause. */
  readonly lostWeight: number;
}
