/**
 * seeds/3 to the letter: Level 1 SAME (three retries after 5, 10, 20 s) for transient failures, Level 2 logs the
 * fall-through, Level 4 asks; Level 3 is a person's answer.
 */
import type { LadderPolicy } from "../ladder-policy.ts";
import { LEVEL_1_DELAYS_MS, PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const HIERARCHICAL: LadderPolicy = {
  policy: "ladder",
  name: "hierarchical",
  description: "Retry transient failures three times, escalate everything else.",
  structure: false,
  circular: "record",
  wait: {
    delaysMs: LEVEL_1_DELAYS_MS,
    resetMarginMs: PATIENT_WAIT.resetMarginMs,
    maxWaitMs: PATIENT_WAIT.maxWaitMs,
    then: "ladder",
  },
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
  rungs: [
    { id: "fatal", do: "ask", when: { categories: ["fatal"] } },
    { id: "level-2", do: "ask", logFallThrough: true },
  ],
};
