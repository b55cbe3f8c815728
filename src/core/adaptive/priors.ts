/**
 * The default numbers of the adaptive policy, with a version. The tags in the tables name their sources:
 * - [shares] published failure taxonomies (MAST: step repetition 16 %, disobeyed specification 12 %, wrong verification
 *   9 %)
 * - [decay] the Debugging Decay Index: 60 to 80 % of the ability to debug is lost within two or three tries
 * - [hazard] leaderboards with five trials per task: a fresh retry recovers 28 to 47 % of failures, the next one half
 *   of that
 * - [prices] the same leaderboards: the tiers cost about 1 : 2 : 9 per trial
 * - [repair] assertion errors are repaired in about 45 % of cases, name errors in 77 %
 * - [wandering] unresolved attempts take two to five times as long; about a third wander and seldom succeed, which the
 *   chances below already take into account
 * - [spread] repositories differ by about 1 in log odds, so each chance is a mean over them: rare ones are slightly
 *   likelier, sure ones slightly less sure than typical
 * - [abstention] in a study of 28,000 tasks, agents stopped in time, where they should, in 27 to 57 % of cases
 * - [own] our estimate, to be corrected by outcomes
 * Invariant: no chance is 0 or 1, so nothing is ever ruled out for good.
 */
import type { PerCause, PerRootCause, Tables } from "./tables.ts";

/** In the order of CAUSES. */
function row(
  ...numbers: readonly [number, number, number, number, number, number, number]
): PerCause {
  const [transient, mistake, misread, capability, pollution, environment, person] = numbers;
  return { transient, mistake, misread, capability, pollution, environment, person };
}

/** The same without pollution. */
function roots(
  ...numbers: readonly [number, number, number, number, number, number]
): PerRootCause {
  const [transient, mistake, misread, capability, environment, person] = numbers;
  return { transient, mistake, misread, capability, environment, person };
}

