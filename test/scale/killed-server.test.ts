// proves: U24
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { newFleet, until, type Fleet, type Worker } from "./fleet.ts";
import { assertUnharmed, goFile, scenePlan, seconds, waitForGo } from "./kill-scene.ts";
import { WITHOUT_RESTATE } from "./server.ts";

/** A run with an attempt under way. */
async function underway(fleet: Fleet, worker: Worker): Promise<string> {
  const run = await fleet.submit(scenePlan(fleet, { work: waitForGo(fleet) }));
  await until(
    () => worker.log().includes("/s1/1 began"),
    () => worker.log(),
  );
  return run;
}

test(
  "U24: the server killed in an attempt and started again: nothing is lost",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const worker = await fleet.worker("w1", ["--slots", "2"]);
    const run = await underway(fleet, worker);
    await fleet.server.kill();
    // The attempt ends while nobody can be told.
    writeFileSync(goFile(fleet), "");
    await fleet.server.start();
    const startedAt = performance.now();
    await until(
      () => worker.log().includes("/s1/1 ended"),
      () => worker.log(),
    );
    const took = performance.now() - startedAt;
    seconds("the server killed: once it was back, an attempt's end was recorded", took);
    await assertUnharmed(fleet, run, 0);
  },
);

test(
  "U24: worker and server killed at once, and both come back: one loss, the same result",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const first = await fleet.worker("w1", ["--slots", "1"]);
    const run = await underway(fleet, first);
    await Promise.all([first.kill(), fleet.server.kill()]);
    await fleet.server.start();
    writeFileSync(goFile(fleet), "");
    const again = await fleet.worker("w1", ["--slots", "1"]);
    const joinedAt = performance.now();
    await until(
      () => again.log().includes("/s1/1 began"),
      () => again.log(),
    );
    const took = performance.now() - joinedAt;
    seconds("worker and server killed: once both were back, the run went on", took);
    await assertUnharmed(fleet, run, 1);
  },
);
