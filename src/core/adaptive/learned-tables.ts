/**
 * The tables adjusted by outcomes: how well each move works against each cause in this repository. The tables are the
 * starting point; the counts of all tiers together shift the odds of a move against a cause. Invariants: the odds stay
 * between a quarter and four times those of the tables, whatever was counted; entries without counts stay unchanged.
 */
import { causeKey, cellOf, withinCell, type LearnedCounts } from "../learning/counts.ts";
import { MOST_ODDS } from "../learning/posterior.ts";
import { shifted } from "../odds.ts";
import { perRootCause } from "./belief.ts";
import { chanceAt } from "./believed.ts";
import { ROOT_CAUSES, type RootCause } from "./causes.ts";
import { MOVES, type Move, type Tables } from "./tables.ts";

interface Learned {
  readonly tables: Tables;
  /** Those that anything was counted of. */
  readonly moves: ReadonlySet<Move>;
}

interface Cases {
  readonly usual: number;
  readonly won: number;
  readonly lost: number;
}

/** Counts never change: what was made of them holds as long as they are there. */
const made = new WeakMap<LearnedCounts, { readonly from: Tables; readonly learned: Learned }>();

export function learnedTables(tables: Tables, counts: LearnedCounts): Learned {
  const known = made.get(counts);
  if (known?.from === tables) return known.learned;
  const moves = new Set<Move>();
  const success = Object.fromEntries(
    MOVES.map((move) => [
      move,
      perRootCause((cause) => {
        const cases = casesOf(move, cause, tables, counts);
        if (cases.length === 0) return tables.success[move][cause];
        moves.add(move);
        return shifted(tables.success[move][cause], Math.exp(shiftOf(cases)));
      }),
    ]),
  ) as Tables["success"];
  const learned = { tables: moves.size === 0 ? tables : { ...tables, success }, moves };
  made.set(counts, { from: tables, learned });
  return learned;
}

/** By tiers above the planned one: as many as matter. */
const KEYS = new Map(
  MOVES.flatMap((move) =>
    ROOT_CAUSES.map((cause) => [
      `${move} ${cause}`,
      [0, 1, 2, 3].map((step) => causeKey(cause, move, step)),
    ]),
  ),
);

function casesOf(
  move: Move,
  cause: RootCause,
  tables: Tables,
  counts: LearnedCounts,
): readonly Cases[] {
  const keys = KEYS.get(`${move} ${cause}`) ?? [];
  return keys.flatMap((key, step) => {
    const { won, lost } = withinCell(cellOf(counts, key));
    return won >= 0 && lost >= 0 && won + lost > 0
      ? [{ usual: chanceAt(move, cause, step, tables), won, lost }]
      : [];
  });
}

/** How far repositories differ, in log odds: our estimate. */
const SPREAD = 1;
const STEPS = 8;
const MOST = Math.log(MOST_ODDS);

/** The log odds that are most likely to be added, found step by step; each step goes no further than 1. */
function shiftOf(cases: readonly Cases[]): number {
  let shift = 0;
  for (let step = 0; step < STEPS; step += 1) {
    let slope = -shift / SPREAD ** 2;
    let bend = 1 / SPREAD ** 2;
    for (const { usual, won, lost } of cases) {
      const chance = shifted(usual, Math.exp(shift));
      slope += won - (won + lost) * chance;
      bend += (won + lost) * chance * (1 - chance);
    }
    const next = shift + Math.min(1, Math.max(-1, slope / bend));
    shift = Math.min(MOST, Math.max(-MOST, next));
  }
  return shift;
}
