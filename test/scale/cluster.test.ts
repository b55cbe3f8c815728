// proves: U24
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { newFleet, until } from "./fleet.ts";
import { assertUnharmed, goFile, scenePlan, seconds, waitForGo } from "./kill-scene.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const NODES = [
  { name: "the first", node: 0 },
  { name: "the second", node: 1 },
  { name: "the third", node: 2 },
];

for (const { name, node } of NODES)
  test(
    `U24: one of three servers dies, ${name}: the others go on, and nothing is lost`,
    inLargeForm("scale", WITHOUT_RESTATE),
    async () => {
      let cluster: Cluster | undefined;
      const fleet = await newFleet({}, async () => (cluster = await startCluster((node + 1) % 3)));
      const worker = await fleet.worker("w1", ["--slots", "2"]);
      const run = await fleet.submit(scenePlan(fleet, { work: waitForGo(fleet) }));
      await until(
        () => worker.log().includes("/s1/1 began") && worker.log().includes("/s2/1 began"),
        () => worker.log(),
      );
      await cluster?.nodes[node]?.kill();
      const killedAt = performance.now();
      writeFileSync(goFile(fleet), "");
      await until(
        () => /\/s[12]\/1 ended/.test(worker.log()),
        () => worker.log(),
      );
      const took = performance.now() - killedAt;
      seconds(`one of three servers killed (${name}): an attempt's end was recorded`, took);
      await assertUnharmed(fleet, run, 0);
      await cluster?.nodes[node]?.start();
    },
  );
