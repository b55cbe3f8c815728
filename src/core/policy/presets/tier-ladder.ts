/**
 * seeds/4 to the letter: attempt 2 same tier with feedback, attempt 3 next tier with clean context, attempt 4 (and
 * any further one that the limits allow) top tier with extended thinking, then a person.
 */
import type { LadderPolicy } from "../ladder-policy.ts";
import { PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const TIER_LADDER: LadderPolicy = {
  policy: "ladder",
  name: "tier-ladder",
  description: "Feedback at the same tier, next tier, top tier with thinking, human review.",
  structure: false,
  circular: "record",
  wait: PATIENT_WAIT,
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
  maxRetries: 3,
  rungs: [
    { id: "same-tier", do: "feedback", when: { attemptsBelow: 2 } },
    { id: "next-tier", do: "escalate", to: "tier", when: { attemptsBelow: 3 } },
    { id: "same-tier-at-top", do: "feedback", when: { attemptsBelow: 3 } },
    { id: "top-tier", do: "escalate", to: "top", thinking: true, budgetFactor: 2 },
    { id: "human-review", do: ["skip", "ask"], alert: true },
  ],
};
