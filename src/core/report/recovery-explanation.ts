/**
 * Why a recovery was chosen or a person asked, for `explanation`: the failure, the progress, the rungs with their
 * verdicts, the rule, the answers offered. Invariants as there: bounded, cleaned, recorded facts only.
 */
import { tameLine } from "../foreign-text.ts";
import { ruleName } from "../policy/policy.ts";
import type { ChosenBy, Considered } from "../policy/policy.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { Seen, Told } from "./explained.ts";
import { answerWords, listWords, recoveryWords } from "./phrases.ts";
import { count } from "../amounts.ts";
import { only } from "./explained.ts";

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

export function asked({ checkpoint }: DecisionOf<"checkpoint-opened">): Told {
  const { context, options, recommendation } = checkpoint;
  return {
    decision: `ask a person (${tameLine(checkpoint.id, 80)})`,
    seen: [
      tameLine(context.error, 300),
      `${count(context.attempts, "attempt")} made`,
      ...(context.blocksCount === 0
        ? []
        : [`blocks ${context.blocksCount}: ${listWords(context.blocks)}`]),
    ].filter((line) => line !== ""),
    considered: options.map(({ answer, label }) => ({
      rung: answer,
      recovery: label,
      verdict: answer === recommendation ? "recommended" : "offered",
    })),
    why: tameLine(checkpoint.question, 300),
  };
}

export function questioned(
  event: DecisionOf<
    "checkpoint-joined" | "checkpoint-followed" | "checkpoint-taken" | "checkpoint-closed"
  >,
  { failure }: Seen,
): Told {
  const question = tameLine(event.checkpoint, 80);
  switch (event.kind) {
    case "checkpoint-joined":
      return {
        decision: `wait for the answer to ${question}`,
        seen: [...failureWords(failure), `${question} is open`],
        considered: [
          { rung: "join", recovery: `wait for ${question}`, verdict: "chosen" },
          { rung: "ask", recovery: "a question of its own", verdict: "not for the same cause" },
        ],
        why: `${tameLine(event.of, 80)} met the same cause and asked already: one question, one answer`,
      };
    case "checkpoint-followed":
      return {
        decision: `the answer counts for it too: ${answerWords(event.answer)}`,
        seen: [question],
        considered: only("joined", "the same answer"),
        why: "it had joined that question",
      };
    case "checkpoint-taken":
      return {
        decision: `left to ${tameLine(event.by, 60)}, who handles it by hand`,
        seen: [question],
        considered: only("answer", "handled by hand"),
        why: "the question stays open until they say that it is done",
      };
    case "checkpoint-closed":
      return {
        decision: `the question was answered: ${answerWords(event.answer)}`,
        seen: [`${question}, by ${tameLine(event.by, 60)}`],
        considered: only("answer", "as answered"),
        why: "the first answer stands",
      };
  }
}
