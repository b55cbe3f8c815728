/** The spec of a subtask's next attempt before a recovery changes it. */
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import { RECOVERIES, type Recovery } from "../../recovery.ts";
import type { AttemptSpec, PromptParts, StartTree } from "../attempt.ts";
import type { SubtaskState } from "../subtask-state.ts";

/** A new session with the subtask's own text and the given prompt parts. */
export function firstSpec(subtask: SubtaskState, parts: PromptParts = {}): AttemptSpec {
  const { entry, thinking, budgetFactor } = subtask;
  const prompt = withPersonsWords(subtask, parts);
  const tree = { kind: "keep" } as const;
  return { entry, thinking, budgetFactor, context: "new", tree, prompt, iteration: false };
}

/**
 * The spec for the same attempt once more: for waits, retries and continuations after an infrastructure failure or a
 * cut-off.
 */
export function sameAgain(
  subtask: SubtaskState,
  recovery: Recovery,
  iteration: boolean,
): AttemptSpec {
  const last = subtask.lastSpec ?? firstSpec(subtask);
  // If the last attempt's tree was never set up, there is nothing to continue from, so ask for the same tree again.
  const hasBegun = subtask.attempts.at(-1)?.treeBefore !== "";
  return {
    ...last,
    context: contextOf(recovery),
    tree: hasBegun ? keptTree(subtask) : last.tree,
    prompt: withPersonsWords(subtask, {
      ...withoutClosedBranch(subtask, last.prompt),
      ...defined({ remind: recovery.kind === "retry" ? recovery.remind : undefined }),
      ...(recovery.kind === "continue" ? { handOver: true } : {}),
    }),
    recovery: recovery.kind,
    iteration,
  };
}

export function contextOf({ kind }: Recovery): AttemptSpec["context"] {
  const { context } = RECOVERIES[kind];
  assert(context !== "none", "only a recovery that starts an agent has a spec");
  return context;
}

/** The tree as the last attempt left it or, if it could not be merged, rebased onto the work it conflicts with. */
export function keptTree({ attempts }: SubtaskState): StartTree {
  const last = attempts.at(-1);
  return last?.unmerged === true ? { kind: "rebased", attempt: last.attempt } : { kind: "keep" };
}

const withPersonsWords = (subtask: SubtaskState, parts: PromptParts): PromptParts => {
  const { words: _, ...rest } = parts;
  return subtask.words === undefined ? rest : { ...rest, words: subtask.words };
};

function withoutClosedBranch(subtask: SubtaskState, parts: PromptParts): PromptParts {
  const { branch, ...rest } = parts;
  return branch !== undefined && subtask.branches.some(({ id }) => id === branch.id) ? parts : rest;
}
