/**
 * Fingerprints of failures in an unknown output format, such as a linter's findings, so that they can still be compared
 * with the base. Invariant: bounded, and only for complete output.
 */
import type { CheckOutcome } from "../../core/checks/outcome.ts";
import { excerptOf } from "../../core/excerpt/excerpt.ts";
import { failureFingerprints } from "../../core/excerpt/failure-signature.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";

const MARKS_MOST = 500;

export function marked({ outcome, stdout, stderr }: CheckRun): CheckOutcome {
  if (outcome.kind !== "failed" || outcome.items.length > 0 || !outcome.complete) return outcome;
  const marks = failureFingerprints(excerptOf({ stdout, stderr }).failures);
  return marks.length === 0 || marks.length > MARKS_MOST ? outcome : { ...outcome, marks };
}
