/**
 * Moves on the model ladder (A5): one rank up, the top of it, another entry of the same tier. Invariants: order is
 * the user's; disabled entries are never returned.
 */
import type { ModelEntry } from "./plan.ts";

type Ladder = readonly ModelEntry[];

const sameEntry = (a: ModelEntry, b: ModelEntry): boolean =>
  a.agent === b.agent && a.model === b.model;

const enabled = (ladder: Ladder): ModelEntry[] => ladder.filter((entry) => entry.disabled !== true);

/** The first entry of at least the planned tier, else the strongest there is. */
export function entryForTier(ladder: Ladder, tier: number): ModelEntry | undefined {
  const entries = enabled(ladder);
  return entries.find((entry) => entry.tier >= tier) ?? topEntry(entries);
}

/** One rank up; nothing at the top; an unknown entry continues at the first that is not weaker. */
export function rankUp(ladder: Ladder, current: ModelEntry): ModelEntry | undefined {
  const position = ladder.findIndex((entry) => sameEntry(entry, current));
  if (position < 0) return enabled(ladder).find((entry) => entry.tier >= current.tier);
  return enabled(ladder.slice(position + 1))[0];
}

/** The first entry of the next higher tier that exists. */
export function tierUp(ladder: Ladder, current: ModelEntry): ModelEntry | undefined {
  const higher = enabled(ladder).filter((entry) => entry.tier > current.tier);
  const next = Math.min(...higher.map((entry) => entry.tier));
  return higher.find((entry) => entry.tier === next);
}

/** The last entry of the highest tier: where extended thinking and a larger budget are used. */
export function topEntry(ladder: Ladder): ModelEntry | undefined {
  const entries = enabled(ladder);
  const top = Math.max(...entries.map((entry) => entry.tier));
  return entries.findLast((entry) => entry.tier === top);
}

/** Another agent or model of the same tier that was not used yet. */
export function sidegradeOf(
  ladder: Ladder,
  current: ModelEntry,
  used: readonly ModelEntry[],
): ModelEntry | undefined {
  return enabled(ladder).find(
    (entry) =>
      entry.tier === current.tier &&
      !sameEntry(entry, current) &&
      !used.some((other) => sameEntry(entry, other)),
  );
}
