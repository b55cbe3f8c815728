/**
 * Weights of moves in an exploratory subtask: different approaches are worth more than their chance of success, because
 * what they find out helps even if they fail; a stronger model with the same approach is worth less.
 */
import type { Move } from "./tables.ts";

const WEIGHTS: { readonly [move in Move]?: number } = {
  ...{ explore: 2, mutate: 1.5, sidegrade: 1.25, feedback: 0.75, escalate: 0.5, think: 0.5 },
};

export const weightOf = (move: Move, exploratory = false): number =>
  (exploratory ? WEIGHTS[move] : undefined) ?? 1;
