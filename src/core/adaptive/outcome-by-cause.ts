/**
 * How the outcome of a move will be counted for each cause: the probability of that cause once the outcome is known.
 * Recorded with the choice, so learning recomputes nothing. A failure says little about a move that had little chance
 * for another reason, such as a worn-out session or a spoiled tree.
 */
import type { JointBelief } from "./belief.ts";
import { successOf, wearOf, type Ground } from "./believed.ts";
import { ROOT_CAUSES, type RootCause } from "./causes.ts";
import type { Move, Tables } from "./tables.ts";

/** Parts of one case; a cause that has next to nothing of it is left out. */
type Parts = Readonly<Partial<Record<RootCause, number>>>;

export interface OutcomeByCause {
  readonly worked: Parts;
  readonly failed: Parts;
}

const LEAST = 0.001;

export function outcomeByCause(
  move: Move,
  ground: Ground,
  { clean, spoiled }: JointBelief,
  tables: Tables,
): OutcomeByCause {
  const { chance, onSpoiled } = successOf(move, ground, tables);
  const wear = wearOf(move, ground, tables);
  const within = (cause: RootCause): number => clean[cause] + onSpoiled * spoiled[cause];
  const works = ROOT_CAUSES.reduce((sum, cause) => sum + within(cause) * chance[cause], 0);
  return {
    worked: parts((cause) => (within(cause) * chance[cause]) / works),
    failed: parts((cause) => (within(cause) * (wear - chance[cause])) / (1 - works)),
  };
}

function parts(of: (cause: RootCause) => number): Parts {
  const all = ROOT_CAUSES.map((cause) => [cause, Math.round(of(cause) * 1000) / 1000] as const);
  return Object.fromEntries(all.filter(([, part]) => part >= LEAST));
}
