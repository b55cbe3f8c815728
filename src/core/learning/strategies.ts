/**
 * Ranks the strategies of a repair chain by their outcomes. The chain's own order is the starting point: a later
 * strategy overtakes an earlier one only if outcomes favour it and it ends up the likelier of the two. Invariant:
 * nothing is added or left out, and without outcomes nothing moves.
 */
import type { FailureKind } from "../kinds.ts";
import { oddsOf } from "../odds.ts";
import { cellName, type LearnedCounts } from "./counts.ts";
import { posterior } from "./posterior.ts";

interface Tally {
  readonly won: number;
  readonly lost: number;
}

/** By the strategy's name. */
export type StrategyCounts = Readonly<Record<string, Tally>>;

/** Of one kind of failure, whichever agent carried them out. */
export function strategyCounts(
  counts: LearnedCounts | undefined,
  kind: FailureKind,
): StrategyCounts | undefined {
  const prefix = `${kind}|repair/`;
  const tallies = new Map<string, Tally>();
  for (const [key, { won, lost }] of Object.entries(counts?.cells ?? {})) {
    if (!key.startsWith(prefix)) continue;
    const [, strategy = ""] = cellName(key)?.move.split("/") ?? [];
    const known = tallies.get(strategy) ?? { won: 0, lost: 0 };
    tallies.set(strategy, { won: known.won + won, lost: known.lost + lost });
  }
  return tallies.size === 0 ? undefined : Object.fromEntries(tallies);
}

/** A printed confidence of 1 could never be learned away. */
const SUREST = 0.9;
/** Less than that is how numbers are rounded. */
const NOISE = 1 + 1e-9;

interface Strategy {
  readonly strategy: string;
  readonly confidence: number;
}

export function byOutcomes<T extends Strategy>(
  strategies: readonly T[],
  known: StrategyCounts = {},
): readonly T[] {
  if (!strategies.some(({ strategy }) => Object.hasOwn(known, strategy))) return strategies;
  const counts: LearnedCounts = { version: 1, cells: known };
  const ranked = strategies.map((one) => {
    const prior = Math.min(one.confidence, SUREST);
    const chance = posterior(prior, counts, one.strategy);
    return { one, chance, shift: oddsOf(chance) / oddsOf(prior) };
  });
  for (let pass = 1; pass < ranked.length; pass += 1)
    for (let place = 1; place < ranked.length; place += 1) {
      const [before, after] = [ranked[place - 1]!, ranked[place]!];
      if (after.chance > before.chance && after.shift > before.shift * NOISE)
        ranked.splice(place - 1, 2, after, before);
    }
  return ranked.map(({ one }) => one);
}

/** `verify_path worked 3 of 4 times`; nothing where it was never tried. */
export function triedWords(strategy: string, known: StrategyCounts = {}): string | undefined {
  const { won, lost } = (Object.hasOwn(known, strategy) ? known[strategy] : undefined) ?? {
    ...{ won: 0, lost: 0 },
  };
  const tried = Math.round(won + lost);
  return tried === 0
    ? undefined
    : `${strategy} worked ${Math.round(won)} of ${tried} ${tried === 1 ? "time" : "times"} before`;
}
