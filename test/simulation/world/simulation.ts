/**
 * Runs one seed from its start to the end of its run, and gives back the whole history. Invariant: the same seed,
 * policy and sabotage give the same history.
 */
import { freeze } from "../../../src/engines/restored.ts";
import type { PresetName } from "../../../src/core/policy/presets.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import { openCheckpoint } from "../../../src/core/run/decide/staleness.ts";
import { indexOf, OWN_TREE, subtaskAt, type RunState } from "../../../src/core/run/state.ts";
import { readInput } from "../../../src/journal/event-text.ts";
import { ROW_VERSION } from "../../../src/journal/row-text.ts";
import { chanceOf } from "./chance.ts";
import type { Ending, Happened, Happening, History } from "./history.ts";
import { mishaps } from "./mishaps.ts";
import { ownership, type Ownership } from "./ownership.ts";
import { simulatedPerson, type Person } from "./person.ts";
import type { Sabotage } from "./sabotage.ts";
import { scenarioOf, type Scenario } from "./scenario.ts";
import { watchedStorage, type WatchedStorage } from "./storage.ts";
import type { MakeEngine } from "./surroundings.ts";
import { MENDED } from "./tree.ts";
import { virtualTime, type VirtualTime } from "./virtual-time.ts";
import { makeAnew } from "./workspace.ts";
import { makeWorld, RUN } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly makeEngine: MakeEngine;
  /** Instead of one that the seed draws. */
  readonly policy?: PresetName | "adaptive";
  readonly sabotage?: Sabotage;
  /** Changes what the seed drew. */
  readonly scenario?: (drawn: Scenario) => Scenario;
}

/** Who makes a tree anew to work in it by hand. */
const PERSON = "a person";

/** More tasks than the busiest run needs; what is above it is a circle. */
const STEPS_MAX = 40_000;
const STEPS_AFTER = 300;
const STEPS_BETWEEN_LOOKS = 40;

export async function simulate(options: SimulationOptions): Promise<History> {
  const chance = chanceOf(options.seed);
  const time = virtualTime(chance.fork("time"));
  const drawn = scenarioOf(chance.fork("scenario"), options.policy);
  const scenario = options.scenario?.(drawn) ?? drawn;
  const happened: Happened[] = [];
  const record = (happening: Happening): void =>
    void happened.push({ ...happening, at: time.now(), wall: time.wall() });
  const storage: WatchedStorage = watchedStorage({
    ...{ time, record, chance: chance.fork("storage") },
    writeFaultRate: scenario.faults.writeFaultRate,
    isDead: (owner) => owners.isDead(owner),
    onEvent: (event) => {
      if (event.kind === "checkpoint-opened") person.asked(event.checkpoint);
    },
  });
  const { makeEngine, sabotage = {} } = options;
  const parts = { chance: chance.fork("world"), time, scenario, storage, record };
  const world = makeWorld({ ...parts, makeEngine, sabotage });
  const owners: Ownership = ownership({
    ...{ time, record, faults: scenario.faults, chance: chance.fork("owners") },
    surroundings: () => world,
  });
  const terminal = (name: string) => {
    const process = owners.process(name, 0.02);
    return { process, engine: world.engineOf(process, () => undefined) };
  };
  const person: Person = simulatedPerson({
    ...{ run: RUN, time, record, terminal, chance: chance.fork("person") },
    owner: () => owners.living().find((owner) => owner.state() !== undefined),
    workByHand(subtask, text) {
      const slot = slotOf(storage.state(), subtask);
      if (slot === undefined) return;
      makeAnew({ repository: world.repository, record }, slot, PERSON);
      world.repository.write(slot, `${subtask}.work`, text);
      world.repository.write(slot, MENDED, "yes");
    },
    state: () => storage.state(),
    isOpen: (id) => openCheckpoint(storage.state(), id) !== undefined,
  });
  mishaps({
    ...{ time, storage, owners, person, record, terminal, faults: scenario.faults, run: RUN },
    chance: chance.fork("mishaps"),
    events: () => happened.flatMap((one) => (one.kind === "committed" ? [one.event] : [])),
  });
  owners.launch();
  const ending = await play(time, owners, () => look(owners, storage, record));
  record({ kind: "inbox-left", inputs: inboxOf(storage) });
  return { run: RUN, plan: scenario.plan, happened, ending };
}

async function play(time: VirtualTime, owners: Ownership, look: () => void): Promise<Ending> {
  for (let steps = 1; steps <= STEPS_MAX; steps += 1) {
    await settled(time);
    if (owners.isOver()) break;
    if (steps % STEPS_BETWEEN_LOOKS === 0) look();
    if (!time.step()) return { kind: "stalled" };
  }
  if (!owners.isOver()) return { kind: "endless" };
  for (let steps = 0; steps < STEPS_AFTER; steps += 1) {
    await settled(time);
    if (!time.step()) break;
  }
  return { kind: "ended" };
}

/** Production code goes on by promises and `setImmediate`: nothing new was asked for in two turns means it waits. */
async function settled(time: VirtualTime): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const before = time.planned();
    await new Promise((resolve) => setImmediate(resolve));
    quiet = time.planned() === before ? quiet + 1 : 0;
  }
}

/** What the owner believes, at a moment when it waits for nothing. */
function look(
  owners: Ownership,
  { store, isDead }: WatchedStorage,
  record: (happening: Happening) => void,
): void {
  const row = store.run(RUN);
  for (const { process, state } of owners.living()) {
    const live = state();
    if (live === undefined || process.busy() || row?.owner?.pid !== process.pid) continue;
    if (isDead(row.owner)) continue;
    record({ kind: "state-seen", seq: row.events.length, frozen: JSON.stringify(freeze(live)) });
  }
}

function slotOf(state: RunState, subtask: string): string | undefined {
  const index = indexOf(state, subtask);
  return index === undefined ? undefined : subtaskAt(state, index).slots[OWN_TREE];
}

const inboxOf = ({ store }: WatchedStorage): readonly RunInput[] =>
  (store.run(RUN)?.inbox ?? []).map(({ id, text }) =>
    readInput(ROW_VERSION, text, `Input ${id} of the inbox`),
  );
