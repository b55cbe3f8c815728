/** seeds/1 to the letter: its decision tree, row by row. */
import type { LadderPolicy } from "../ladder-policy.ts";
import { PATIENT_WAIT, PROGRESS, RECOVERY_BUDGET } from "./common.ts";

export const RECOVERY_ACTIONS: LadderPolicy = {
  policy: "ladder",
  name: "recovery-actions",
  description: "Roll back a broken build, retry failed checks twice, then skip and escalate.",
  structure: false,
  circular: "kind",
  wait: PATIENT_WAIT,
  progress: PROGRESS,
  recovery: RECOVERY_BUDGET,
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
