/**
 * What the tools of an attempt told its agent, as hashes: by them a later attempt's results are known to be new or
 * not. Invariants: bounded; times, process ids and the like make no result a new one; a call that never ran tells
 * nothing.
 */
import { maskedHash } from "../core/masked-hash.ts";
import type { Step } from "../core/stuck/step.ts";

const MAX_OBSERVATIONS = 300;

export function noteObservation(known: Set<number>, step: Step): void {
  if (step.kind !== "tool_result" || step.veto === true || step.output.trim() === "") return;
  if (known.size < MAX_OBSERVATIONS) known.add(maskedHash(step.output));
}
