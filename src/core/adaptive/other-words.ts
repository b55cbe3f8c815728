/**
 * The words in which a move puts the task. Changed words cost nothing in an attempt that starts anyway, and are all that
 * a misread task needs, so a fresh start and a failing check that is sent back use them too.
 */
import type { FailureKind } from "../kinds.ts";
import type { Mutation } from "../recovery.ts";
import { ranked, shownBelief, type JointBelief } from "./belief.ts";
import type { Cause } from "./causes.ts";
import { classOf } from "./symptoms.ts";
import type { Move } from "./tables.ts";

const FOR_CAUSE: { readonly [cause in Cause]?: readonly Mutation[] } = {
  capability: ["decompose", "examples", "constrain", "rephrase", "negative"],
  transient: ["decompose", "constrain", "rephrase", "examples", "negative"],
  pollution: ["negative", "constrain", "rephrase", "decompose", "examples"],
};
const USUAL: readonly Mutation[] = ["rephrase", "constrain", "examples", "decompose", "negative"];

/** A session that goes on cannot read the task as if for the first time. */
const IN_SESSION: readonly Mutation[] = ["examples", "constrain", "decompose", "negative"];

/** In the order in which to use them; undefined where the task keeps its words. */
export function otherWordsFor(
  move: Move,
  failure: FailureKind,
  belief: JointBelief,
): readonly Mutation[] | undefined {
  if (move === "feedback") return classOf(failure) === "checks" ? IN_SESSION : undefined;
  if (move !== "mutate" && move !== "fresh") return undefined;
  return FOR_CAUSE[ranked(shownBelief(belief))[0]?.[0] ?? "misread"] ?? USUAL;
}
