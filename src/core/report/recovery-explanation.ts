/**
 * Why a recovery was chosen, for `explanation`: the failure, the progress, the rungs with their verdicts, the
 * rule. Invariants as there: bounded, tamed, recorded facts only.
 */
import { tameLine } from "../foreign-text.ts";
import { ruleName } from "../policy/policy.ts";
import type { ChosenBy, Considered } from "../policy/policy.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { Seen, Told } from "./explained.ts";
import { listWords, recoveryWords } from "./recovery-words.ts";

export function explainedRecovery(event: DecisionOf<"recovery-chosen">, seen: Seen): Told {
  const what = event.recoveries.map(recoveryWords).join(" + ");
  return {
    decision: what,
    seen: [...seenWords(seen)],
    considered: event.considered.length > 0 ? event.considered : bound(event.chosenBy, what),
    why: `${ruleName(event.chosenBy)}: ${tameLine(event.because, 300)}`,
  };
}

function seenWords({ failure, score, circle }: Seen): string[] {
  if (failure === undefined) return ["no failure is recorded"];
  const { kind, category, origin, confidence, because, resetAt, retryAfterMs } = failure.failure;
  const progress = score?.attempt === failure.attempt ? [progressWords(score)] : [];
  const sure = `confidence ${confidence.toFixed(2)}${failure.counted ? "" : ", uncounted"}`;
  return [
    `attempt ${failure.attempt}: ${kind} (${category}, ${origin}), ${sure}`,
    ...because.map((reason) => tameLine(reason, 300)),
    ...said(failure),
    ...(failure.failing.length === 0 ? [] : [`failing: ${listWords(failure.failing)}`]),
    ...(resetAt === undefined ? [] : [`resets at ${tameLine(resetAt, 40)}`]),
    ...(retryAfterMs === undefined
      ? []
      : [`not before ${Math.ceil(retryAfterMs / 1000)} s have passed`]),
    ...progress,
    ...(circle === undefined ? [] : [`circular fix: ${tameLine(circle, 300)}`]),
  ];
}

const progressWords = ({ score, state, progressed }: DecisionOf<"progress-scored">): string =>
  `progress score ${score.toFixed(2)}, ${progressed ? "enough" : "too little"}: ${state.status}`;

/** Its own words, where the reasons do not quote them. */
function said({ error, failure }: DecisionOf<"failure-classified">): string[] {
  const line = firstLine(error);
  const quoted = failure.because.some((reason) => reason.includes(line));
  return line === "" || quoted ? [] : [`it said: ${line}`];
}

const firstLine = (text: string): string =>
  tameLine(text.split("\n").find((line) => line.trim() !== "") ?? "", 200);

/** Why it counts as what it is; of a failure that nobody knows, what it said. */
export function reasonWords({ failure, error }: DecisionOf<"failure-classified">): string {
  const line = failure.kind === "unknown" ? firstLine(error) : "";
  return line === "" ? tameLine(failure.because[0] ?? "", 200) : line;
}

/** A guard rail or a structure rule leaves the policy nothing to weigh. */
function bound(rule: ChosenBy, recovery: string): readonly Considered[] {
  const verdict =
    rule.by === "guard"
      ? "chosen; a guard rail binds every policy, its rungs were not asked"
      : "chosen; the kind of failure alone decides, the rungs were not asked";
  return [{ rung: ruleName(rule), recovery, verdict }];
}

export const failureWords = (failure: DecisionOf<"failure-classified"> | undefined): string[] =>
  failure === undefined
    ? ["no failure is recorded"]
    : [`${failure.failure.kind}: ${reasonWords(failure)}`];
