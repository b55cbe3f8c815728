/**
 * Structure rules of `standard` and `adaptive`: what the kind of failure alone makes the obvious next move. They
 * come after the guard rails and before the rungs.
 */
import type { Failure } from "../failure.ts";
import { ruleName } from "../policy/policy.ts";
import type { Choice } from "../policy/policy.ts";
import type { SubtaskState } from "./state.ts";

/** How often checks are run for one attempt when they could not run. */
export const CHECK_ROUNDS_MAX = 3;

/** How often one that ran and failed is, before the code is blamed. */
export const FLAKY_ROUNDS = 2;

const RE_ASK = { by: "structure", id: "re-ask" } as const;

/** At most two immediate re-asks, which cost no attempt; then the answer is malformed for good (E9). */
const RE_ASKS_MAX = 2;

export const isAskedAgain = ({ uses }: SubtaskState): boolean =>
  (uses[ruleName(RE_ASK)] ?? 0) < RE_ASKS_MAX;

export function structureRule(failure: Failure, subtask: SubtaskState): Choice | undefined {
  if (failure.kind === "malformed_output" && isAskedAgain(subtask))
    return {
      recoveries: [{ kind: "retry", remind: "format" }],
      chosenBy: RE_ASK,
      because: "the answer could not be read: ask again with a reminder of the format",
      considered: [],
    };
  if (failure.kind === "broken_build" && subtask.goodCommit !== undefined)
    return {
      recoveries: [{ kind: "fresh", goodCommit: subtask.goodCommit }],
      chosenBy: { by: "structure", id: "broken-build" },
      because: "the build is broken and a good commit is known: start fresh from it",
      considered: [],
    };
  return undefined;
}

/** An attempt that changed nothing and left the checks red has made no progress, whatever it said. */
export function withoutChange(failure: Failure, treeChanged: boolean): Failure {
  if (failure.kind !== "verification_failed" || treeChanged) return failure;
  return {
    ...failure,
    kind: "no_progress",
    because: ["the tree is as it was before the attempt", ...failure.because],
  };
}
