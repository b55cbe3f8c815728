/**
 * How an agent's output is read: one reader per format turns each line into steps and into its meaning for the attempt,
 * in one pass. Invariants: a reader never throws, whatever its input; what it remembers of earlier lines is bounded;
 * nothing here is specific to one agent.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { FailureKind } from "../../core/kinds.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import type { AnnouncedRetry, OutputState } from "./output-state.ts";

export interface OutputFormat {
  /** Whether output with this first line may be in this format. */
  begins(line: Fields): boolean;
  createReader(): LineReader;
  /** Reads one line of the text meant for people, given the previous one. */
  note?(seen: OutputState, line: string, before: string): OutputState;
  readonly finals: readonly FinalRule[];
  /** What it prints, in lower case, if the session to resume does not exist. */
  readonly sessionGone: readonly string[];
  /** An unknown format: if its events show nothing, its exit code and text count. */
  readonly unknown?: true;
}

/** Reads one line of standard output that is a JSON object. Unknown lines mean nothing. */
export type LineReader = (line: Fields) => LineReading;

export interface LineReading {
  readonly steps?: readonly Step[];
  /** What it means for the attempt; `kindOf` classifies a piece of evidence. */
  readonly tells?: (seen: OutputState, kindOf: KindOf) => OutputState;
  /** Why it cannot be read. */
  readonly problem?: string;
}

export type KindOf = (evidence: Evidence) => FailureKind;

export const EMPTY_READING: LineReading = {};

/** The attempt is ended once such a retry is announced. Absent criteria are not tested. */
export interface FinalRule {
  readonly names?: readonly string[];
  readonly statuses?: readonly number[];
  readonly waitMs?: number;
  readonly inARow?: number;
}

/** Repeating the same request does not help against these: only a person or another request does. */
export const HOPELESS_STATUSES = [400, 401, 402, 403, 404, 413, 422] as const;
/** Waits of at least this length are better done by the run, which stores them. */
export const LONG_WAIT_MS = 10_000;

/** The provider asked for a long wait. */
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
