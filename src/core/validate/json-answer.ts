/**
 * Validates a model's JSON answer before it is accepted. Invariants: never throws; `valid` only with a value that fits
 * the schema; otherwise an error, and a suggestion that says precisely what to send instead.
 */
import { cleanLine } from "../foreign-text.ts";
import { findJson, MAX_ANSWER_CHARS, type JsonCandidate } from "./json-text.ts";
import { compileSchema, type Complaint, type SchemaCheck } from "./schema.ts";

export interface AnswerVerdict<Value = unknown> {
  readonly valid: boolean;
  readonly value?: Value;
  /** The text was not valid JSON and has been repaired. */
  readonly repaired: boolean;
  readonly error?: string;
  readonly suggestion?: string;
  /** The schema itself is unusable, so nothing was validated. */
  readonly schemaError?: string;
}

export const ONLY_JSON = "Answer with ONLY valid JSON: no Markdown, no code fence, no explanation.";

export function validateJsonAnswer(raw: string, schema?: unknown): AnswerVerdict {
  const compiled = schema === undefined ? undefined : compileSchema(schema);
  if (compiled?.ok === false)
    return {
      valid: false,
      repaired: false,
      schemaError: compiled.schemaError,
      error: "The schema cannot be used.",
    };
  if (raw.length > MAX_ANSWER_CHARS)
    return refused(
      `The answer has ${raw.length} characters; at most ${MAX_ANSWER_CHARS} are read.`,
      "Answer with less.",
    );
  const { candidates, error } = findJson(raw);
  return (
    choose(candidates, compiled?.check ?? (() => [])) ??
    refused(`Invalid JSON: ${cleanLine(error)}`, ONLY_JSON)
  );
}

/** The first candidate that fits, else the first one's complaints; undefined if there are no candidates. */
function choose(
  candidates: readonly JsonCandidate[],
  check: SchemaCheck,
): AnswerVerdict | undefined {
  let first: AnswerVerdict | undefined;
  for (const { value, repaired } of candidates) {
    const complaints = check(value);
    if (complaints.length === 0) return { valid: true, value, repaired };
    first ??= { ...combinedRefusal(complaints), value, repaired };
  }
  return first;
}

/** The reply to an invalid answer. */
type Refusal = Required<Omit<AnswerVerdict, "value" | "schemaError">>;

/** Combines several complaints into one verdict, so that one re-ask can fix them all. */
export function combinedRefusal(complaints: readonly Complaint[]): Refusal {
  return refused(
    complaints.map(({ problem }) => problem).join("; "),
    complaints.map(({ suggestion }) => suggestion).join(" "),
  );
}

export const refused = (error: string, suggestion: string): Refusal => ({
  valid: false,
  repaired: false,
  error,
  suggestion,
});
