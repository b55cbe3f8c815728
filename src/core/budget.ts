/**
 * Budgets (U4): amounts, what is spent, what is reserved for running attempts, and whether a dispatch still fits.
 * Invariants: what `fit` grants keeps spent plus reserved within the limit in every measure; what nobody told is
 * counted as untold and never as spent.
 */

export const MEASURES = ["usd", "tokens", "timeMs", "attempts"] as const;
export type Measure = (typeof MEASURES)[number];

/** Limits or amounts; an absent measure is not limited, or not known. */
export type Budget = { readonly [measure in Measure]?: number };

export interface Ledger {
  /** What attempts told; what they used in all where none is untold. */
  readonly spent: Budget;
  readonly reserved: Budget;
  /** How many attempts have ended without telling what they used of a measure. */
  readonly untold: Budget;
}

export const EMPTY_LEDGER: Ledger = { spent: {}, reserved: {}, untold: {} };

/** A budget that cannot hold some of a run's agents. */
export interface Unheld {
  readonly measure: Measure;
  readonly agents: readonly string[];
  /** The limits that cannot hold them: the run's and recovery's, and how many subtasks have their own. */
  readonly limits: {
    readonly run?: number;
    readonly recovery?: number;
    readonly subtasks?: number;
  };
  /** What of the run's budget does hold them. */
  readonly holding: Budget;
  /** What holds them where the plan limits nothing else. */
  readonly otherwise?: {
    readonly attempts: number;
    readonly iterations: number;
    readonly attemptMs?: number;
  };
}

/** An attempt that could use only this share of its cap is not worth starting. */
const LEAST_SHARE = 0.25;

/** How many attempts share a budget. */
export interface Sharing {
  /** At most so many at the same time. */
  readonly places: number;
  /** So many can start now, this one among them. */
  readonly starting: number;
  /** A larger share of money and tokens, at the top of the ladder. */
  readonly factor?: number;
}

type Fit =
  { readonly ok: true; readonly cap: Budget } | { readonly ok: false; readonly measure: Measure };

/**
 * The cap of one more attempt: what it may use, shrunk to what is left; or the measure that is used up. Where the plan
 * names no cap it is a share: of half the budget, one part for each place, so that a budget never makes a run serial; towards
 * the end what is left is dealt out evenly to those that start together, down to a quarter of that share.
 */
export function fit(limit: Budget, ledger: Ledger, cap: Budget, sharing: Sharing): Fit {
  const granted: { [measure in Measure]?: number } = { ...cap, attempts: 1 };
  for (const measure of MEASURES) {
    const most = limit[measure];
    if (most === undefined) continue;
    const left = most - (ledger.spent[measure] ?? 0) - (ledger.reserved[measure] ?? 0);
    const asked = granted[measure];
    const wanted = asked ?? shareOf(measure, most, sharing);
    const least = wanted * LEAST_SHARE;
    if (left <= 0 || left < least) return { ok: false, measure };
    const even = asked === undefined ? Math.max(left / sharing.starting, least) : left;
    granted[measure] = Math.min(wanted, even);
  }
  return { ok: true, cap: granted };
}

/** The first attempts together get half of a budget; the other half is for recovery and for what comes after them. */
function shareOf(measure: Measure, most: number, { places, factor = 1 }: Sharing): number {
  const larger = measure === "usd" || measure === "tokens" ? factor : 1;
  return Math.min(most, (larger * most) / (2 * places));
}

/** The cap that keeps to all of these. */
export function narrowest(caps: readonly Budget[]): Budget {
  const least: { [measure in Measure]?: number } = {};
  for (const cap of caps)
    for (const measure of MEASURES) {
      const amount = cap[measure];
      if (amount !== undefined) least[measure] = Math.min(amount, least[measure] ?? Infinity);
    }
  return least;
}

export function reserve(ledger: Ledger, cap: Budget): Ledger {
  return { ...ledger, reserved: combine(ledger.reserved, cap, 1) };
}

/** Ends a reservation. What nobody told is not charged: it is counted as untold, and said wherever amounts are shown. */
export function settle(ledger: Ledger, cap: Budget, used: Budget): Ledger {
  const { attempts = 1 } = cap;
  const told = { attempts, ...used };
  const untold: { [measure in Measure]?: number } = {};
  for (const measure of MEASURES) if (told[measure] === undefined) untold[measure] = attempts;
  return {
    spent: combine(ledger.spent, told, 1),
    reserved: combine(ledger.reserved, cap, -1),
    untold: combine(ledger.untold, untold, 1),
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
