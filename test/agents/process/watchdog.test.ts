// proves: U3, V35
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { requestStop, beginWatch, tick } from "../../../src/agents/process/watchdog.ts";
import type { Observation, StopStep, WatchState } from "../../../src/agents/process/watchdog.ts";

const MINUTE = 60_000;
const GRACE = [10_000, 5000, 5000] as const;
const start: Observation = {
  monotonicMs: 5000,
  wallMs: 1e12,
  outputBytes: 0,
  cpuMs: 0,
  tree: "t0",
};

/** Plays ticks at the times the machine asks for until it acts or the time is up. */
function play(
  limits: { idleMs?: number; totalMs?: number },
  forMs: number,
  see: (elapsedMs: number) => Partial<Observation> = () => ({}),
): { state: WatchState; steps: { at: number; step: StopStep }[] } {
  let state = beginWatch({ ...limits, graceMs: GRACE }, start);
  const steps: { at: number; step: StopStep }[] = [];
  for (let at = 0; at < forMs;) {
    at += state.nextMs;
    const quiet = { outputBytes: 0, cpuMs: 0, tree: "t0" };
    const seen = { monotonicMs: 5000 + at, wallMs: 1e12 + at, ...quiet, ...see(at) };
    const next = tick(state, seen);
    state = next.state;
    if (next.step !== undefined) steps.push({ at, step: next.step });
  }
  return { state, steps };
}

test("ten silent minutes end the attempt: SIGINT, SIGTERM, SIGKILL, proof, each after its grace", () => {
  const { state, steps } = play({ idleMs: 10 * MINUTE }, 11 * MINUTE);
  assert.deepEqual(
    steps.map(({ step }) => step),
    ["SIGINT", "SIGTERM", "SIGKILL", "prove-dead"],
  );
  const [first, second, third, last] = steps.map(({ at }) => at);
  assert.ok(first! >= 10 * MINUTE && first! < 10 * MINUTE + 15_000, `first at ${first}`);
  assert.deepEqual([second! - first!, third! - second!, last! - third!], [...GRACE]);
  assert.equal(state.stopping?.reason, "idle");
});

test("output, a changing tree or CPU time each keep an attempt alive; a program's idle timers do not", () => {
  const idleMs = 10 * MINUTE;
  const hour = 60 * MINUTE;
  const cases: [name: string, see: (at: number) => Partial<Observation>, ends: boolean][] = [
    ["output every 9 minutes", (at) => ({ outputBytes: Math.floor(at / (9 * MINUTE)) }), false],
    ["output every 11 minutes", (at) => ({ outputBytes: Math.floor(at / (11 * MINUTE)) }), true],
    [
      "tree changes every 9 minutes",
      (at) => ({ tree: `t${Math.floor(at / (9 * MINUTE))}` }),
      false,
    ],
    [
      "tree changes every 11 minutes",
      (at) => ({ tree: `t${Math.floor(at / (11 * MINUTE))}` }),
      true,
    ],
    ["one core at work", (at) => ({ cpuMs: at }), false],
    ["a tenth of a core", (at) => ({ cpuMs: at / 10 }), false],
    ["a spinner at a twenty-fifth of a core", (at) => ({ cpuMs: at / 25 }), true],
    ["a thousandth of a core", (at) => ({ cpuMs: at / 1000 }), true],
    [
      "a burst of work every 9 minutes",
      (at) => ({ cpuMs: 4000 * Math.floor(at / (9 * MINUTE)) }),
      false,
    ],
  ];
  for (const [name, see, ends] of cases)
    assert.equal(play({ idleMs }, hour, see).steps.length > 0, ends, name);
});

test("an attempt that waits for a person's word is neither idle nor at work, and can be stopped", () => {
  const waits = (at: number): Partial<Observation> => ({ held: at > MINUTE && at <= 61 * MINUTE });
  const limits = { idleMs: 10 * MINUTE, totalMs: 15 * MINUTE };
  const waited = play(limits, 61 * MINUTE, waits);
  assert.deepEqual(waited.steps, []);
  assert.ok(waited.state.activeMs <= MINUTE + 1000, `${waited.state.activeMs}`);
  const first = play(limits, 90 * MINUTE, waits).steps[0];
  assert.ok(first !== undefined && first.at >= 71 * MINUTE && first.at < 72 * MINUTE, "idle again");
  const stopped = requestStop(waited.state, "stop", "enough").state;
  const { monotonicMs, wallMs } = stopped.last;
  const later = { monotonicMs: monotonicMs + stopped.nextMs, wallMs: wallMs + stopped.nextMs };
  const { state } = tick(stopped, { ...stopped.last, ...later, held: true });
  assert.equal(state.stopping?.stepMs, stopped.nextMs, "the grace goes on");
});

test("what was not looked at is no activity", () => {
  const limits = { idleMs: 8000, graceMs: GRACE };
  let state = beginWatch(limits, { monotonicMs: 0, wallMs: 0, outputBytes: 0 });
  for (const second of [1, 2, 3, 4, 5, 6, 7]) {
    const next = tick(state, { monotonicMs: second * 1000, wallMs: second * 1000, outputBytes: 0 });
    assert.equal(next.step, undefined);
    state = next.state;
  }
  assert.equal(tick(state, { monotonicMs: 8000, wallMs: 8000, outputBytes: 0 }).step, "SIGINT");
});

