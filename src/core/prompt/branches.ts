/**
 * The approaches of branch exploration: the same goal, attacked from a different side in each tree. Invariants: every
 * branch contains the goal verbatim; a branch never repeats the words of a mutation already tried; no two branches get
 * the same instructions.
 */
import { bulleted, mutate, type MutationInput } from "./mutation.ts";
import type { Mutation } from "../recovery.ts";

interface BranchApproach {
  readonly id: string;
  readonly approach: string;
  /** The mutation whose words it uses; `words` replaces them if that mutation was already tried. */
  readonly mutation?: Mutation;
  readonly words: string;
}

/** In the order in which branches are assigned. */
export const BRANCH_APPROACHES: readonly BranchApproach[] = [
  {
    id: "bottom-up",
    approach: "Start with the smallest component",
    mutation: "decompose",
    words:
      "Start from the smallest component that other parts need, and build upwards: make it right, prove that with a small run of your own, and only then write what calls it.",
  },
  {
    id: "research-first",
    approach: "Research before implementing",
    words:
      "Read the code, its tests and its documentation, write down what you found and which ways there are, choose one, and only then implement it.",
  },
  {
    id: "constrained",
    approach: "Add specific constraints",
    mutation: "constrain",
    words:
      "Allow yourself one file and as few lines as you can, without any new function, class or file unless the task names it. If that cannot work, say what stands in the way, and lift exactly that one limit.",
  },
  {
    id: "top-down",
    approach: "Start with the overall structure",
    words:
      "Start from the top: write the outermost call and its result first, with the parts below still empty, then fill in one part after the other until everything works.",
  },
  {
    id: "example-driven",
    approach: "Work from concrete examples",
    mutation: "examples",
    words:
      "Take one concrete case that fails at present. Follow it by hand through the code, value by value, to the first place where what happens is not what should happen. Mend that place, then take the next case.",
  },
];

/**
 * Untried approaches first: those tried neither as a branch nor as the mutation they resemble; otherwise in the given
 * order.
 */
export function branchesInOrder(tried: readonly string[]): readonly BranchApproach[] {
  const repeats = ({ id, mutation }: BranchApproach): number =>
    (tried.includes(id) ? 2 : 0) + (mutation !== undefined && tried.includes(mutation) ? 1 : 0);
  return BRANCH_APPROACHES.toSorted((a, b) => repeats(a) - repeats(b));
}

interface BranchPromptInput {
  readonly id: string;
  /** The ids of all branches of its exploration. */
  readonly together: readonly string[];
  /** Earlier mutations, and ids of branches of earlier explorations, that did not succeed. */
  readonly tried: readonly string[];
}

/** The goal as this branch should attack it; an unknown id (of a later version) leaves the goal unchanged. */
export function branchGoal(
  input: MutationInput,
  { id, together, tried }: BranchPromptInput,
): string {
  const found = BRANCH_APPROACHES.find((one) => one.id === id);
  if (found === undefined) return input.goal;
  const { mutation, words } = found;
  const isTried = mutation !== undefined && tried.includes(mutation);
  const goal =
    id === "research-first"
      ? `First research how to: ${input.goal}`
      : mutation === undefined || isTried
        ? input.goal
        : mutate(mutation, input);
  return [
    goal,
    ...(mutation === undefined || isTried || mutation === "decompose" ? [words] : []),
    ...(tried.includes(id) ? [another(tried)] : []),
    ...beside(together.filter((other) => other !== id)),
  ].join("\n\n");
}

const approachOf = (id: string): string =>
  BRANCH_APPROACHES.find((one) => one.id === id)?.approach ?? id;

const another = (tried: readonly string[]): string =>
  [
    "These ways have been tried on this task, and none got there:",
    bulleted(
      BRANCH_APPROACHES.filter(({ id }) => tried.includes(id)).map(({ approach }) => approach),
    ),
    "Begin as said above, but find a way that is none of them, and say in one sentence what is new about it.",
  ].join("\n");

const beside = (others: readonly string[]): readonly string[] =>
  others.length === 0
    ? []
    : [
        `Others try these ways at the same time, so keep to yours:\n${bulleted(others.map(approachOf))}`,
      ];
