/**
 * A process of the simulated world: what it asks for outside of itself takes time, and it may die at any moment.
 * Invariants: after its death nothing it asks for happens and nothing is answered; what was under way when it died
 * has happened or has not, and nobody was told.
 */
import type { Clock, Random } from "../../../src/runtime/ports.ts";
import type { Chance } from "./chance.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface SimulatedProcess {
  readonly name: string;
  readonly pid: number;
  readonly alive: () => boolean;
  /** It waits for the answer of an effect. */
  readonly busy: () => boolean;
  /** An effect outside: `apply` happens at one moment, its answer arrives at a later one. */
  effect<T>(what: string, apply: () => T): Promise<T>;
  /** Wraps a call into the process, such as a listener: nothing is called after its death. */
  inside<A extends readonly unknown[]>(call: (...args: A) => void): (...args: A) => void;
  /** A named moment: it may be the last one. */
  point(name: string): void;
  readonly clock: Clock;
  readonly random: Random;
  die(where: string): void;
  onDeath(act: (where: string) => void): void;
}

export interface ProcessOptions {
  readonly name: string;
  readonly pid: number;
  readonly time: VirtualTime;
  readonly chance: Chance;
  /** Decides whether the process dies at this point. */
  readonly isFatal: (point: string) => boolean;
}

export function simulatedProcess(options: ProcessOptions): SimulatedProcess {
  const { name, pid, time, chance } = options;
  const underWay = new Set<() => void>();
  const mourners: ((where: string) => void)[] = [];
  const clock = time.clock();
  let alive = true;
  let unanswered = 0;

  const die = (where: string): void => {
    if (!alive) return;
    alive = false;
    for (const settle of underWay) settle();
    underWay.clear();
    for (const mourn of mourners) mourn(where);
  };
  const point = (at: string): void => {
    if (alive && options.isFatal(at)) die(at);
  };
  const inside =
    <A extends readonly unknown[]>(call: (...args: A) => void) =>
    (...args: A): void => {
      if (alive) call(...args);
    };
  const process: SimulatedProcess = {
    name,
    pid,
    alive: () => alive,
    busy: () => unanswered > 0,
    effect<T>(what: string, apply: () => T): Promise<T> {
      point(`${what}: asked`);
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      if (!alive) return promise;
      unanswered += 1;
      const act = (): (() => void) => {
        try {
          const value = apply();
          return () => resolve(value);
        } catch (error) {
          return () => reject(error);
        }
      };
      const atDeath = (): void => {
        cancel();
        if (chance.happens(0.5)) act();
      };
      const cancel = time.after(latency(chance), () => {
        underWay.delete(atDeath);
        const answer = act();
        time.after(latency(chance), () => {
          point(`${what}: done`);
          if (!alive) return;
          unanswered -= 1;
          answer();
        });
      });
      underWay.add(atDeath);
      return promise;
    },
    inside,
    point,
    clock: {
      now: () => time.wall(),
      at: (when, call) => (alive ? clock.at(when, inside(call)) : () => undefined),
    },
    random: () => (alive ? chance.next() : 0),
    die,
    onDeath: (act) => void mourners.push(act),
  };
  return process;
}

/** Mostly a moment, now and then long enough for anything else to come in between. */
function latency(chance: Chance): number {
  const drawn = chance.next();
  if (drawn < 0.3) return 0;
  if (drawn < 0.95) return chance.between(1, 40);
  return chance.between(100, 5000);
}
