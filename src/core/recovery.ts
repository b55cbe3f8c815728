/**
 * Recovery: what to do next, as one closed union. Each kind states what it keeps and whether it starts an agent.
 * Invariant: RECOVERIES covers the whole union.
 */
import type { ModelEntry } from "./plan/plan.ts";
import type { Wait } from "./backoff.ts";

export const MUTATIONS = ["rephrase", "decompose", "constrain", "examples", "negative"] as const;
export type Mutation = (typeof MUTATIONS)[number];

export interface Branch {
  readonly id: string;
  readonly approach: string;
  readonly entry: ModelEntry;
  /** How many agents this branch may start. */
  readonly iterations: number;
  /** Earlier mutations, and ids of branches of earlier explorations, that did not succeed. */
  readonly tried?: readonly string[];
}

/** An extra instruction for a retry: the required answer format, or that the agent must settle its own question. */
export type Reminder = "format" | "decide";

/** The prompt also puts the task in these other words; a mutation changes nothing else. */
interface Reworded {
  readonly wording?: Mutation;
}

export type Recovery =
  | { readonly kind: "wait"; readonly wait: Wait }
  | { readonly kind: "retry"; readonly remind?: Reminder }
  | ({ readonly kind: "feedback" } & Reworded)
  | { readonly kind: "repair"; readonly strategy: string }
  | { readonly kind: "mutate"; readonly mutation: Mutation }
  /**
   * Rolls back to the last good commit; if there is none, to the tree that the subtask's first attempt started from.
   */
  | ({ readonly kind: "fresh"; readonly goodCommit: string } & Reworded)
  | ({ readonly kind: "fresh"; readonly goodCommit?: never; readonly startOf: number } & Reworded)
  | { readonly kind: "sidegrade"; readonly entry: ModelEntry }
  | {
      readonly kind: "escalate";
      readonly entry: ModelEntry;
      readonly thinking: boolean;
      /** Multiplies the attempt's cap, for a larger budget at the top tier. */
      readonly budgetFactor: number;
    }
  | { readonly kind: "explore"; readonly branches: readonly Branch[] }
  | { readonly kind: "continue" }
  | { readonly kind: "skip" }
  | { readonly kind: "ask" };

export type RecoveryName = Recovery["kind"];

interface RecoveryFacts {
  /** The agent's context: the same session, a new one, or a new one with a hand-over summary. */
  readonly context: "keep" | "new" | "summary" | "none";
  /** The tree that the next attempt starts from. */
  readonly tree: "keep" | "good" | "own" | "none";
  readonly startsAgent: boolean;
  /** Discards work in the tree (after a snapshot). */
  readonly destructive: boolean;
}

const facts = (
  context: RecoveryFacts["context"],
  tree: RecoveryFacts["tree"],
  startsAgent = true,
): RecoveryFacts => ({ context, tree, startsAgent, destructive: tree === "good" });

export const RECOVERIES: { readonly [name in RecoveryName]: RecoveryFacts } = {
  wait: facts("keep", "keep"),
  retry: facts("keep", "keep"),
  feedback: facts("keep", "keep"),
  repair: facts("keep", "keep"),
  mutate: facts("new", "keep"),
  fresh: facts("new", "good"),
  sidegrade: facts("new", "keep"),
  escalate: facts("new", "keep"),
  explore: facts("new", "own"),
  continue: facts("summary", "keep"),
  skip: facts("none", "none", false),
  ask: facts("none", "none", false),
};

/** A recovery in plain words: "it could ...", and "so it ...". */
interface RecoveryWords {
  readonly does: string;
  readonly did: string;
}

const words = (does: string, did: string): RecoveryWords => ({ does, did });

export const RECOVERY_WORDS: { readonly [name in RecoveryName]: RecoveryWords } = {
  wait: words("wait and try again", "waited"),
  retry: words("try again", "tried again"),
  feedback: words("send the failing output back", "sent the failing output back"),
  repair: words("apply a known repair", "applied a known repair"),
  mutate: words("change the task's wording", "changed the task's wording"),
  fresh: words("start fresh from the last good commit", "started fresh from the last good commit"),
  sidegrade: words("switch to another model", "switched to another model"),
  escalate: words("switch to a stronger model", "switched to a stronger model"),
  explore: words("try several approaches side by side", "tried several approaches side by side"),
  continue: words("pick up where it stopped", "picked up where it stopped"),
  skip: words("give the subtask up", "gave the subtask up"),
  ask: words("ask you", "asked you"),
};

export const MUTATION_WORDS: { readonly [mutation in Mutation]: RecoveryWords } = {
  rephrase: words("put the task in other words", "put the task in other words"),
  decompose: words("break the task into steps", "broke the task into steps"),
  constrain: words("narrow the task down", "narrowed the task down"),
  examples: words("add examples to the task", "added examples to the task"),
  negative: words("list what not to do again", "listed what not to do again"),
};

export const RECOVERY_NAMES = Object.keys(RECOVERIES) as readonly RecoveryName[];

/** How far recovery had to go; recorded in the episode. */
export type RecoveryLevel = "same" | "alternative" | "clarify" | "escalate";

export function levelOf(recovery: RecoveryName): RecoveryLevel {
  if (recovery === "wait" || recovery === "retry" || recovery === "continue") return "same";
  return recovery === "skip" || recovery === "ask" ? "escalate" : "alternative";
}
