/**
 * The processes of attempts on the simulated machine: agents and checks, alive or dead, whoever started them.
 * Invariants: the death of an owner ends nothing at once: its guards do, some time later, unless they were killed
 * too; proof of death ends whatever is left.
 */
import type { ProcessTrace } from "../../../src/runtime/agent-result.ts";
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
  /** Ends everything of an attempt, but for a process that now and then cannot be ended yet. */
  kill(attemptId: string, chance: Chance): readonly ProcessTrace[];
}

export interface MachineOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  /** How often a guard dies with its owner and leaves the rest running. */
  readonly guardLossRate: number;
}

const GUARD_MS_MAX = 8000;
const SURVIVAL_RATE = 0.2;

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
    kill(attemptId, luck) {
      const found = [...all].filter((living) => living.attemptId === attemptId);
      if (found.length > 0 && luck.happens(SURVIVAL_RATE))
        return [{ pid: 1, name: attemptId, why: "still-alive" }];
      for (const living of found) if (all.delete(living)) living.end("proven-dead");
      return [];
    },
  };
}
