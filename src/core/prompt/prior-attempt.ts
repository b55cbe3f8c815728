/** What a prompt may tell of an earlier failed attempt. Imports nothing. */

export interface PriorAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly tier: number;
  readonly approach?: string;
  /** What the checks said. */
  readonly feedback?: string;
  readonly error?: string;
}
