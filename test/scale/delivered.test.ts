// proves: U24
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { RestateEngine } from "../../src/engines/restate/engine.ts";
import type { Ingress } from "../../src/engines/restate/ingress.ts";
import { deliverTo, followedRun } from "../../src/engines/restate/run-states.ts";
import { POLICY, runStarted, scriptedPlan } from "../engines/contract/script.ts";
import { restateStore } from "./restate-store.ts";
import { WITHOUT_RESTATE } from "./server.ts";

test(
  "whoever records something is given the events it lacks, and asks where that leaves a gap",
  { skip: WITHOUT_RESTATE },
  async () => {
    const store = await restateStore();
    after(() => store.close());
    const engine = (await store.start()).engine as RestateEngine;
    const { ingress } = engine;
    await engine.own("told", POLICY, () => undefined);
    const input = runStarted("told", scriptedPlan(["a", "b"], "beside"), 1000);
    const answer = await deliverTo(ingress, "told", input, 0);
    assert.ok(answer.recorded && answer.rows !== undefined, JSON.stringify(answer));
    const { seq, rows } = answer;
    assert.ok(seq > 1 && rows.rows.length === seq, `${seq} events`);

    const reading = followedRun(ingress, "told");
    await reading.bring(seq);
    const mute: Ingress = { call: () => Promise.reject(new Error("it was asked")) };
    const told = followedRun(mute, "told");
    await told.bring(seq, rows);
    await told.bring(seq, rows);
    assert.deepEqual([told.seq(), told.state()], [seq, reading.state()]);
    const late = { from: 2, rows: rows.rows.slice(1) };
    await assert.rejects(followedRun(mute, "told").bring(seq, late), /it was asked/);
  },
);
