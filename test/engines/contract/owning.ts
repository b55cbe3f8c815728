/** Cases of the engine suite: owners, restarts, inputs without an owner. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  attemptEnded,
  goodAnswer,
  POLICY,
  runStarted,
  scriptedPlan,
  stopRequested,
} from "./script.ts";
import { answerAll, eventually, events, inputsOf, owning, RUN } from "./engine-case.ts";
import type { EngineCase } from "./engine-case.ts";

export const OWNING: readonly EngineCase[] = [
  [
    "after a restart in the middle, what has no answer is performed again, and only that",
    async (store) => {
      const first = await store.start();
      const { given } = await owning(first.engine);
      const plan = scriptedPlan(["a", "b", "c"], "beside");
      await first.engine.deliver(RUN, runStarted(RUN, plan, 1000));
      const [ended] = await given.starts(3);
      await first.engine.deliver(RUN, attemptEnded(ended, 2000));
      assert.ok(given.all.every(({ again }) => !again));
      await first.kill();
      const second = await store.start();
      const { given: later } = await owning(second.engine);
      await eventually(() => later.all.length === 3);
      assert.deepEqual(later.all.map(({ command, again }) => `${command.id} ${again}`).sort(), [
        `${RUN}/a/1/check/1 true`,
        `${RUN}/b/1 true`,
        `${RUN}/c/1 true`,
      ]);
      await answerAll(second.engine, later);
      assert.equal((await events(second.engine)).at(-1)?.kind, "run-ended");
    },
  ],
  [
    "the end of a run is performed by a later owner if the first died before it",
    async (store) => {
      const first = await store.start();
      await first.engine.own(RUN, POLICY, () => {});
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      await first.engine.deliver(RUN, stopRequested(2000));
      await first.engine.deliver(RUN, attemptEnded({ subtask: "a", attempt: 1 }, 3000));
      await first.kill();
      const second = await store.start();
      const { given } = await owning(second.engine);
      await eventually(() => given.all.length > 0);
      assert.deepEqual(
        given.all.map(({ command }) => command.kind),
        ["end"],
      );
    },
  ],
  [
    "one owner per run: a living one keeps it, a released or dead one gives it up",
    async (store) => {
      const first = await store.start();
      const second = await store.start();
      const { run } = await owning(first.engine);
      await assert.rejects(
        second.engine.own(RUN, POLICY, () => {}),
        { code: "run-owned" },
      );
      await run.release();
      const taken = await owning(second.engine);
      await assert.rejects(
        first.engine.own(RUN, POLICY, () => {}),
        { code: "run-owned" },
      );
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      await taken.given.starts(1);
      await second.kill();
      const { given } = await owning(first.engine);
      await given.starts(1);
    },
  ],
  [
    "inputs that come while nobody owns the run are handled at the next own, in order",
    async (store) => {
      const poster = await store.start();
      const inputs = [
        runStarted(RUN, scriptedPlan(["a", "b"], "beside"), 1000),
        attemptEnded({ subtask: "b", attempt: 1 }, 2000),
        attemptEnded({ subtask: "a", attempt: 1 }, 3000),
        stopRequested(4000),
      ];
      for (const input of inputs) await poster.engine.deliver(RUN, input);
      const owner = await store.start();
      await owning(owner.engine);
      await eventually(async () => inputsOf(await events(owner.engine)).length >= inputs.length);
      assert.deepEqual(inputsOf(await events(owner.engine)), inputs);
    },
  ],
  [
    "a released run performs nothing and loses no input",
    async (store) => {
      const { engine } = await store.start();
      const { given, run } = await owning(engine);
      const plan = scriptedPlan(["a", "b"], "row");
      await engine.deliver(RUN, runStarted(RUN, plan, 1000));
      const [start] = await given.starts(1);
      const ended = engine.deliver(RUN, attemptEnded(start, 2000));
      await run.release();
      await ended;
      assert.equal(given.all.length, 1, "nothing is performed once release was called");
      const checked = goodAnswer({ ...start, kind: "check", round: 1 }, 3000);
      assert.ok(checked !== undefined);
      await engine.deliver(RUN, checked);
      await sleep(50);
      assert.equal(given.all.length, 1);
      const { given: later } = await owning(engine);
      await eventually(() => later.all.some(({ command }) => command.kind === "merge"));
    },
  ],
];
