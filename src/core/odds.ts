/** Odds of a chance, and chances with their odds moved. Invariant: no chance is ever 0 or 1, so that it can still move. */

const NEVER = 1e-4;

/** A chance with its odds multiplied. */
export function shifted(chance: number, factor: number): number {
  const odds = oddsOf(chance) * factor;
  return odds / (1 + odds);
}

export function oddsOf(chance: number): number {
  const bounded = Math.min(1 - NEVER, Math.max(NEVER, chance));
  return bounded / (1 - bounded);
}
