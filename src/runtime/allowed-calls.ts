/**
 * The calls an attempt may make beyond what its gate allows: from the user's settings, for this run, and once (U21).
 */
import type { Refusal } from "../core/agent-words/refusal.ts";
import type { AttemptSpec } from "../core/run/attempt.ts";
import type { RunUnderway } from "./ports.ts";

export const allowedTo = (
  { plan, state }: RunUnderway,
  { allow = [] }: AttemptSpec,
): readonly Refusal[] => [
  ...(plan.permissions.allow ?? []).map((command) => ({ tool: "Bash", command })),
  ...state().allowed,
  ...allow,
];