test("the total limit ends an attempt that is busy all the time", () => {
  const { state, steps } = play({ totalMs: MINUTE }, MINUTE + 1000, (at) => ({ outputBytes: at }));
  assert.deepEqual(steps[0], { at: MINUTE, step: "SIGINT" });
  assert.equal(state.stopping?.reason, "total");
});

test("eight hours asleep count for nothing, whichever clock saw them", () => {
  const asleep = 8 * 60 * MINUTE;
  for (const clocks of [
    { monotonicMs: asleep, wallMs: asleep },
    { monotonicMs: 0, wallMs: asleep },
  ]) {
    const limits = { idleMs: 10 * MINUTE, totalMs: 30 * MINUTE, graceMs: GRACE };
    const before = beginWatch(limits, start);
    const woke = tick(before, {
      ...start,
      monotonicMs: start.monotonicMs + before.nextMs + clocks.monotonicMs,
      wallMs: start.wallMs + before.nextMs + clocks.wallMs,
    });
    assert.equal(woke.step, undefined);
    assert.equal(woke.state.activeMs, before.nextMs);
    assert.equal(woke.state.quietMs, before.nextMs);
    assert.equal(woke.state.sleptMs, asleep);
  }
});

test("a machine that sleeps between SIGINT and SIGTERM still gives the whole grace", () => {
  const stopped = requestStop(beginWatch({ graceMs: GRACE }, start), "stop", "asked").state;
  let next = tick(stopped, { ...start, monotonicMs: start.monotonicMs + 10 * 60 * MINUTE });
  let given = stopped.nextMs;
  while (next.step === undefined && given < MINUTE) {
    const { nextMs, last } = next.state;
    given += nextMs;
    next = tick(next.state, { ...last, monotonicMs: last.monotonicMs + nextMs });
  }
  assert.deepEqual([next.step, given], ["SIGTERM", GRACE[0]]);
});

test("a clock set back changes nothing", () => {
  const state = beginWatch({ idleMs: MINUTE, graceMs: GRACE }, start);
  const next = tick(state, { ...start, monotonicMs: start.monotonicMs + 700, wallMs: 5 });
  assert.equal(next.state.activeMs, 700);
  assert.equal(next.state.sleptMs, 0);
});

test("V35: the time that counts follows no jump of the wall clock, and no gap in which this process was stopped", () => {
  const jump = fc.constantFrom(-7_200_000, -1000, 0, 1000, 7_200_000);
  const gap = fc.constantFrom(0, 0, 0, 4000, 600_000);
  fc.assert(
    fc.property(fc.array(fc.tuple(jump, gap), { maxLength: 40 }), (ticks) => {
      let state = beginWatch({ totalMs: 60 * MINUTE, graceMs: GRACE }, start);
      let [at, wall] = [start.monotonicMs, start.wallMs];
      for (const [jumped, stopped] of ticks) {
        const asked = state.nextMs;
        at += asked + stopped;
        wall += asked + stopped + jumped;
        const before = state.activeMs;
        state = tick(state, { monotonicMs: at, wallMs: wall, outputBytes: 0 }).state;
        assert.equal(state.activeMs - before, asked, `${jumped} and ${stopped}`);
      }
    }),
  );
});

test("nothing is called idle before a closer look has covered the silence", () => {
  const state = { ...beginWatch({ idleMs: 1000, graceMs: GRACE }, start), quietMs: 2000 };
  const seen = { monotonicMs: start.monotonicMs + 100, wallMs: start.wallMs, outputBytes: 0 };
  assert.equal(tick(state, { ...seen, unproven: true }).step, undefined);
  assert.equal(tick(state, seen).step, "SIGINT");
});

test("the first reason stands", () => {
  const first = requestStop(beginWatch({ graceMs: GRACE }, start), "stop", "a person asked");
  assert.equal(first.step, "SIGINT");
  const second = requestStop(first.state, "total", "later");
  assert.equal(second.step, undefined);
  assert.deepEqual(second.state.stopping, first.state.stopping);
});

test("whatever is seen: signals in order, never before the limit, no more than counted time", () => {
  const seen = fc.record({
    step: fc.integer({ min: -5000, max: 40_000 }),
    wall: fc.integer({ min: -1e7, max: 1e7 }),
    outputBytes: fc.integer({ min: 0, max: 1 }),
    cpuMs: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 60 }), (ticks) => {
      let state = beginWatch({ idleMs: 20_000, totalMs: 90_000, graceMs: GRACE }, start);
      const steps: StopStep[] = [];
      let at = start.monotonicMs;
      for (const { step, wall, outputBytes, cpuMs } of ticks) {
        at += step;
        const sight = { monotonicMs: at, wallMs: start.wallMs + wall, outputBytes };
        const next = tick(state, cpuMs === undefined ? sight : { ...sight, cpuMs });
        assert.ok(next.state.nextMs >= 20 && next.state.nextMs <= 15_000);
        assert.ok(next.state.activeMs - state.activeMs <= Math.max(0, step));
        assert.ok(next.state.quietMs <= next.state.activeMs);
        if (next.step === "SIGINT")
          assert.ok(next.state.quietMs >= 20_000 || next.state.activeMs >= 90_000);
        if (next.step !== undefined) steps.push(next.step);
        state = next.state;
      }
      const order = ["SIGINT", "SIGTERM", "SIGKILL", "prove-dead"];
      assert.deepEqual(steps, order.slice(0, steps.length));
    }),
  );
});
