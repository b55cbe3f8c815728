/**
 * What a move counts for in a subtask whose way is open (C8): other ways are worth more than their chance tells, because what
 * they find out helps even where they fail; a stronger model on the same way is worth less.
 */
import type { Move } from "./tables.ts";

const WEIGHTS: { readonly [move in Move]?: number } = {
  ...{ explore: 2, mutate: 1.5, sidegrade: 1.25, feedback: 0.75, escalate: 0.5, think: 0.5 },
};

export const weightOf = (move: Move, exploratory = false): number =>
  (exploratory ? WEIGHTS[move] : undefined) ?? 1;
