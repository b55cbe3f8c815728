/**
 * An exact belief about the hidden state of a small world: the probability of each cause, with a clean and with a
 * polluted tree, together with everything seen. Invariant: shares are never normalised, so their sum is the probability
 * of getting this far.
 */
import { ROOT_CAUSES } from "../../core/adaptive/causes.ts";
import { chanceOf, MOVES, symptomShares } from "../world/world.ts";
import type { Move, Symptom, World } from "../world/world.ts";
import { startOfMove } from "./options.ts";
import type { MoveAt } from "./oracle.ts";

/** Each cause with a clean tree, then each with a spoiled one. */
export type Shares = readonly number[];

const CAUSES = ROOT_CAUSES.length;

export class HiddenBelief {
  /** How likely each hidden state is to show a symptom. */
  readonly looks: ReadonlyMap<Symptom, Shares>;
  private readonly world: World;
  /** By move and tier: its chance in each hidden state, in a new session. */
  private readonly chances: Readonly<Record<Move, readonly Shares[]>>;

  constructor(world: World) {
    this.world = world;
    const { shows, factor } = world.pollution;
    const spoiled = symptomShares(world, "pollution");
    const clean = ROOT_CAUSES.map((cause) => symptomShares(world, cause));
    this.looks = new Map(
      (Object.keys(clean[0] ?? {}) as Symptom[]).map((symptom) => {
        const own = clean.map((row) => row[symptom] ?? 0);
        const hidden = shows * (spoiled[symptom] ?? 0);
        return [symptom, [...own, ...own.map((share) => hidden + (1 - shows) * share)]];
      }),
    );
    const rows = MOVES.map((move) => [
      move,
      world.tiers.map((_, step) => {
        const own = ROOT_CAUSES.map((cause) => chanceOf(world, cause, move, step));
        const left = startOfMove(move, step).keepsTree ? factor : 1;
        return [...own, ...own.map((chance) => left * chance)];
      }),
    ]);
    this.chances = Object.fromEntries(rows) as Record<Move, readonly Shares[]>;
  }

  /** Once a first attempt has failed, before it is seen how. */
  start(): Shares {
    const { causes, pollution } = this.world;
    const spoils = ROOT_CAUSES.map((cause) => (cause === "transient" ? 0 : pollution.start));
    const shares = ROOT_CAUSES.map((cause) => causes[cause]);
    return [
      ...shares.map((share, at) => share * (1 - (spoils[at] ?? 0))),
      ...shares.map((share, at) => share * (spoils[at] ?? 0)),
    ];
  }

  works(shares: Shares, made: MoveAt, inSession: number): number {
    const chances = this.chancesOf(made);
    let sum = 0;
    for (let at = 0; at < shares.length; at += 1) sum += shares[at]! * chances[at]!;
    return sum * this.worn(made, inSession);
  }

  /** What is left to be believed where it fails. */
  failed(shares: Shares, made: MoveAt, inSession: number): Shares {
    const chances = this.chancesOf(made);
    const worn = this.worn(made, inSession);
    const { keepsSession, keepsTree } = startOfMove(...made);
    const after = shares.map((share, at) => share * (1 - worn * chances[at]!));
    for (const [at, cause] of ROOT_CAUSES.entries()) {
      const spoils = keepsSession && cause !== "transient" ? this.world.pollution.later : 0;
      const [clean, spoiled] = [after[at]!, after[at + CAUSES]!];
      const kept = keepsTree ? 1 : spoils;
      after[at] = clean * (1 - spoils) + spoiled * (1 - kept);
      after[at + CAUSES] = clean * spoils + spoiled * kept;
    }
    return after;
  }

  /** Failed attempts in the session that the next move would keep. */
  inSession(move: Move, before: number): number {
    return (startOfMove(move, 0).keepsSession ? before : 0) + 1;
  }

  private chancesOf([move, step]: MoveAt): Shares {
    return this.chances[move][step] ?? [];
  }

  private worn([move]: MoveAt, inSession: number): number {
    return startOfMove(move, 0).keepsSession ? this.world.decay ** inSession : 1;
  }
}
