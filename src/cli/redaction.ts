/**
 * The redaction of this process (U12): of the run it is about where there is one, else its own. Invariant: what is
 * shown and what is kept of a run go through the same one, so that marks mean the same everywhere.
 */
import { secretsOf, variablesIn } from "../core/redact/known-values.ts";
import { redactionOf } from "../core/redact/redaction.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import { storedMarks } from "./stored-marks.ts";

let current: Redaction | undefined;

/** For what is shown, or kept outside of a run. */
export function redact(text: string): string {
  current ??= redactionOf(secretsOf(process.env));
  return current.text(text);
}

/** From now on, everything goes through the redaction of this run. `carried`: texts of .env files that it carries. */
export function redactionOfRun(runDir: string, carried: readonly string[] = []): Redaction {
  const secrets = [process.env, ...carried.map(variablesIn)].flatMap(secretsOf);
  current = redactionOf(secrets, storedMarks(runDir));
  return current;
}
