/**
 * The presets by name: `standard`, and one for each of the five source documents, which it reproduces exactly. Where
 * the sources say nothing, the presets share their settings.
 */
import type { LadderPolicy, PolicySettings } from "./policy.ts";
import type { RungCondition } from "./situation.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const LEVEL_1_DELAYS_MS: number[] = [5 * SECOND, 10 * SECOND, 20 * SECOND];

/** Three short retries, then long enough waits to survive an outage of tens of minutes or a usage limit of hours. */
const PATIENT_WAIT: PolicySettings["wait"] = {
  delaysMs: LEVEL_1_DELAYS_MS,
  outage: { baseMs: MINUTE, capMs: 15 * MINUTE },
  resetMarginMs: MINUTE,
  maxWaitMs: 12 * 60 * MINUTE,
  then: "ask",
};

/** The settings of a preset whose source says nothing about them. */
const SHARED: Omit<PolicySettings, "maxRetries"> = {
  structure: false,
  circular: "record",
  wait: PATIENT_WAIT,
  progress: { threshold: 0.15, stuckAfter: 3, warnAfter: 2 },
  recovery: {
    promptMutations: 3,
    branchExploration: true,
    branchCount: 3,
    branchBudget: 10,
    totalRecoveryBudget: 20,
  },
};

const CRASHED: RungCondition = { kinds: ["agent_crash", "out_of_memory"] };
const REFUSED: RungCondition = { kinds: ["content_refused"] };

/** Combines the five sources; guard rails and structure rules come first. */
const STANDARD: LadderPolicy = {
  policy: "ladder",
  name: "standard",
  description: "Repair, feedback, mutate, escalate, think, explore; then skip and ask.",
  ...SHARED,
  structure: true,
  circular: "ban",
  wait: { ...PATIENT_WAIT, sidegrade: true },
  rungs: [
    { id: "unknown-retry", do: "retry", when: { kinds: ["unknown"] }, times: 1 },
    { id: "unknown-ask", do: "ask", when: { kinds: ["unknown"] } },
    { id: "crash-retry", do: "retry", when: CRASHED, times: 1 },
    { id: "crash-sidegrade", do: "sidegrade", when: CRASHED, times: 1 },
    {
      id: "crash-smaller-scope",
      do: "mutate",
      mutations: ["decompose"],
      when: CRASHED,
      times: 1,
    },
    { id: "refused-mutate", do: "mutate", when: REFUSED, times: 1 },
    { id: "refused-sidegrade", do: "sidegrade", when: REFUSED, times: 1 },
    { id: "refused-ask", do: "ask", when: REFUSED },
    { id: "repair", do: "repair", when: { stuck: false } },
    {
      id: "feedback",
      do: "feedback",
      when: { stuck: false, notKinds: ["looping", "no_progress"] },
      times: 2,
    },
    { id: "mutate", do: "mutate", times: 3 },
    { id: "escalate", do: "escalate", to: "tier", times: 1 },
    { id: "top-tier", do: "escalate", to: "top", thinking: true, budgetFactor: 2, times: 1 },
    { id: "explore", do: "explore", times: 1 },
    { id: "give-up", do: ["skip", "ask"], alert: true },
  ],
};

/**
 * Loops until three attempts in a row make no progress; then prompt mutation (rephrase, decompose, constrain), model
 * escalation, branch exploration, a person.
 */
const STUCK_RECOVERY: LadderPolicy = {
  policy: "ladder",
  name: "stuck-recovery",
  description: "Mutate the prompt, escalate the model, explore branches, ask a person.",
  ...SHARED,
  rungs: [
    { id: "loop", do: "retry", loop: true, when: { stuck: false } },
    { id: "prompt-mutation", do: "mutate", times: 3 },
    { id: "model-escalation", do: "escalate", to: "rank", times: 1 },
    { id: "branch-exploration", do: "explore", times: 1 },
    { id: "human-escalation", do: "ask", alert: true },
  ],
};

