/**
 * Who owns the simulated run: starts owners one after the other, lets them die, and knows who can be proven dead.
 * Invariants: while the run has not ended, somebody will take it up again; a living owner is called dead only
 * where the scenario says that somebody is wrong about it.
 */
import type { OwnerProcess } from "../../../src/journal/owners.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import { startOwner, type Departure, type Owner } from "./owner.ts";
import { simulatedProcess, type SimulatedProcess } from "./process.ts";
import type { Faults } from "./scenario.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface OwnershipOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly faults: Faults;
  readonly record: (happening: Happening) => void;
  readonly surroundings: () => Surroundings;
}

export interface Ownership {
  /** Starts one more owner, whether there is one or not. */
  launch(): void;
  living(): readonly Owner[];
  isDead(owner: OwnerProcess): boolean;
  /** Makes everybody believe that the living owner is dead. */
  imagineDeath(): void;
  /** The run has ended and its owner has left in order. */
  isOver(): boolean;
  process(name: string, deathRate: number): SimulatedProcess;
}

const MINUTE = 60_000;
/** For so long after its death nobody may be sure of it. */
const DOUBT_MS = MINUTE;

export function ownership(options: OwnershipOptions): Ownership {
  const { time, chance, faults, record } = options;
  const owners = new Set<Owner>();
  const provenDead = new Set<number>();
  let pids = 0;
  let deaths = 0;
  let launched = 0;
  let over = false;

  const process = (name: string, deathRate: number): SimulatedProcess => {
    pids += 1;
    const pid = pids;
    const isFatal = (): boolean => {
      if (deaths >= faults.deathsMax || !chance.happens(deathRate)) return false;
      deaths += 1;
      return true;
    };
    const made = simulatedProcess({ name, pid, time, isFatal, chance: chance.fork(name) });
    made.onDeath(() => {
      if (chance.happens(0.8)) provenDead.add(pid);
      else time.after(chance.between(1, DOUBT_MS), () => void provenDead.add(pid));
    });
    return made;
  };
  const gone = (why: Departure): void => {
    if (why === "done") over = true;
    if (over) return;
    const soon = why === "paused" ? chance.between(1, 120) * MINUTE : delay(chance);
    time.after(soon, () => {
      if (!over && owners.size === 0) launch();
    });
  };
  function launch(): void {
    launched += 1;
    const owner = startOwner(
      options.surroundings(),
      process(`owner-${launched}`, faults.deathRate),
      (why) => {
        owners.delete(owner);
        gone(why);
      },
    );
    owners.add(owner);
    if (faults.deathRate > 0 && chance.happens(0.3))
      time.after(chance.between(0, 120 * MINUTE), () => {
        if (deaths < faults.deathsMax && owner.process.alive()) {
          deaths += 1;
          owner.process.die("killed");
        }
      });
  }
  return {
    launch,
    living: () => [...owners],
    isDead: ({ pid }) => provenDead.has(pid),
    imagineDeath() {
      for (const owner of owners) {
        record({ kind: "death-imagined", by: owner.process.name });
        provenDead.add(owner.process.pid);
      }
    },
    isOver: () => over,
    process,
  };
}

const delay = (chance: Chance): number =>
  chance.happens(0.5) ? chance.between(0, 2000) : chance.between(0, 90 * MINUTE);
