// proves: U16
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { systemClock } from "../../src/engines/system.ts";

const HOUR = 3_600_000;

/** A machine whose clocks and timers move only when they are told to. */
function machine() {
  let wall = 1_000_000;
  let steady = 5;
  mock.timers.enable({ apis: ["setTimeout"] });
  return {
    clock: systemClock({ wall: () => wall, steady: () => steady }),
    /** Time goes by on all clocks. */
    pass: (ms: number): void => {
      for (let left = ms; left > 0; left -= 1000) {
        const part = Math.min(left, 1000);
        wall += part;
        steady += part;
        mock.timers.tick(part);
      }
    },
    /** The wall clock is set, or the machine sleeps: timers and the steady clock stand still. */
    jump: (ms: number): void => {
      wall += ms;
    },
    now: () => wall,
  };
}

test.afterEach(() => mock.timers.reset());

test("calls back at the time, once, and not when cancelled", () => {
  const { clock, pass, now } = machine();
  const called: number[] = [];
  clock.at(now() + 40_000, () => called.push(1));
  clock.at(now() - 40_000, () => called.push(0));
  clock.at(now() + 20_000, () => called.push(2))();
  assert.deepEqual(called, [], "never at once");
  mock.timers.tick(1);
  assert.deepEqual(called, [0]);
  pass(39_999);
  assert.deepEqual(called, [0]);
  pass(1);
  assert.deepEqual(called, [0, 1]);
  pass(HOUR);
  assert.deepEqual(called, [0, 1]);
});

test("a wait of months does not overflow", () => {
  const { clock, pass, jump, now } = machine();
  let called = 0;
  clock.at(now() + 2000 * HOUR, () => (called += 1));
  pass(60_000);
  assert.equal(called, 0);
  jump(2000 * HOUR);
  pass(15_000);
  assert.equal(called, 1);
});

test("after sleep, or a wall clock put forward, it comes within a quarter of a minute", () => {
  const { clock, pass, jump, now } = machine();
  let called = 0;
  clock.at(now() + HOUR, () => (called += 1));
  pass(60_000);
  jump(2 * HOUR);
  pass(15_000);
  assert.equal(called, 1);
});

test("a wall clock put back delays it by a second, never loses it", () => {
  const { clock, pass, jump, now } = machine();
  let called = 0;
  clock.at(now() + 60_000, () => (called += 1));
  pass(30_000);
  jump(-5 * HOUR);
  pass(30_000);
  assert.equal(called, 0);
  pass(1000);
  assert.equal(called, 1);
  pass(6 * HOUR);
  assert.equal(called, 1);
});

test("the real clock does what it says", async () => {
  const clock = systemClock();
  const due = clock.now() + 30;
  await new Promise<void>((resolve) => clock.at(due, resolve));
  assert.ok(clock.now() >= due);
});
