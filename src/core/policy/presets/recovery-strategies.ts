/** seeds/2 to the letter: the recovery chain of the error type, strategy by strategy, then the user. */
import type { LadderPolicy } from "../ladder-policy.ts";
import { PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const RECOVERY_STRATEGIES: LadderPolicy = {
  policy: "ladder",
  name: "recovery-strategies",
  description: "Work down the recovery chain of the error type, then ask.",
  structure: false,
  circular: "record",
  wait: { ...PATIENT_WAIT, rateLimitMs: 60_000, then: "ladder" },
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
  rungs: [
    { id: "chain", do: "repair" },
    { id: "ask-user", do: "ask" },
  ],
};
