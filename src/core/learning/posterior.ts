/**
 * The chance that a move works, given a prior and the counted outcomes. The prior weighs as much as four outcomes, so a
 * few cases change little. Invariant: whatever the counts, the odds stay between a quarter and four times those of the
 * prior, so no history, however long, wrong or forged, rules a move in or out.
 */
import { oddsOf, shifted } from "../odds.ts";
import { cellOf, type LearnedCounts } from "./counts.ts";

const PRIOR_WEIGHT = 4;
/** What is counted moves odds by no more than this, up or down. */
export const MOST_ODDS = 4;

export function posterior(prior: number, counts: LearnedCounts, key: string): number {
  const before = shifted(Number.isFinite(prior) ? prior : 0.5, 1);
  const { won, lost } = cellOf(counts, key);
  if (!(won >= 0 && lost >= 0 && won + lost > 0 && Number.isFinite(won + lost))) return before;
  const after = (PRIOR_WEIGHT * before + won) / (PRIOR_WEIGHT + won + lost);
  const factor = oddsOf(after) / oddsOf(before);
  return shifted(before, withinOdds(factor));
}

export const withinOdds = (factor: number): number =>
  Math.min(MOST_ODDS, Math.max(1 / MOST_ODDS, factor));
