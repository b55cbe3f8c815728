/**
 * How an agent's output is read: one reader for each format turns a line into steps and into what it says of the
 * attempt, in one pass. Invariants: a reader never throws, whatever it is given; what it remembers of earlier
 * lines is bounded; nothing here knows one agent from another.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { FailureKind } from "../../core/kinds.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import type { AnnouncedRetry, Seen } from "./seen.ts";

export interface OutputFormat {
  /** Whether an output whose first line this is may be in this format. */
  begins(line: Fields): boolean;
  createReader(): LineReader;
  /** One line of what it prints for people, and the one before it. */
  note?(seen: Seen, line: string, before: string): Seen;
  readonly finals: readonly FinalRule[];
  /** What it says when the session it was to go on with is not there; lower case. */
  readonly sessionGone: readonly string[];
  /** Nothing is known of it: where its events say nothing, its exit code and its words count. */
  readonly unknown?: true;
}

/** One line of standard output that is a JSON object. Lines it does not know say nothing. */
export type LineReader = (line: Fields) => LineReading;

export interface LineReading {
  readonly steps?: readonly Step[];
  /** What it says of the attempt; `kindOf` tells which failure a piece of evidence is. */
  readonly tells?: (seen: Seen, kindOf: KindOf) => Seen;
  /** Why it cannot be read. */
  readonly problem?: string;
}

export type KindOf = (evidence: Evidence) => FailureKind;

export const SAYS_NOTHING: LineReading = {};

/** The attempt need not go on once such a retry is announced. Absent measures are not asked for. */
export interface FinalRule {
  readonly names?: readonly string[];
  readonly statuses?: readonly number[];
  readonly waitMs?: number;
  readonly inARow?: number;
}

/** No retry of the same request helps against these: only a person or another request does. */
export const HOPELESS_STATUSES = [400, 401, 402, 403, 404, 413, 422] as const;
/** Waits from here on are better waited out by the run, which stores them. */
export const LONG_WAIT_MS = 10_000;

/** A long wait is what the provider asked for. */
export const retryAfterLong = (waitMs: number): Pick<Evidence, "retryAfter"> =>
  waitMs < LONG_WAIT_MS ? {} : { retryAfter: String(Math.ceil(waitMs / 1000)) };

export function isFinal(rules: readonly FinalRule[], retry: AnnouncedRetry): boolean {
  return rules.some(
    ({ names, statuses, waitMs = 0, inARow = 1 }) =>
      (names === undefined || names.includes(retry.name ?? "")) &&
      (statuses === undefined || statuses.includes(retry.evidence.httpStatus ?? 0)) &&
      (retry.waitMs ?? 0) >= waitMs &&
      retry.inARow >= inARow,
  );
}
