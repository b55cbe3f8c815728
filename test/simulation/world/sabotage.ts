/**
 * Where a planted bug can be put in: wrappers around what the production code is given. Nothing outside of
 * src/testing knows of them.
 */
import type { Journal } from "../../../src/journal/journal.ts";
import type { Clock, Engine, Ports } from "../../../src/runtime/ports.ts";
import type { Chance } from "./chance.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Repository } from "./repository.ts";

/** What a wrapper may look at. */
export interface Inside {
  readonly process: SimulatedProcess;
  readonly chance: Chance;
}

export interface Sabotage {
  readonly repository?: (repository: Repository) => Repository;
  readonly journal?: (journal: Journal, inside: Inside) => Journal;
  readonly clock?: (clock: Clock, inside: Inside) => Clock;
  /** Also where commands (`own`'s `perform`) and the policy can be changed. */
  readonly engine?: (engine: Engine, inside: Inside) => Engine;
  readonly ports?: (ports: Ports, inside: Inside) => Ports;
}
