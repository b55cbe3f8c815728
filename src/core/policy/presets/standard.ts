/**
 * The default: the five sources joined in the order of the design. Guard rails and structure rules come before
 * these rungs and are not repeated here.
 */
import type { LadderPolicy } from "../ladder-policy.ts";
import { PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const STANDARD: LadderPolicy = {
  policy: "ladder",
  name: "standard",
  description: "Repair, feedback, mutate, escalate, think, explore; then skip and ask.",
  structure: true,
  circular: "ban",
  wait: { ...PATIENT_WAIT, sidegrade: true },
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
  rungs: [
    { id: "unknown-retry", do: "retry", when: { kinds: ["unknown"] }, times: 1 },
    { id: "unknown-ask", do: "ask", when: { kinds: ["unknown"] } },
    {
      id: "crash-retry",
      do: "retry",
      when: { kinds: ["agent_crash", "out_of_memory"] },
      times: 1,
    },
    {
      id: "crash-sidegrade",
      do: "sidegrade",
      when: { kinds: ["agent_crash", "out_of_memory"] },
      times: 1,
    },
    {
      id: "crash-smaller-scope",
      do: "mutate",
      mutations: ["decompose"],
      when: { kinds: ["agent_crash", "out_of_memory"] },
      times: 1,
    },
    { id: "refused-mutate", do: "mutate", when: { kinds: ["content_refused"] }, times: 1 },
    { id: "refused-sidegrade", do: "sidegrade", when: { kinds: ["content_refused"] }, times: 1 },
    { id: "refused-ask", do: "ask", when: { kinds: ["content_refused"] } },
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
