/** The recovery that a person chose for the next attempt: what it is here, and the attempt that carries it out. */
import { defined } from "../../defined.ts";
import { sidegradeOf, tierUp } from "../../plan/model-ladder.ts";
import type { ModelEntry } from "../../plan/plan.ts";
import type { Recovery } from "../../recovery.ts";
import type { AttemptSpec } from "../attempt.ts";
import { RETRY_WAYS, type RetryWay } from "../retry-way.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { specFor } from "./next-attempt.ts";
import { freshStart } from "./possible-recoveries.ts";

type Ladder = readonly ModelEntry[];

/** Nothing where it is not possible. */
export function recoveryOfWay(
  way: RetryWay,
  ladder: Ladder,
  subtask: SubtaskState,
): Recovery | undefined {
  switch (way) {
    case "fresh":
      return freshStart(subtask);
    case "steps":
      return { kind: "mutate", mutation: "decompose" };
    case "other-model": {
      const entry = sidegradeOf(ladder, subtask.entry, subtask.entriesUsed);
      return entry && { kind: "sidegrade", entry };
    }
    case "stronger-model": {
      const entry = tierUp(ladder, subtask.entry);
      return entry && { kind: "escalate", entry, thinking: subtask.thinking, budgetFactor: 1 };
    }
  }
}

export const possibleWays = (ladder: Ladder, subtask: SubtaskState): readonly RetryWay[] =>
  RETRY_WAYS.filter((way) => recoveryOfWay(way, ladder, subtask) !== undefined);

/** It uses no recovery budget: a person asked for it. `asks` is the question of the agent that they answer with it. */
export function specByPerson(
  subtask: SubtaskState,
  recovery: Recovery,
  asks: string | undefined,
): AttemptSpec {
  const spec = specFor(subtask, recovery);
  return { ...spec, prompt: { ...spec.prompt, ...defined({ answers: asks }) }, iteration: false };
}
