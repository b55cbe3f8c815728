/**
 * The processes of attempts on the simulated machine: agents and checks, alive or dead, whoever started them.
 * Imports the simulated process. Invariants: the death of an owner ends nothing at once: its guards do, some time later, unless
 * they were killed too; proof of death ends whatever is left.
 */
import type { Chance } from "./chance.ts";
import type { SimulatedProcess } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Living {
  readonly attemptId: string;
  readonly cwd: string;
  /** False while it is held back and nothing of the agent runs. */
  readonly working: () => boolean;
  end(how: "guard" | "proven-dead"): void;
}

export interface Machine {
  add(living: Living, owner: SimulatedProcess): void;
  remove(living: Living): void;
  /** Attempts with something at work in this folder. */
  workingIn(cwd: string): readonly string[];
  working(): readonly string[];
  /** Ends everything of an attempt. */
  kill(attemptId: string): void;
}

export interface MachineOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  /** How often a guard dies with its owner and leaves the rest running. */
  readonly guardLossRate: number;
}

const GUARD_MS_MAX = 8000;

export function machine({ time, chance, guardLossRate }: MachineOptions): Machine {
  const all = new Set<Living>();
  const working = (): Living[] => [...all].filter((living) => living.working());
  return {
    add(living, owner) {
      all.add(living);
      owner.onDeath(() => {
        if (!all.has(living) || chance.happens(guardLossRate)) return;
        time.after(chance.between(0, GUARD_MS_MAX), () => {
          if (all.delete(living)) living.end("guard");
        });
      });
    },
    remove: (living) => void all.delete(living),
    workingIn: (cwd) =>
      working().flatMap((living) => (living.cwd === cwd ? [living.attemptId] : [])),
    working: () => working().map(({ attemptId }) => attemptId),
    kill(attemptId) {
      for (const living of [...all])
        if (living.attemptId === attemptId && all.delete(living)) living.end("proven-dead");
    },
  };
}
