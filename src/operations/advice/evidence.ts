/**
 * Evidence from piped text, and a failure in words. JSON with names of evidence fields is evidence, anything else is a
 * log. The current time and time zone are added, because "resets 3am" needs them.
 */
import { withLocalTime } from "../../agents/local-evidence.ts";
import { classify } from "../../core/classify/classify.ts";
import type { RuleBook } from "../../core/classify/rule-book.ts";
import { readEvidence, type EvidenceReading } from "../../core/evidence.ts";
import { firstMoveOf, type Failure } from "../../core/failure.ts";

const NAMES = [
  "tool",
  "command",
  "exitCode",
  "signal",
  "errno",
  "httpStatus",
  "message",
  "stdout",
  "stderr",
  "providerError",
];

export function evidenceOfText(text: string, more: object = {}): EvidenceReading {
  return evidenceNow({ ...fieldsOf(text), ...more });
}

export function evidenceNow(value: unknown): EvidenceReading {
  const reading = readEvidence(value);
  if (!reading.ok) return reading;
  return { ok: true, evidence: withLocalTime(reading.evidence) };
}

function fieldsOf(text: string): object {
  if (text.trimStart().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && NAMES.some((name) => name in value))
        return value;
    } catch {
      // Not JSON: a log that begins with a brace.
    }
  }
  return text === "" ? {} : { stdout: text };
}

/** `called`: the name of the input in the message. */
export function evidenceProblem(
  { field, problem }: Extract<EvidenceReading, { ok: false }>,
  called = "evidence",
): string {
  return `${called}${field === "" ? "" : `, field ${field}`}: ${problem}`;
}

/** For callers with prebuilt rules: building the standard rules takes longer than classifying. */
export function classifyText(
  text: string,
  rules: () => RuleBook,
): { readonly failure: Failure } | { readonly problem: string } {
  const reading = evidenceOfText(text);
  return reading.ok
    ? { failure: classify(reading.evidence, rules()) }
    : { problem: evidenceProblem(reading) };
}

export function describeFailure(
  failure: Failure,
  styled: (style: "bold", words: string) => string = (_, words) => words,
): string {
  const { kind, category, origin, confidence, because, signature, retryAfterMs, resetAt } = failure;
  const rows = [
    `${styled("bold", kind)}  (${category}, seen at the ${origin})  confidence ${confidence.toFixed(2)}`,
    ...because.map((reason, index) => `${index === 0 ? "because    " : "           "}${reason}`),
    `first move ${firstMoveOf(kind, origin)}`,
    ...(retryAfterMs === undefined ? [] : [`retry in   ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(resetAt === undefined ? [] : [`resets at  ${resetAt}`]),
    `signature  ${signature}`,
  ];
  return rows.join("\n");
}
