// proves: U24
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rowsOf } from "../large-form.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { newFleet, until } from "./fleet.ts";
import { assertUnharmed, FAILOVER_MS, scenePlan } from "./kill-scene.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const NODES = [
  { name: "the first", node: 0 },
  { name: "the second", node: 1 },
  { name: "the third", node: 2 },
];

for (const { name, node } of rowsOf("scale", NODES, ["the first"]))
  test(
    `U24: one of three servers dies, ${name}: the others go on, and nothing is lost`,
    { skip: WITHOUT_RESTATE },
    async () => {
      let cluster: Cluster | undefined;
      const fleet = await newFleet({}, async () => (cluster = await startCluster((node + 1) % 3)));
      const go = join(fleet.folder, "go");
      const worker = await fleet.worker("w1", ["--slots", "2"]);
      const work = `until [ -e ${go} ]; do sleep 0.1; done`;
      const run = await fleet.submit(scenePlan(fleet, { work }));
      await until(
        () => worker.log().includes("/s1/1 began") && worker.log().includes("/s2/1 began"),
        () => worker.log(),
      );
      await cluster?.nodes[node]?.kill();
      const killedAt = performance.now();
      writeFileSync(go, "");
      await until(
        () => /\/s[12]\/1 ended/.test(worker.log()),
        () => worker.log(),
      );
      const took = performance.now() - killedAt;
      console.log(
        `one of three servers killed (${name}): an attempt's end was recorded after ${(took / 1000).toFixed(1)} s`,
      );
      assert.ok(took < FAILOVER_MS, `failover took ${Math.round(took)} ms`);
      await assertUnharmed(fleet, run, 0);
      await cluster?.nodes[node]?.start();
    },
  );
