/** What the next attempt of a subtask is like before a recovery changes it. */
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import { RECOVERIES, type Recovery } from "../../recovery.ts";
import type { AttemptSpec, PromptParts, StartTree } from "../attempt.ts";
import type { SubtaskState } from "../subtask-state.ts";

/** A new session with the subtask's own text, and whatever else is to be in its prompt. */
export function firstSpec(subtask: SubtaskState, parts: PromptParts = {}): AttemptSpec {
  const { entry, thinking, budgetFactor } = subtask;
  const prompt = withPersonsWords(subtask, parts);
  const tree = { kind: "keep" } as const;
  return { entry, thinking, budgetFactor, context: "new", tree, prompt, iteration: false };
}

/** Waits, retries and continuations after infrastructure or a cut-off are the same attempt once more. */
export function sameAgain(
  subtask: SubtaskState,
  recovery: Recovery,
  iteration: boolean,
): AttemptSpec {
  const last = subtask.lastSpec ?? firstSpec(subtask);
  // An attempt whose tree was never made ready left nothing to go on from: the next one asks for the same tree.
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

/** The tree as the last attempt left it; where it could not be merged, together with what stands in its way. */
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
