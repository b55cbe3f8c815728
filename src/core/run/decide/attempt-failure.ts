/**
 * Interprets the end of an attempt, its checks and its merge: a failure with its text, or none. Invariants: "done"
 * requires passed checks; a check that ran and failed is verification_failed, broken_build or timeout, whatever its
 * text mentions; every text is cleaned.
 */
import { hasTrait, type FailureKind } from "../../kinds.ts";
import { classify, purposeOf } from "../../classify/classify.ts";
import { signatureOf } from "../../classify/signature.ts";
import type { Evidence } from "../../evidence.ts";
import type { CheckExcerpt, CheckOutput } from "../../excerpt/check-excerpt.ts";
import { defined } from "../../defined.ts";
import { attributedToTool } from "../../repair/failed-call.ts";
import { cleanText, cleanLine } from "../../foreign-text.ts";
import type { Subtask } from "../../plan/plan.ts";
import { treeChanged } from "../attempt.ts";
import type { AttemptLeftovers, InputOf } from "../input.ts";
import type { RuleBook } from "../../classify/rule-book.ts";
import { makeFailure, type Failure } from "../../failure.ts";
import type { FailingItem } from "../../excerpt/failing-items.ts";

export function worthChecking(failure: Failure, remains: AttemptLeftovers, plan: Subtask): boolean {
  return hasTrait(failure.kind, "worth-checking") && treeChanged(remains) && plan.checks > 0;
}

export const isReadOnly = (plan: Subtask): boolean => plan.readOnly === true;

/** The failure of an ended attempt; undefined if there is none, as far as that can be judged without checks. */
export function verdictOf(
  input: InputOf<"attempt-ended">,
  plan: Subtask,
  rules: RuleBook,
): Failure | undefined {
  if (input.observed !== undefined) return input.observed;
  if (input.outcome === "failed") {
    const evidence = { origin: "agent", observedAt: input.at, ...input.evidence } as const;
    return attributedToTool(classify(evidence, rules), input, rules);
  }
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

/** A short description of how the agent ended, for work that is checked despite the agent's failure. */
export function howItEnded({ evidence, observed }: InputOf<"attempt-ended">): string {
  const { exitCode, signal } = evidence;
  if (observed?.kind === "hung" || observed?.kind === "timeout") return "had to be ended";
  if (observed?.kind === "unsafe_action") return "was refused a destructive command";
  if (signal !== undefined) return `was ended by ${cleanLine(signal, 20)}`;
  return exitCode === undefined ? "did not say that it was done" : `exited with ${exitCode}`;
}

/** The relevant part of a check's output, extracted here if the runner of the check has not done so. */
function excerptIn(evidence: Evidence, { readCheck = plainExcerpt }: RuleBook): CheckExcerpt {
  const { excerpt, message = "", stdout = "", stderr = "" } = evidence;
  if (excerpt !== undefined) return excerpt;
  return readCheck(stdout === "" && stderr === "" ? { stdout: message } : evidence);
}

/** Used without rules for reading checks: the text itself. */
function plainExcerpt(output: CheckOutput): CheckExcerpt {
  const text = errorText(output);
  return { headline: cleanLine(text), text, items: [], signature: signatureOf(text) };
}

/** The exit code of coreutils' `timeout`, also used for our own limit. */
const TIMED_OUT = 124;
const SURE = 0.9;

/** The failure of a check that ran. */
export function checkFailure(evidence: Evidence, rules: RuleBook): Failure {
  const { origin = "check", exitCode, message = "", command = "" } = evidence;
  if (origin !== "check") return couldNotRunFailure(evidence, rules);
  const excerpt = excerptIn(evidence, rules);
  const { headline, signature } = excerpt;
  const note = cleanLine(message, 300);
  const reasons = [headline, note === headline ? "" : note].filter((reason) => reason !== "");
  const because = reasons.length > 0 ? reasons : ["a check did not pass"];
  const failed = { origin: "check", confidence: SURE } as const;
  if (exitCode === TIMED_OUT) {
    const reversed = because.toReversed();
    return makeFailure({ ...failed, kind: "timeout", because: reversed, signedBy: command });
  }
  const broken = excerpt.broken ?? isFailedBuild(evidence, excerpt);
  const kind = broken ? "broken_build" : "verification_failed";
  const root = rootError(excerpt.items);
  return makeFailure({ ...failed, kind, because, signature, ...defined({ root }) });
}

/** Whether the check is a build, and no failed test is named. */
function isFailedBuild({ command = "" }: Evidence, { items }: CheckExcerpt): boolean {
  if (items.some(({ name }) => name !== undefined)) return false;
  return purposeOf(command) === "broken_build";
}

/** The service kinds that a check can fail with; all others concern a model service and cannot apply. */
const OF_MACHINE: ReadonlySet<FailureKind> = new Set(["network_error", "timeout"]);

/** The failure of a check that could not run, by what was missing. */
export function couldNotRunFailure(evidence: Evidence, rules: RuleBook): Failure {
  const failure = classify({ origin: "check", ...evidence }, rules);
  const { kind } = failure;
  const isOfCheck = kind !== "unknown" && (!hasTrait(kind, "service") || OF_MACHINE.has(kind));
  if (isOfCheck && kind !== "syntax_error") return failure;
  const mine = kind === "syntax_error" ? "broken_build" : "verification_failed";
  return { ...failure, kind: mine, category: "systematic" };
}

/** The names of the failing items in a check's excerpt; undefined unless every item has one. */
export function itemsShown({ excerpt }: Evidence): readonly string[] | undefined {
  const names = (excerpt?.items ?? []).map(({ name }) => name);
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

const MAX_NOTE = 1000;

/** The text of a failed check: why it counts as failed, if known, and the full excerpt. */
export function checkText(evidence: Evidence, rules: RuleBook): string {
  const { message = "" } = evidence;
  const note = cleanText(message, { maxChars: MAX_NOTE }).trim();
  const { text } = excerptIn(evidence, rules);
  return [text.includes(note) ? "" : note, text].filter((part) => part !== "").join("\n");
}

/** How many rounds of checks are run on one tree before the code is blamed, by whether they could not run or failed. */
export const maxRounds = ({ kind }: { readonly kind: string }): number =>
  kind === "could-not-run" ? 3 : 2;

export function conflictFailure(evidence: Evidence): Failure {
  return makeFailure({
    kind: "merge_conflict",
    origin: "workspace",
    because: ["the merge has conflicts"],
    signedBy: errorText(evidence),
  });
}

/** The text of a failure for prompts, reports and history: bounded and cleaned. */
export function errorText(evidence: Evidence): string {
  const text = [evidence.message, evidence.stderr, evidence.stdout].filter(Boolean).join("\n");
  return cleanText(text, { maxChars: 2000 }).trim();
}

/** A message with fewer words says too little about what went wrong. */
const LEAST_WORDS = 3;
const COMPARES = /\b(?:assert\w*|expect(?:ed|s)?|should|to (?:be|equal|match))\b/i;
const WORD = /\p{L}{2,}/gu;

/**
 * The fingerprint of the underlying error of a failing check, whichever test hit it: a missing module, a type error, a
 * refused connection. Undefined for a plain comparison ("expected 3, got 4"), because unrelated failures have the same
 * words.
 */
export function rootError([first]: readonly FailingItem[]): string | undefined {
  if (first === undefined) return undefined;
  const { message, expected, got } = first;
  if (expected !== undefined || got !== undefined || COMPARES.test(message)) return undefined;
  const words = message.match(WORD) ?? [];
  return words.length < LEAST_WORDS ? undefined : signatureOf(message);
}
