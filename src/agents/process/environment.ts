/**
 * The environment of agents and checks: the user's own, with the four marks that say where a process belongs. The marks
 * win over what the user's environment has under their names: the proof of death finds processes by UNSTUCK_ATTEMPT.
 */
import { secretsOf, type Environment } from "../../core/redact/known-values.ts";
import { redactionOf, type Redaction } from "../../core/redact/redaction.ts";
import type { AttemptPlace } from "../../runtime/ports-agent.ts";

export function environmentOf(
  { run, subtask, attemptId, slot }: AttemptPlace,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...env,
    UNSTUCK_RUN: run,
    UNSTUCK_SUBTASK: subtask,
    UNSTUCK_ATTEMPT: attemptId,
    UNSTUCK_SLOT: String(slot),
  };
}

/** For a process that is started outside of a run: secrets by their looks, and by value those of its environment. */
export const redactionFor = (env: Environment): Redaction => redactionOf(secretsOf(env));
