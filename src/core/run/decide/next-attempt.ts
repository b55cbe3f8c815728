/**
 * The spec of the next attempt, given the recovery it carries out. Invariant: a person's words are in every spec as
 * long as they apply.
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

/** The attempt that carries out a recovery; an uncounted one uses no recovery budget. */
export function specOf(subtask: SubtaskState, recovery: Recovery, uncounted: boolean): AttemptSpec {
  if (recovery.kind === "retry" || recovery.kind === "continue") {
    const free = uncounted || subtask.attempts.at(-1)?.counted === false;
    return sameAgain(subtask, recovery, !free);
  }
  const spec = specFor(subtask, recovery);
  return uncounted ? { ...spec, iteration: false } : spec;
}

/** Has to be called after `recovery-chosen` was folded, when entry and thinking already have their new values. */
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

/** After an exploration in which no branch passed: the best branch's tree, with feedback on what still fails. */
export const fromBranch = (subtask: SubtaskState, attempt: number): AttemptSpec => ({
  ...firstSpec(subtask, { feedback: true }),
  tree: { kind: "attempt", attempt },
  recovery: "explore",
  iteration: true,
});

/** A retry requested by a person is not an iteration of recovery. */
export const retryByPerson = (subtask: SubtaskState): AttemptSpec => ({
  ...firstSpec(subtask, { feedback: true }),
  tree: bestTree(subtask),
});

/** The answer to the agent's own question, in the session that asked it, continuing where it stopped. */
export const answerOfPerson = (subtask: SubtaskState, answers: string): AttemptSpec => ({
  ...firstSpec(subtask, { answers }),
  context: "keep",
  tree: keptTree(subtask),
});

/** After a decision on a refused call, with or without permission: continues in the session that made the call. */
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

/** On top of what others have merged since, because one of them fixed what this subtask failed on. */
export function specOnFixedBase(subtask: SubtaskState): AttemptSpec {
  const last = subtask.attempts.at(-1);
  assert(last !== undefined, "only an attempt fails as the base does");
  return { ...retryByPerson(subtask), tree: { kind: "rebased", attempt: last.attempt } };
}

/** The best attempt's tree if a later one made things worse, else the last attempt's. */
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
      return { summary: true, ...defined({ mutation: recovery.wording }) };
    case "feedback":
      return { feedback: true, ...defined({ mutation: recovery.wording }) };
    case "sidegrade":
    case "escalate":
      return { feedback: true };
    default:
      return {};
  }
}
