// proves: U24
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFleet, planOf } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

test(
  "U24: what a worker can never begin is done by another, and no attempt counts as lost",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const broken = await fleet.worker("broken");
    // A file where its folder of runs should be.
    rmSync(join(broken.home, "runs"), { recursive: true, force: true });
    writeFileSync(join(broken.home, "runs"), "");
    const run = await fleet.submit(planOf(2, "true", 2));
    await fleet.worker("well");
    const begun = performance.now();
    const { kind } = await fleet.ended(run);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    assert.equal(kind, "verified");
    const events = await fleet.events(run);
    const lost = events.filter((event) => JSON.stringify(event).includes('"lost"'));
    assert.deepEqual(lost, []);
    console.log(`the run ended ${seconds} s after there was a worker that could do it`);
  },
);
