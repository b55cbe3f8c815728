/** Cases of the engine suite: how inputs and decisions are recorded. */
import assert from "node:assert/strict";
import type { Policy } from "../../../src/core/policy/policy.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import {
  attemptEnded,
  attemptFailed,
  POLICY,
  runStarted,
  scriptedPlan,
  serially,
} from "./script.ts";
import { eventually, events, inputsOf, owning, RUN, type EngineCase } from "./engine-case.ts";

export const RECORDING: readonly EngineCase[] = [
  [
    "an input and its decisions are recorded in order, and read from any place",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      const begin = runStarted(RUN, scriptedPlan(["a", "b"], "row"), 1000);
      const delivery = await engine.deliver(RUN, begin);
      const [start] = await given.starts(1);
      const end = attemptEnded(start, 2000);
      await engine.deliver(RUN, end);
      const expected = serially([begin, end], POLICY);
      const all = await engine.read(RUN, 1, 1000);
      assert.deepEqual(
        all.map(({ event }) => event),
        expected.events,
      );
      assert.deepEqual(
        all.map(({ seq }) => seq),
        all.map((_, index) => index + 1),
      );
      assert.deepEqual(await engine.read(RUN, 3, 2), all.slice(2, 4));
      assert.deepEqual(await engine.read(RUN, all.length + 1, 10), []);
      assert.ok(delivery.recorded);
      assert.deepEqual(delivery.state, serially([begin], POLICY).state);
    },
  ],
  [
    "a command is performed only after its decision can be read, and in order",
    async (store) => {
      const { engine } = await store.start();
      const reads: Promise<readonly RunEvent[]>[] = [];
      const performed: string[] = [];
      await engine.own(RUN, POLICY, (command) => {
        performed.push(command.id);
        reads.push(events(engine));
      });
      const plan = scriptedPlan(["a", "b", "c", "d"], "beside");
      await engine.deliver(RUN, runStarted(RUN, plan, 1000));
      await eventually(() => performed.length === 4);
      assert.deepEqual(
        performed,
        ["a", "b", "c", "d"].map((id) => `${RUN}/${id}/1`),
      );
      for (const seen of await Promise.all(reads))
        assert.equal(seen.filter(({ kind }) => kind === "attempt-dispatched").length, 4);
    },
  ],
  [
    "stale and duplicate inputs change nothing",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      const begin = runStarted(RUN, scriptedPlan(["a"], "row"), 1000);
      await engine.deliver(RUN, begin);
      const [start] = await given.starts(1);
      const end = attemptEnded(start, 2000);
      await engine.deliver(RUN, end);
      const before = await events(engine);
      for (const stale of [begin, end, { ...end, attempt: 7 }]) {
        const delivery = await engine.deliver(RUN, stale);
        assert.ok(!delivery.recorded && "ignored" in delivery && delivery.ignored !== "");
      }
      assert.deepEqual(await events(engine), before);
    },
  ],
  [
    "many callers at once, here and elsewhere, equal some serial order with each input once",
    async (store) => {
      const here = await store.start();
      const there = await store.start();
      const { given, run } = await owning(here.engine);
      const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
      await here.engine.deliver(RUN, runStarted(RUN, scriptedPlan(ids, "beside"), 1000));
      const starts = await given.starts(30);
      await Promise.all(
        starts.flatMap((start, index) => {
          const end = attemptEnded(start, 2000 + index);
          const elsewhere = index % 3 === 0 ? there.engine : here.engine;
          return [here.engine.deliver(RUN, end), elsewhere.deliver(RUN, end)];
        }),
      );
      await eventually(() => run.state().agents === 0);
      const recorded = await events(here.engine);
      const inputs = inputsOf(recorded);
      assert.equal(inputs.length, 31);
      assert.deepEqual(serially(inputs, POLICY).events, recorded);
      assert.deepEqual(foldAll(NEW_RUN, recorded), run.state());
    },
  ],
  [
    "a policy that throws corrupts nothing: the caller hears of it, the run stays usable",
    async (store) => {
      const { engine } = await store.start();
      let broken = true;
      const policy: Policy = {
        ...POLICY,
        choose: (situation) => {
          if (broken) throw new Error("the policy is broken");
          return POLICY.choose(situation);
        },
      };
      const { given } = await owning(engine, policy);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const [start] = await given.starts(1);
      const before = await events(engine);
      const failing = attemptFailed(start, { kind: "agent_crash", origin: "agent" }, 2000);
      await assert.rejects(engine.deliver(RUN, failing), /the policy is broken/);
      assert.deepEqual(await events(engine), before);
      broken = false;
      const delivery = await engine.deliver(RUN, failing);
      assert.ok(delivery.recorded);
      assert.ok((await events(engine)).length > before.length);
    },
  ],
];
