// proves: U24, U7
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { orphansOf } from "../end-to-end/run/runs.ts";
import { rowsOf } from "../large-form.ts";
import { newFleet, until } from "./fleet.ts";
import {
  assertUnharmed,
  decides,
  failover,
  goFile,
  inHandOf,
  scenePlan,
  waitForGo,
} from "./kill-scene.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const ONE_SLOT = ["--slots", "1"];

interface Death {
  readonly name: string;
  /** Where its worker listens: at an address that others do not know as one of this machine, nobody else can prove it dead. */
  readonly host: string;
  readonly watchToo?: true;
}

const DEATHS: readonly Death[] = [
  { name: "alone on its machine", host: "127.0.0.2" },
  { name: "beside another", host: "127.0.0.1" },
  { name: "beside another, and its watch with it", host: "127.0.0.1", watchToo: true },
];

for (const { name, host, watchToo } of rowsOf("scale", DEATHS, ["alone on its machine"]))
  test(
    `U24: a worker killed in an attempt, ${name}: it is recorded as lost, another goes on, nothing runs twice`,
    { skip: WITHOUT_RESTATE },
    async () => {
      const fleet = await newFleet();
      const victim = await fleet.worker("victim", [...ONE_SLOT, "--host", host]);
      const run = await fleet.submit(scenePlan(fleet, { work: waitForGo(fleet) }));
      await until(
        () => orphansOf(run).length > 0,
        () => victim.log(),
      );
      const agents = orphansOf(run);
      // One slot for the other subtask, and one for what the dead worker had.
      const other = await fleet.worker("other", ["--slots", "2"]);
      if (watchToo === true) process.kill(watchOf("victim", fleet.server.ingressUrl), "SIGKILL");
      await victim.kill();
      await failover(`a worker killed in an attempt, ${name}`, victim, [other]);
      const alive = agents.filter((pid) => existsSync(`/proc/${pid}`));
      assert.deepEqual(alive, [], "the agents of the dead worker are gone before the next begins");
      writeFileSync(goFile(fleet), "");
      await assertUnharmed(fleet, run, 1);
    },
  );

/** The process that watches a worker. */
function watchOf(worker: string, ingressUrl: string): number {
  const found = readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return false;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return /worker-watch/.test(words[1] ?? "") && words[2] === worker && words.includes(ingressUrl);
  });
  assert.ok(found !== undefined, "nobody watches it");
  return Number(found);
}

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
      const crash = ["env", `UNSTUCK_CRASH_AT=${point.name}`];
      const victim = await fleet.worker("victim", ONE_SLOT, crash);
      const run = await fleet.submit(scenePlan(fleet, { work: waitForGo(fleet) }));
      await until(
        () => victim.log().includes(`${run}/s1/1 began`),
        () => victim.log(),
      );
      const other = await fleet.worker("other", ONE_SLOT);
      if (point.decides === true) await decides(fleet, victim);
      writeFileSync(goFile(fleet), "");
      await victim.gone;
      await failover(`a worker that died at ${point.name}`, victim, [other]);
      await assertUnharmed(fleet, run, point.lost);
    },
  );
