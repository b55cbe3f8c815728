/**
 * The approaches of branch exploration (A6), in the order branches are given out. Invariants: five, each with its
 * own id; every branch prompt holds the goal's own text.
 */
import { mutate } from "./mutation.ts";
import type { MutationInput } from "./mutation.ts";

export interface BranchApproach {
  readonly id: string;
  readonly approach: string;
  readonly prompt: (input: MutationInput) => string;
}

export const BRANCH_APPROACHES: readonly BranchApproach[] = [
  {
    id: "bottom-up",
    approach: "Start with the smallest component",
    prompt: (input) =>
      `${mutate("decompose", input)}\n\nStart from the smallest component that other parts need, and build upwards.`,
  },
  {
    id: "research-first",
    approach: "Research before implementing",
    prompt: ({ goal }) =>
      `First research how to: ${goal}\n\nRead the code, its tests and its documentation, write down what you found and which ways there are, choose one, and only then implement it.`,
  },
  {
    id: "constrained",
    approach: "Add specific constraints",
    prompt: (input) => mutate("constrain", input),
  },
  {
    id: "top-down",
    approach: "Start with the overall structure",
    prompt: ({ goal }) =>
      `${goal}\n\nStart from the top: write the outermost call and its result first, with the parts below still empty, then fill in one part after the other until everything works.`,
  },
  {
    id: "example-driven",
    approach: "Work from concrete examples",
    prompt: (input) => mutate("examples", input),
  },
];