/** The decision tree of its source, row by row. */
const RECOVERY_ACTIONS: LadderPolicy = {
  policy: "ladder",
  name: "recovery-actions",
  description: "Roll back a broken build, retry failed checks twice, then skip and escalate.",
  ...SHARED,
  circular: "kind",
  countEarlier: true,
  rungs: [
    { id: "circular", do: ["skip", "ask"], when: { kinds: ["circular_fix"] } },
    { id: "rollback", do: "fresh", when: { kinds: ["broken_build"], goodCommit: true } },
    { id: "no-good-commit", do: "ask", when: { kinds: ["broken_build"] } },
    {
      id: "retry-verification",
      do: "feedback",
      when: { kinds: ["verification_failed"], attemptsBelow: 3 },
    },
    { id: "skip-verification", do: ["skip", "ask"], when: { kinds: ["verification_failed"] } },
    { id: "continue", do: "continue", when: { kinds: ["context_exhausted"] } },
    { id: "retry-unknown", do: "feedback", when: { attemptsBelow: 2 } },
    { id: "escalate", do: "ask" },
  ],
};

/** The recovery chain of the error type, strategy by strategy, then the user. */
const RECOVERY_STRATEGIES: LadderPolicy = {
  policy: "ladder",
  name: "recovery-strategies",
  description: "Work down the recovery chain of the error type, then ask.",
  ...SHARED,
  wait: {
    ...PATIENT_WAIT,
    rateLimitMs: 60_000,
    once: ["rate_limited", "timeout", "network_error"],
    then: "ladder",
  },
  rungs: [
    { id: "chain", do: "repair" },
    { id: "ask-user", do: "ask" },
  ],
};

/**
 * Level 1 SAME (three retries after 5, 10, 20 s) for transient failures, Level 2 logs the fall-through, Level 4 asks;
 * Level 3 is a person's answer.
 */
const HIERARCHICAL: LadderPolicy = {
  policy: "ladder",
  name: "hierarchical",
  description: "Retry transient failures three times, escalate everything else.",
  ...SHARED,
  wait: {
    delaysMs: LEVEL_1_DELAYS_MS,
    resetMarginMs: PATIENT_WAIT.resetMarginMs,
    maxWaitMs: PATIENT_WAIT.maxWaitMs,
    then: "ladder",
  },
  rungs: [
    { id: "fatal", do: "ask", when: { categories: ["fatal"] } },
    { id: "level-2", do: "ask", logFallThrough: true },
  ],
};

/**
 * Attempt 2: same tier with feedback; attempt 3: next tier with clean context; attempt 4 and any further attempt within
 * the limits: top tier with extended thinking; then a person.
 */
const TIER_LADDER: LadderPolicy = {
  policy: "ladder",
  name: "tier-ladder",
  description: "Feedback at the same tier, next tier, top tier with thinking, human review.",
  ...SHARED,
  maxRetries: 3,
  reAsk: true,
  rungs: [
    { id: "same-tier", do: "feedback", when: { attemptsBelow: 2 } },
    { id: "next-tier", do: "escalate", to: "tier", when: { attemptsBelow: 3 } },
    { id: "same-tier-at-top", do: "feedback", when: { attemptsBelow: 3 } },
    { id: "top-tier", do: "escalate", to: "top", thinking: true, budgetFactor: 2 },
    { id: "human-review", do: ["skip", "ask"], alert: true },
  ],
};

export const PRESETS = {
  standard: STANDARD,
  "stuck-recovery": STUCK_RECOVERY,
  "recovery-actions": RECOVERY_ACTIONS,
  "recovery-strategies": RECOVERY_STRATEGIES,
  hierarchical: HIERARCHICAL,
  "tier-ladder": TIER_LADDER,
} as const satisfies Record<string, LadderPolicy>;

export type PresetName = keyof typeof PRESETS;
