// proves: U24, U7
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rowsOf } from "../large-form.ts";
import { newFleet, until } from "./fleet.ts";
import { assertUnharmed, decides, failover, inHandOf, scenePlan } from "./kill-scene.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const ONE_SLOT = ["--slots", "1"];

/** Who makes the decisions of all runs when the worker dies. */
const DECIDERS = [{ name: "another decides" }, { name: "it decides" }];

for (const { name } of rowsOf("scale", DECIDERS, ["it decides"]))
  test(
    `U24: a worker killed in a check (${name}): another checks again, and nothing is lost`,
    { skip: WITHOUT_RESTATE },
    async () => {
      const fleet = await newFleet();
      const mark = join(fleet.folder, "checking");
      // The first check of the second subtask waits for its death.
      const checking = `if [ -e s2.txt ] && mkdir ${mark} 2> /dev/null; then echo $$ > ${mark}/pid; sleep 600; fi`;
      const victim = await fleet.worker("victim", ONE_SLOT);
      const run = await fleet.submit(scenePlan(fleet, { checking }));
      await until(
        () => existsSync(join(mark, "pid")),
        () => victim.log(),
      );
      const other = await fleet.worker("other", ONE_SLOT);
      if (name === "it decides") await decides(fleet, victim);
      assert.match(inHandOf(victim).join(), /check/);
      await victim.kill();
      await failover(`a worker killed in a check, ${name}`, victim, [other]);
      const check = readFileSync(join(mark, "pid"), "utf8").trim();
      assert.ok(!existsSync(`/proc/${check}`), "the check of the dead worker is gone");
      await assertUnharmed(fleet, run, 0);
    },
  );

interface Point {
  readonly name: string;
  readonly lost: number;
  readonly decides?: true;
}

/** Named places between two effects; the worker dies at the first that it passes. */
const POINTS: readonly Point[] = [
  { name: "merge:commit", lost: 0, decides: true },
  { name: "handed-on:merge-ended", lost: 0 },
  { name: "delivered:merge-ended", lost: 0, decides: true },
  { name: "handed-on:attempt-ended", lost: 1 },
  { name: "delivered:attempt-ended", lost: 0 },
  { name: "snapshot:commit#2", lost: 1 },
  { name: "check:filled#2", lost: 0 },
];

for (const point of rowsOf("scale", POINTS, ["merge:commit", "handed-on:merge-ended"]))
  test(
    `U24: a worker dies at ${point.name}: another goes on, with the same result`,
    { skip: WITHOUT_RESTATE },
    async () => {
      const fleet = await newFleet();
      const go = join(fleet.folder, "go");
      const crash = ["env", `UNSTUCK_CRASH_AT=${point.name}`];
      const victim = await fleet.worker("victim", ONE_SLOT, crash);
      const work = `until [ -e ${go} ]; do sleep 0.1; done`;
      const run = await fleet.submit(scenePlan(fleet, { work }));
      await until(
        () => victim.log().includes(`${run}/s1/1 began`),
        () => victim.log(),
      );
      const other = await fleet.worker("other", ONE_SLOT);
      if (point.decides === true) await decides(fleet, victim);
      writeFileSync(go, "");
      await victim.gone;
      await failover(`a worker that died at ${point.name}`, victim, [other]);
      await assertUnharmed(fleet, run, point.lost);
    },
  );
