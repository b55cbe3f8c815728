/** What a prompt may tell of an earlier failed attempt. */

export interface PriorAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly tier: number;
  readonly approach?: string;
  /** What the checks said. */
  readonly feedback?: string;
  readonly error?: string;
}