export const PRIORS: Tables = {
  version: 4,
  // [shares] first failures that no guard rail has dealt with; `person` from the 0 to 12 % that no tier ever solves.
  prior: row(0.13, 0.28, 0.17, 0.17, 0.1, 0.07, 0.08),
  symptoms: {
    // [own] for all: transient, mistake, misread, capability, pollution, environment, person.
    checks: row(0.15, 0.65, 0.68, 0.54, 0.42, 0.13, 0.4),
    build: row(0.02, 0.14, 0.06, 0.1, 0.16, 0.05, 0.03),
    // [abstention] whoever cannot know often stops, and has then changed nothing.
    "no-change": row(0.04, 0.03, 0.08, 0.07, 0.05, 0.06, 0.32),
    loop: row(0.02, 0.03, 0.04, 0.14, 0.24, 0.04, 0.03),
    missing: row(0.06, 0.02, 0.02, 0.02, 0.02, 0.55, 0.08),
    format: row(0.05, 0.06, 0.04, 0.05, 0.03, 0.03, 0.01),
    service: row(0.22, 0.01, 0.01, 0.01, 0.01, 0.04, 0.01),
    crash: row(0.3, 0.01, 0.01, 0.02, 0.02, 0.04, 0.01),
    declined: row(0.01, 0.01, 0.03, 0.01, 0.01, 0.01, 0.03),
    conflict: row(0.02, 0.02, 0.01, 0.02, 0.02, 0.01, 0.01),
    unknown: row(0.1, 0.01, 0.01, 0.01, 0.01, 0.02, 0.01),
    fatal: row(0.01, 0.01, 0.01, 0.01, 0.01, 0.02, 0.06),
    "same-items": row(0.35, 0.28, 0.37, 0.58, 0.33, 0.6, 0.7),
    "fewer-items": row(0.25, 0.5, 0.15, 0.18, 0.1, 0.1, 0.08),
    "more-items": row(0.1, 0.08, 0.1, 0.1, 0.35, 0.1, 0.06),
    "other-items": row(0.3, 0.14, 0.38, 0.14, 0.22, 0.2, 0.16),
    progress: row(0.6, 0.62, 0.58, 0.56, 0.52, 0.52, 0.5),
    "no-progress": row(0.4, 0.38, 0.42, 0.44, 0.48, 0.48, 0.5),
    circular: row(0.04, 0.08, 0.12, 0.18, 0.35, 0.12, 0.15),
    stuck: row(0.05, 0.1, 0.12, 0.22, 0.25, 0.15, 0.2),
    refused: row(0.05, 0.05, 0.05, 0.05, 0.05, 0.25, 0.3),
    // [abstention] of agents that cannot know, about half stop and say so.
    "says-asks": row(0.03, 0.04, 0.08, 0.06, 0.04, 0.12, 0.35),
    "says-unable": row(0.06, 0.04, 0.05, 0.14, 0.08, 0.5, 0.2),
    "says-done": row(0.91, 0.92, 0.87, 0.8, 0.88, 0.38, 0.45),
  },
  // [own] half of the time a spoiled tree is what shows.
  hides: 0.5,
  success: {
    // [wandering], [spread], and [own] where nothing else is said.
    retry: roots(0.76, 0.21, 0.08, 0.06, 0.08, 0.02),
    // [repair] for a mistake.
    feedback: roots(0.69, 0.52, 0.16, 0.1, 0.21, 0.04),
    repair: roots(0.5, 0.23, 0.08, 0.06, 0.53, 0.05),
    mutate: roots(0.67, 0.29, 0.45, 0.12, 0.1, 0.04),
    // [hazard] over the shares above.
    fresh: roots(0.72, 0.33, 0.26, 0.13, 0.09, 0.04),
    sidegrade: roots(0.69, 0.32, 0.27, 0.18, 0.1, 0.04),
    continue: roots(0.67, 0.36, 0.17, 0.12, 0.12, 0.04),
    escalate: roots(0.72, 0.45, 0.35, 0.45, 0.13, 0.05),
    think: roots(0.69, 0.35, 0.27, 0.24, 0.1, 0.04),
    explore: roots(0.76, 0.51, 0.45, 0.23, 0.12, 0.05),
    ask: roots(0.95, 0.95, 0.95, 0.92, 0.92, 0.88),
  },
  // [own] what a tree full of wrong turns leaves of a chance.
  spoiled: 0.2,
  tierLift: roots(0, 0.3, 0.3, 1, 0.1, 0.1),
  cost: {
    // [own] what failed, and other words, make a prompt longer; another model reads its way in again.
    ...{ retry: 1, feedback: 1.1, repair: 1.1, mutate: 1.1, fresh: 1, sidegrade: 1.1 },
    // A branch that fails is tried again.
    ...{ continue: 1, escalate: 1, think: 2, explore: 2 },
    // A person, where no setting says: twelve attempts at the planned tier for the time, eight for the wait.
    ask: 20,
  },
  // [own] a person waits for the result, but would rather wait than pay.
  timeShare: 1 / 3,
  tierPrices: [1, 2, 9],
  decay: 0.45,
  // [hazard] within one cause tasks differ: what failed once is the likelier to fail again.
  again: 0.85,
  pollutes: 0.05,
  fit: {
    // The model declined the words: the same words again, wherever they start from, are declined again.
    declined: {
      retry: 0.2,
      feedback: 0.3,
      fresh: 0.3,
      think: 0.3,
      escalate: 0.6,
      explore: 0.4,
      sidegrade: 1.14,
    },
    // Nothing came of it that could be sent back, and little speaks against the work so far.
    crash: { feedback: 0.5, repair: 0.5, fresh: 0.8 },
    // A clean tree, other words or a stronger model do not bring what is missing.
    missing: { retry: 0.4, fresh: 0.4, mutate: 0.4, escalate: 0.4, explore: 0.4 },
    service: { fresh: 0.7, feedback: 0.8, mutate: 0.7, repair: 1.3 },
    // Most that loop have lost their way, and a stronger model in the same tree may lose it too.
    loop: { retry: 0.3, feedback: 0.5, escalate: 0.9 },
    "no-change": { retry: 0.5, fresh: 0.7 },
    // What two subtasks changed alike is settled in the tree as it is.
    conflict: { fresh: 0.6, retry: 0.4 },
  },
  repeatWeight: 0.8,
  // [wandering] a third lose their way whatever the cause.
  lostWeight: 0.25,
};
