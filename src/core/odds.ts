/** Probabilities and odds. Invariant: no probability is ever 0 or 1, so later evidence can always change it. */

const NEVER = 1e-4;

/** The probability after multiplying its odds by a factor. */
export function shifted(chance: number, factor: number): number {
  const odds = oddsOf(chance) * factor;
  return odds / (1 + odds);
}

export function oddsOf(chance: number): number {
  const bounded = Math.min(1 - NEVER, Math.max(NEVER, chance));
  return bounded / (1 - bounded);
}
