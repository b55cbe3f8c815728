/**
 * What goes wrong around a run, at times the seed decides: clocks, disks, duplicates, second owners, people who
 * pause and cancel it. The deaths of processes are elsewhere.
 */
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { Ownership } from "./ownership.ts";
import type { Person, Terminal } from "./person.ts";
import type { Faults } from "./scenario.ts";
import type { WatchedStorage } from "./storage.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface MishapOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly faults: Faults;
  readonly storage: WatchedStorage;
  readonly owners: Ownership;
  readonly person: Person;
  readonly record: (happening: Happening) => void;
  readonly terminal: (name: string) => Terminal;
  /** What is recorded so far. */
  readonly events: () => readonly RunEvent[];
  readonly run: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function mishaps(options: MishapOptions): void {
  const { time, chance, faults, storage, owners, person, record } = options;
  const atSomeTime = (withinMs: number, act: () => void): void =>
    void time.after(chance.between(0, withinMs), () => {
      if (!owners.isOver()) act();
    });
  for (let index = 0; index < faults.clockJumps; index += 1)
    atSomeTime(6 * HOUR, () => {
      const ms = chance.pick([-6 * HOUR, -HOUR, -5000, 5000, HOUR, 9 * HOUR]);
      record({ kind: "clock-jumped", ms });
      time.jump(ms);
    });
  for (let index = 0; index < faults.diskFullPeriods; index += 1)
    atSomeTime(3 * HOUR, () => storage.fill(chance.between(1, 10 * MINUTE)));
  for (let index = 0; index < faults.duplicates; index += 1)
    atSomeTime(4 * HOUR, () => repeatInput(options, index));
  if (faults.cancelled) atSomeTime(2 * HOUR, () => person.cancel());
  for (let index = 0; index < faults.pauses; index += 1) atSomeTime(2 * HOUR, () => person.pause());
  if (faults.pauses > 0) resumeAgain(options);
  if (chance.happens(0.2)) atSomeTime(HOUR, () => owners.launch());
  if (faults.usurper)
    atSomeTime(HOUR, () => {
      owners.imagineDeath();
      owners.launch();
    });
}

/** Whoever paused it, somebody goes on with it sooner or later. */
function resumeAgain(options: MishapOptions): void {
  const { time, chance, owners, person, storage } = options;
  time.after(chance.between(1, 90) * MINUTE, () => {
    if (owners.isOver()) return;
    if (storage.state().paused !== undefined) person.resume();
    resumeAgain(options);
  });
}

/** An input that was recorded once is posted again: late, and stale. */
function repeatInput({ chance, events, terminal, run }: MishapOptions, index: number): void {
  const received = events().flatMap((event) => (event.kind === "received" ? [event.input] : []));
  if (received.length === 0) return;
  const { engine, process } = terminal(`repeater-${index}`);
  const over = (): void => process.die("has said it");
  engine.deliver(run, chance.pick(received)).then(over, over);
}
