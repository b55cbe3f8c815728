/**
 * What the next attempt is to do, given the recovery it carries out. Invariant: a person's words are in every spec
 * while they live (D4).
 */
import { assert } from "../../assert.ts";
import type { Branch, Recovery } from "../../recovery.ts";
import { bestAttempt } from "../across-attempts.ts";
import type { AttemptSpec, PromptParts, StartTree } from "../attempt.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { sameAgain, keptTree, contextOf, firstSpec } from "./attempt-spec.ts";

/** The attempt that carries out a recovery; one that is uncounted uses no recovery budget. */
export function specOf(subtask: SubtaskState, recovery: Recovery, uncounted: boolean): AttemptSpec {
  if (recovery.kind === "retry" || recovery.kind === "continue") {
    const free = uncounted || subtask.attempts.at(-1)?.counted === false;
    return sameAgain(subtask, recovery, !free);
  }
  const spec = specFor(subtask, recovery);
  return uncounted ? { ...spec, iteration: false } : spec;
}

/** After `recovery-chosen` was folded: entry and thinking are already the new ones. */
export function specFor(subtask: SubtaskState, recovery: Recovery): AttemptSpec {
  return {
    ...firstSpec(subtask, partsFor(recovery)),
    context: contextOf(recovery),
    tree: recovery.kind === "fresh" ? freshTree(recovery) : keptTree(subtask),
    recovery: recovery.kind,
    iteration: true,
  };
}

const freshTree = (fresh: Extract<Recovery, { readonly kind: "fresh" }>): StartTree =>
  fresh.goodCommit === undefined
    ? { kind: "start", attempt: fresh.startOf }
    : { kind: "good", commit: fresh.goodCommit };

export function branchSpec(subtask: SubtaskState, branch: Branch, again: boolean): AttemptSpec {
  const { id, approach, entry } = branch;
  return {
    ...firstSpec(subtask, { branch: { id, approach }, ...(again ? { feedback: true } : {}) }),
    entry,
    context: again ? "keep" : "new",
    recovery: "explore",
    iteration: true,
  };
}

/** After an exploration without a pass: the best branch's tree, with what is still wrong. */
export const fromBranch = (subtask: SubtaskState, attempt: number): AttemptSpec => ({
  ...firstSpec(subtask, { feedback: true }),
  tree: { kind: "attempt", attempt },
  recovery: "explore",
  iteration: true,
});

/** A person's retry is not an iteration of recovery: they asked for it. */
export const retryByPerson = (subtask: SubtaskState): AttemptSpec => ({
  ...firstSpec(subtask, { feedback: true }),
  tree: bestTree(subtask),
});

/** On what others have done since: one of them has mended what it failed of. */
export function onMendedBase(subtask: SubtaskState): AttemptSpec {
  const last = subtask.attempts.at(-1);
  assert(last !== undefined, "only an attempt fails as the base does");
  return { ...retryByPerson(subtask), tree: { kind: "rebased", attempt: last.attempt } };
}

/** Where a later attempt made it worse, the best one's tree. */
function bestTree(subtask: SubtaskState): StartTree {
  const best = bestAttempt(subtask.attempts);
  const last = subtask.attempts.at(-1);
  return best === undefined || best.treeAfter === last?.treeAfter || best.branch !== undefined
    ? keptTree(subtask)
    : { kind: "attempt", attempt: best.attempt };
}

function partsFor(recovery: Recovery): PromptParts {
  switch (recovery.kind) {
    case "mutate":
      return { mutation: recovery.mutation };
    case "repair":
      return { strategy: recovery.strategy };
    case "fresh":
      return { summary: true };
    case "feedback":
    case "sidegrade":
    case "escalate":
      return { feedback: true };
    default:
      return {};
  }
}
