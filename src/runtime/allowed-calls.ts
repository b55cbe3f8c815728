/** What an attempt may do beside what its gate lets through: by the user's settings, in this run, and once (U21). */
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
