/**
 * Budgets: amounts spent, amounts reserved for running attempts, and whether another attempt still fits. Invariants: a
 * reservation granted by `fit` keeps spent plus reserved within the limit in every measure; unreported use is counted
 * as unreported and never as spent.
 */

export const MEASURES = ["usd", "tokens", "timeMs", "attempts"] as const;
export type Measure = (typeof MEASURES)[number];

/** Limits or amounts. An absent measure is unlimited or unknown. */
export type Budget = { readonly [measure in Measure]?: number };

export interface Ledger {
  /** Amounts that attempts reported; the full consumption only if nothing is unreported. */
  readonly spent: Budget;
  readonly reserved: Budget;
  /** For each measure, how many ended attempts did not report their use. */
  readonly untold: Budget;
}

export const EMPTY_LEDGER: Ledger = { spent: {}, reserved: {}, untold: {} };

/** A budget that cannot be enforced for some of a run's agents, because they do not report that measure. */
export interface UnenforcedBudget {
  readonly measure: Measure;
  readonly agents: readonly string[];
  /**
   * The limits that cannot be enforced: of the run, of recovery, and the number of subtasks with a limit of their own.
   */
  readonly limits: {
    readonly run?: number;
    readonly recovery?: number;
    readonly subtasks?: number;
  };
  /** Limits of the run that can be enforced for them. */
  readonly holding: Budget;
  /** The defaults that bound them if the plan sets no other limit. */
  readonly otherwise?: {
    readonly attempts: number;
    readonly iterations: number;
    readonly attemptMs?: number;
  };
}

/** An attempt that would get less than this share of its cap is not worth starting. */
const LEAST_SHARE = 0.25;

/** How attempts share a budget. */
export interface Sharing {
  /** The maximum number of concurrent attempts. */
  readonly places: number;
  /** How many attempts can start now, including this one. */
  readonly starting: number;
  /** A larger share of money and tokens, at the top of the ladder. */
  readonly factor?: number;
}

type Fit =
  { readonly ok: true; readonly cap: Budget } | { readonly ok: false; readonly measure: Measure };

/**
 * The cap of one more attempt, reduced to what is left, or the measure that is used up. If the plan sets no cap, half
 * of the budget is divided by the number of places, so that a budget never makes a run serial. Near the end, the rest
 * is divided evenly among the attempts that can start now, down to a quarter of that share.
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

/** The first concurrent attempts share half of the budget; the other half is kept for recovery and later attempts. */
function shareOf(measure: Measure, most: number, { places, factor = 1 }: Sharing): number {
  const larger = measure === "usd" || measure === "tokens" ? factor : 1;
  return Math.min(most, (larger * most) / (2 * places));
}

/** The largest cap that satisfies all of these. */
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

/**
 * Ends a reservation. Unreported use is not charged: it is counted as unreported and marked wherever amounts are shown.
 */
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

/** The measures that have reached this share of their limit; used to warn before the budget stops the run. */
export function measuresAt(limit: Budget, ledger: Ledger, share: number): readonly Measure[] {
  return MEASURES.filter((measure) => {
    const most = limit[measure];
    return most !== undefined && (ledger.spent[measure] ?? 0) >= most * share;
  });
}

/** Adds a top-up. Measures without a limit stay unlimited. */
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
