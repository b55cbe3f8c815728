/**
 * What the next attempt is to do, given the recovery it carries out. Invariant: a person's words are in every spec
 * while they live (D4).
 */
import { refusalText, type Refusal } from "../../agent-words/refusal.ts";
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import type { Branch, Recovery } from "../../recovery.ts";
import { bestAttempt } from "../across-attempts.ts";
import type { AttemptSpec, PromptParts, StartTree } from "../attempt.ts";
import type { Answer } from "../input.ts";
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
  const { id, approach, entry, tried } = branch;
  const told = { id, approach, ...defined({ tried }) };
  return {
    ...firstSpec(subtask, { branch: told, ...(again ? { feedback: true } : {}) }),
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

/** The answer to the agent's own question: in the session that asked it, where it stopped (U22). */
export const answerOfPerson = (subtask: SubtaskState, answers: string): AttemptSpec => ({
  ...firstSpec(subtask, { answers }),
  context: "keep",
  tree: keptTree(subtask),
});

/** After a refused call: with it, or without it, in the session that wanted it. */
export function permitted(
  subtask: SubtaskState,
  answer: Answer["kind"],
  refused: readonly Refusal[],
): AttemptSpec {
  const names = refused.map(refusalText);
  const permits = answer === "without" ? { without: names } : { allowed: names };
  return {
    ...firstSpec(subtask, { feedback: true, ...(answer === "other-agent" ? {} : { permits }) }),
    ...{ context: "keep", tree: keptTree(subtask) },
    ...(answer === "allow-once" ? { allow: refused } : {}),
  };
}

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
