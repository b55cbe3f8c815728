/**
 * seeds/0 to the letter: the loop goes on until three attempts in a row make no progress; then prompt mutation
 * (rephrase, decompose, constrain), model escalation, branch exploration, a person.
 */
import type { LadderPolicy } from "../ladder-policy.ts";
import { PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const STUCK_RECOVERY: LadderPolicy = {
  policy: "ladder",
  name: "stuck-recovery",
  description: "Mutate the prompt, escalate the model, explore branches, ask a person.",
  structure: false,
  circular: "record",
  wait: PATIENT_WAIT,
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
  rungs: [
    { id: "loop", do: "retry", loop: true, when: { stuck: false } },
    { id: "prompt-mutation", do: "mutate", times: 3 },
    { id: "model-escalation", do: "escalate", to: "rank", times: 1 },
    { id: "branch-exploration", do: "explore", times: 1 },
    { id: "human-escalation", do: "ask", alert: true },
  ],
};
