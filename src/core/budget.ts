/**
 * Budgets (U4): amounts, what is spent, what is reserved for running attempts, and whether a dispatch still fits.
 * Imports nothing. Invariant: what `fit` grants keeps spent plus reserved within the limit in every measure.
 */

export const MEASURES = ["usd", "tokens", "timeMs", "attempts"] as const;
export type Measure = (typeof MEASURES)[number];

/** Limits or amounts; an absent measure is not limited, or not known. */
export type Budget = { readonly [measure in Measure]?: number };

export interface Ledger {
  readonly spent: Budget;
  readonly reserved: Budget;
}

export const EMPTY_LEDGER: Ledger = { spent: {}, reserved: {} };

/** An attempt that could use only this share of its cap is not worth starting. */
const LEAST_SHARE = 0.25;

export type Fit =
  { readonly ok: true; readonly cap: Budget } | { readonly ok: false; readonly measure: Measure };

/** The cap of one more attempt: what it may use, shrunk to what is left; or the measure that is used up. */
export function fit(limit: Budget, ledger: Ledger, cap: Budget): Fit {
  const granted: { [measure in Measure]?: number } = { ...cap, attempts: 1 };
  for (const measure of MEASURES) {
    const most = limit[measure];
    if (most === undefined) continue;
    const left = most - (ledger.spent[measure] ?? 0) - (ledger.reserved[measure] ?? 0);
    const wanted = granted[measure] ?? left;
    if (left <= 0 || left < wanted * LEAST_SHARE) return { ok: false, measure };
    granted[measure] = Math.min(wanted, left);
  }
  return { ok: true, cap: granted };
}

export function reserve(ledger: Ledger, cap: Budget): Ledger {
  return { spent: ledger.spent, reserved: combine(ledger.reserved, cap, 1) };
}

/** Ends a reservation. A measure that nobody could tell is charged at its cap: a budget is a promise. */
export function settle(ledger: Ledger, cap: Budget, used: Budget): Ledger {
  return {
    spent: combine(ledger.spent, { ...cap, ...used }, 1),
    reserved: combine(ledger.reserved, cap, -1),
  };
}

/** What has reached this share of its limit, for the warning before the stop. */
export function measuresAt(limit: Budget, ledger: Ledger, share: number): readonly Measure[] {
  return MEASURES.filter((measure) => {
    const most = limit[measure];
    return most !== undefined && (ledger.spent[measure] ?? 0) >= most * share;
  });
}

/** A top-up: only measures that are limited can be raised. */
export function raise(limit: Budget, by: Budget): Budget {
  const limited = Object.fromEntries(Object.entries(by).filter(([name]) => name in limit));
  return combine(limit, limited, 1);
}

function combine(a: Budget, b: Budget, sign: 1 | -1): Budget {
  const sum: { [measure in Measure]?: number } = { ...a };
  for (const measure of MEASURES) {
    const amount = b[measure];
    if (amount !== undefined) sum[measure] = Math.max(0, (sum[measure] ?? 0) + sign * amount);
  }
  return sum;
}
