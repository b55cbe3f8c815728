/** Virtual time and chance: what the simulated world stands on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chanceOf } from "./world/chance.ts";
import { virtualTime, type VirtualTime } from "./world/virtual-time.ts";

const HOUR = 3_600_000;

function runAll(time: VirtualTime): void {
  while (time.step());
}

test("tasks run in the order of their times, and time stands still between them", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.nat(), (delays, seed) => {
      const time = virtualTime(chanceOf(seed));
      const ran: number[] = [];
      for (const delay of delays) time.after(delay, () => ran.push(time.now()));
      runAll(time);
      assert.deepEqual(
        ran,
        delays.toSorted((a, b) => a - b),
      );
    }),
  );
});

test("a cancelled task does not run", () => {
  const time = virtualTime(chanceOf(1));
  const cancel = time.after(5, () => assert.fail("ran"));
  time.after(5, () => undefined);
  cancel();
  runAll(time);
  assert.equal(time.now(), 5);
});

test("alarms ring once and never before their time, whatever the wall clock does", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.record({ at: fc.nat(4 * HOUR), by: fc.integer({ min: -HOUR, max: HOUR }) })),
      fc.array(fc.nat(3 * HOUR), { minLength: 1 }),
      (seed, jumps, waits) => {
        const time = virtualTime(chanceOf(seed));
        const clock = time.clock();
        const setBack = jumps.some(({ by }) => by < 0);
        for (const { at, by } of jumps) time.after(at, () => time.jump(by));
        let rung = 0;
        for (const wait of waits) {
          const due = clock.now() + wait;
          clock.at(due, () => {
            rung += 1;
            if (!setBack) assert.ok(clock.now() >= due, `${due - clock.now()} ms early`);
          });
        }
        runAll(time);
        assert.equal(rung, waits.length);
      },
    ),
  );
});

test("after a jump forward an overdue alarm rings within seconds, after one back it keeps the time left", () => {
  const time = virtualTime(chanceOf(7));
  const clock = time.clock();
  const rung: Record<string, number> = {};
  clock.at(clock.now() + 2 * HOUR, () => (rung["forward"] = time.now()));
  time.after(1000, () => time.jump(3 * HOUR));
  runAll(time);
  assert.ok((rung["forward"] ?? Infinity) <= 1000 + 15_000);
  const begun = time.now();
  clock.at(clock.now() + HOUR, () => (rung["back"] = time.now()));
  time.after(1000, () => time.jump(-5 * HOUR));
  runAll(time);
  assert.equal(rung["back"], begun + HOUR + 1000);
});

test("chance: the same seed draws the same, forks do not disturb each other, draws are even", () => {
  const draw = (seed: number): number[] => {
    const drawing = chanceOf(seed);
    return Array.from({ length: 20 }, () => drawing.next());
  };
  assert.deepEqual(draw(5), draw(5));
  assert.notDeepEqual(draw(5), draw(6));
  const parent = chanceOf(5);
  const before = parent.fork("a").next();
  parent.next();
  parent.fork("b").next();
  assert.equal(parent.fork("a").next(), before);
  const chance = chanceOf(9);
  const heads = Array.from({ length: 10_000 }, () => chance.happens(0.25)).filter(Boolean).length;
  assert.ok(Math.abs(heads - 2500) < 200, `${heads} of 10000`);
  const drawn = Array.from({ length: 2000 }, () => chance.between(3, 5));
  assert.deepEqual([...new Set(drawn)].sort(), [3, 4, 5]);
  assert.equal(chance.weighted({ never: 0, always: 1 }), "always");
});
