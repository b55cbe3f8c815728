/**
 * Why a recovery was chosen, for `explanation`: the failure, the progress, the rungs with their verdicts, the rule.
 * Imports core types. Invariants as there: bounded, tamed, recorded facts only.
 */
import { tameLine } from "../foreign-text.ts";
import type { Considered } from "../policy/policy.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { Seen, Told } from "./explained.ts";
import { listWords, recoveryWords } from "./recovery-words.ts";

export function explainedRecovery(event: DecisionOf<"recovery-chosen">, seen: Seen): Told {
  const what = event.recoveries.map(recoveryWords).join(" + ");
  return {
    decision: what,
    seen: [...seenWords(seen)],
    considered: event.considered.length > 0 ? event.considered : bound(event.rule, what),
    why: `${event.rule}: ${tameLine(event.because, 300)}`,
  };
}

function seenWords({ failure, score, circle }: Seen): string[] {
  if (failure === undefined) return [];
  const { kind, category, origin, confidence, because, resetAt, retryAfterMs } = failure.failure;
  const progress = score?.attempt === failure.attempt ? [progressWords(score)] : [];
  const sure = `confidence ${confidence.toFixed(2)}${failure.counted ? "" : ", uncounted"}`;
  return [
    `attempt ${failure.attempt}: ${kind} (${category}, ${origin}), ${sure}`,
    ...because.map((reason) => tameLine(reason, 300)),
    ...(failure.failing.length === 0 ? [] : [`failing: ${listWords(failure.failing)}`]),
    ...(resetAt === undefined ? [] : [`resets at ${tameLine(resetAt, 40)}`]),
    ...(retryAfterMs === undefined ? [] : [`the server asked for ${retryAfterMs / 1000} s`]),
    ...progress,
    ...(circle === undefined ? [] : [`circular fix: ${tameLine(circle, 300)}`]),
  ];
}

const progressWords = ({ score, state, progressed }: DecisionOf<"progress-scored">): string =>
  `progress ${score.toFixed(2)}: ${progressed ? "got on" : "no progress"}, ${state.status}`;

/** A guard rail or a structure rule leaves the policy nothing to weigh. */
function bound(rule: string, recovery: string): readonly Considered[] {
  const verdict = rule.startsWith("guard:")
    ? "chosen; a guard rail binds every policy, its rungs were not asked"
    : "chosen; the kind of failure alone decides, the rungs were not asked";
  return [{ rung: rule, recovery, verdict }];
}

export const failureWords = (failure: DecisionOf<"failure-classified"> | undefined): string[] =>
  failure === undefined
    ? []
    : [`${failure.failure.kind}: ${tameLine(failure.failure.because[0] ?? "", 200)}`];
