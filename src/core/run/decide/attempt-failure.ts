/**
 * What an ended attempt, its checks and its merge mean: passed on, or a failure with its words. Invariants: "done"
 * needs passed checks (U5); a check that ran and failed without a better reason is verification_failed; every text
 * is cleaned.
 */
import { hasTrait, type FailureKind } from "../../kinds.ts";
import { classify } from "../../classify/classify.ts";
import type { Evidence } from "../../evidence.ts";
import { cleanText, cleanLine } from "../../foreign-text.ts";
import type { Subtask } from "../../plan/plan.ts";
import type { AttemptRemains, InputOf } from "../input.ts";
import type { RuleBook } from "../../classify/rule-book.ts";
import { makeFailure, type Failure } from "../../failure.ts";

export const treeChanged = (remains: AttemptRemains): boolean =>
  remains.treeBefore !== remains.treeAfter;

export function worthChecking(failure: Failure, remains: AttemptRemains, plan: Subtask): boolean {
  return hasTrait(failure.kind, "worth-checking") && treeChanged(remains) && plan.checks > 0;
}

export const isReadOnly = (plan: Subtask): boolean => plan.readOnly === true;

/** The failure of an ended attempt, or nothing if the agent did what can be judged without checks. */
export function verdictOf(
  input: InputOf<"attempt-ended">,
  plan: Subtask,
  rules: RuleBook,
): Failure | undefined {
  if (input.observed !== undefined) return input.observed;
  if (input.outcome === "failed")
    return classify({ origin: "agent", observedAt: input.at, ...input.evidence }, rules);
  if (isReadOnly(plan) && input.answer?.empty !== false)
    return makeFailure({
      kind: "verification_failed",
      origin: "check",
      because: ["it ended without saying anything"],
    });
  if (plan.structuredOutput === true && input.answer?.problem !== undefined)
    return makeFailure({
      kind: "malformed_output",
      origin: "agent",
      because: [cleanText(input.answer.problem, { maxChars: 300 })],
    });
  return undefined;
}

/** How an agent ended whose work is worth checking all the same, in few words. */
export function howItEnded({ evidence, observed }: InputOf<"attempt-ended">): string {
  const { exitCode, signal } = evidence;
  if (observed?.kind === "hung" || observed?.kind === "timeout") return "had to be ended";
  if (observed?.kind === "unsafe_action") return "was refused a destructive command";
  if (signal !== undefined) return `was ended by ${cleanLine(signal, 20)}`;
  return exitCode === undefined ? "did not say that it was done" : `exited with ${exitCode}`;
}

/** What a check means by it: it ran and failed, or it found that the code does not compile ("Settled" 6). */
const CHECK_KINDS: { readonly [kind in FailureKind]?: FailureKind } = {
  unknown: "verification_failed",
  syntax_error: "broken_build",
};

/** What a check prints is mostly about the work: a hint of something else has to be a strong one, unless it is the build. */
const SURE_ENOUGH = 0.75;

export function checkFailure(evidence: Evidence, rules: RuleBook): Failure {
  const failure = classify({ origin: "check", ...evidence }, rules);
  const weak = failure.confidence < SURE_ENOUGH && !hasTrait(failure.kind, "code");
  const kind = weak ? "verification_failed" : CHECK_KINDS[failure.kind];
  return kind === undefined ? failure : { ...failure, kind, category: "systematic" };
}

/** How often checks are run on one tree: when they could not run, and when they failed, before the code is blamed. */
export const roundsFor = ({ kind }: { readonly kind: string }): number =>
  kind === "could-not-run" ? 3 : 2;

export function conflictFailure(evidence: Evidence): Failure {
  return makeFailure({
    kind: "merge_conflict",
    origin: "workspace",
    because: ["the merge has conflicts"],
    signedBy: errorText(evidence),
  });
}

/** The words of a failure for prompts, reports and history: bounded and cleaned. */
export function errorText(evidence: Evidence): string {
  const text = [evidence.message, evidence.stderr, evidence.stdout].filter(Boolean).join("\n");
  return cleanText(text, { maxChars: 2000 }).trim();
}
