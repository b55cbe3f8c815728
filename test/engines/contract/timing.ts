/** Cases of the engine suite: timers, and following a run live. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import { attemptOverloaded, FIRST_WAIT_MS, runStarted, scriptedPlan } from "./script.ts";
import { answerAll, collect, events, inputsOf, owning, RUN } from "./engine-case.ts";
import type { EngineCase } from "./engine-case.ts";

export const TIMING: readonly EngineCase[] = [
  [
    "a timer fires at its due time, once, and the run goes on",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), Date.now()));
      const [start] = await given.starts(1);
      const dueAt = Date.now() + 300;
      await engine.deliver(RUN, attemptOverloaded(start, dueAt - FIRST_WAIT_MS));
      const [, again] = await given.starts(2);
      assert.equal(again?.attempt, 2);
      const fired = timersFired(await events(engine));
      assert.equal(fired.length, 1);
      assert.ok((fired[0]?.at ?? 0) >= dueAt, "not before its time");
      assert.ok(given.all.every(({ command }) => command.kind !== "timer"));
    },
  ],
  [
    "an overdue timer fires once after a restart, however many restarts there were",
    async (store) => {
      const first = await store.start();
      const { given } = await owning(first.engine);
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const [start] = await given.starts(1);
      await first.engine.deliver(RUN, attemptOverloaded(start, Date.now() - FIRST_WAIT_MS + 200));
      await first.kill();
      await sleep(250);
      const second = await store.start();
      const { given: later } = await owning(second.engine);
      await later.starts(1);
      await second.kill();
      const third = await store.start();
      await owning(third.engine);
      await sleep(100);
      assert.equal(timersFired(await events(third.engine)).length, 1);
    },
  ],
];

export const WATCHING: readonly EngineCase[] = [
  [
    "a run is followed live from here and from another process, to its end",
    async (store) => {
      const owner = await store.start();
      const other = await store.start();
      const { given } = await owning(owner.engine);
      const never = new AbortController().signal;
      const seen = [owner, other].map(({ engine }) => collect(engine.follow(RUN, 2, never)));
      await owner.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a", "b"], "row"), 1000));
      await answerAll(owner.engine, given);
      const all = await owner.engine.read(RUN, 2, 1000);
      assert.equal(all.at(-1)?.event.kind, "run-ended");
      for (const rows of await Promise.all(seen)) assert.deepEqual(rows, all);
      assert.deepEqual(await collect(other.engine.follow(RUN, 10_000, never)), []);
    },
  ],
  [
    "following ends when its signal aborts, also while nothing happens",
    async (store) => {
      const { engine } = await store.start();
      await owning(engine);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const all = await engine.read(RUN, 1, 1000);
      const abort = new AbortController();
      const rows: unknown[] = [];
      const following = (async () => {
        for await (const row of engine.follow(RUN, 1, abort.signal)) rows.push(row);
      })();
      while (rows.length < all.length) await sleep(5);
      await sleep(30);
      abort.abort();
      await following;
      assert.deepEqual(rows, all);
    },
  ],
];

const timersFired = (recorded: readonly RunEvent[]): readonly RunInput[] =>
  inputsOf(recorded).filter(({ kind }) => kind === "timer-fired");
