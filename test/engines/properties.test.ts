// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Command } from "../../src/core/run/command.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import type { OwnedRun } from "../../src/runtime/ports.ts";
import {
  attemptOverloaded,
  goodAnswer,
  POLICY,
  runStarted,
  scriptedPlan,
  serially,
} from "./contract/script.ts";
import { embeddedStore, eventually, manualClock } from "./embedded-store.ts";
import type { EmbeddedProcess, EmbeddedStore } from "./embedded-store.ts";

/** Which open command is answered, whether well, from where, how often. */
const anyAnswer = fc.record({
  kind: fc.constant("answer" as const),
  which: fc.nat(20),
  well: fc.boolean(),
  elsewhere: fc.boolean(),
  twice: fc.boolean(),
});
const anyStep = fc.oneof(
  { weight: 8, arbitrary: anyAnswer },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("kill" as const, "release" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.nat(30_000) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

interface Played {
  readonly acknowledged: readonly RunInput[];
  readonly performed: ReadonlySet<string>;
}

async function play(store: EmbeddedStore, steps: readonly Step[]): Promise<Played> {
  const clock = manualClock(1_000_000);
  const poster = await store.start();
  const acknowledged: RunInput[] = [];
  const performed = new Set<string>();
  let open: Command[] = [];
  let owner: EmbeddedProcess | undefined;
  let owned: OwnedRun | undefined;
  const own = async (): Promise<void> => {
    open = [];
    owner = await store.start({ clock, snapshotSize: 2000 });
    owned = await owner.engine.own("r", POLICY, (command) => {
      performed.add(command.id);
      open.push(command);
    });
  };
  await poster.engine.deliver("r", runStarted("r", scriptedPlan(["a", "b", "c"], "beside"), 1000));
  await own();
  for (const step of steps) {
    if (step.kind === "time") clock.set(clock.now() + step.ms);
    else if (step.kind === "answer") {
      const command = open[step.which % Math.max(1, open.length)];
      if (command === undefined) continue;
      const input =
        command.kind === "start" && !step.well
          ? attemptOverloaded(command, clock.now())
          : goodAnswer(command, clock.now());
      if (input === undefined) continue;
      const { engine } = step.elsewhere || owner === undefined ? poster : owner;
      const deliveries = [engine.deliver("r", input)];
      if (step.twice) deliveries.push(engine.deliver("r", input));
      for (const delivery of await Promise.all(deliveries))
        if (delivery.recorded) acknowledged.push(input);
    } else {
      if (step.kind === "kill") await owner?.kill();
      else await owned?.release();
      await own();
    }
  }
  await eventually(async () => (await poster.journal.posted("r", 0, 1)).length === 0);
  await owned?.release();
  assert.deepEqual(owner?.problems, []);
  return { acknowledged, performed };
}

test("any order of answers, duplicates, kills, releases and time: one serial history, nothing lost or twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30 }), async (steps) => {
      const store = await embeddedStore();
      try {
        const { acknowledged, performed } = await play(store, steps);
        const { engine } = await store.start();
        const events = (await engine.read("r", 1, 10_000)).map(({ event }) => event);
        const inputs = events.flatMap((event) => (event.kind === "received" ? [event.input] : []));
        assert.deepEqual(serially(inputs, POLICY).events, events);
        const texts = inputs.map((input) => JSON.stringify(input));
        assert.equal(new Set(texts).size, texts.length, "no input twice");
        for (const input of acknowledged) assert.ok(texts.includes(JSON.stringify(input)));
        for (const event of events)
          if (event.kind === "attempt-dispatched")
            assert.ok(performed.has(`r/${event.subtask}/${event.attempt}`));
      } finally {
        await store.close();
      }
    }),
    { numRuns: 25 },
  );
});
