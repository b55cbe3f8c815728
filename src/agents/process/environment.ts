/**
 * The environment of agents and checks: the user's own, plus four marks that show where a process belongs. The marks
 * override the user's variables of the same names: the proof of death finds processes by UNSTUCK_ATTEMPT.
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

/** For a process started outside a run: secrets recognised by form, and the values of secrets in its environment. */
export const redactionFor = (env: Environment): Redaction => redactionOf(secretsOf(env));
