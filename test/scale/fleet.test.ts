// proves: U24
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lostIn, newFleet, planOf, until } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

test(
  "U24: three workers share one run, and its result is a branch of the remote",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const workers = [];
    for (const name of ["w1", "w2", "w3"]) workers.push(await fleet.worker(name, ["--slots", "2"]));
    const run = await fleet.submit(planOf(6, "sleep 1", 6));
    const { kind } = await fleet.ended(run);
    assert.equal(kind, "verified");
    const tree = fleet.git("ls-tree", "--name-only", `unstuck/${run}`).trim().split("\n");
    assert.deepEqual(tree, [
      "s1.txt",
      "s2.txt",
      "s3.txt",
      "s4.txt",
      "s5.txt",
      "s6.txt",
      "value.txt",
    ]);
    for (const one of workers) assert.match(one.log(), /\/s\d\/1 began/, `${one.name} had work`);
    const status = await fleet.laptop("status", run, "--json");
    assert.equal(status.code, 0, status.err);
    const { state, folderIsGone } = JSON.parse(status.out) as {
      state: string;
      folderIsGone: boolean;
    };
    assert.deepEqual({ state, folderIsGone }, { state: "verified", folderIsGone: false });
    const logs = await fleet.laptop("logs", run, "s1");
    assert.match(logs.out, /s1/, logs.err);
    const diff = await fleet.laptop("diff", run);
    assert.match(diff.out, /\+\+\+ b\/s6\.txt/, diff.err);
  },
);

test(
  "U24: a worker killed in an attempt: it is recorded as lost, another goes on, nothing runs twice",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const marks = join(fleet.folder, "marks");
    // The first attempt of a subtask that a worker dies in would take for ever.
    const work = `echo $UNSTUCK_SUBTASK $$ >> ${marks}; [ -e ${marks}.killed ] || sleep 600`;
    const first = await fleet.worker("w1", ["--slots", "1"]);
    const run = await fleet.submit(planOf(1, work, 1));
    await until(
      () => existsSync(marks),
      () => first.log(),
    );
    const second = await fleet.worker("w2", ["--slots", "1"]);
    writeFileSync(`${marks}.killed`, "");
    await first.kill();
    const killedAt = Date.now();
    await until(
      () => readFileSync(marks, "utf8").trim().split("\n").length === 2,
      () => second.log(),
    );
    console.log(`failover after ${Date.now() - killedAt} ms`);
    const [agent = ""] = readFileSync(marks, "utf8").split("\n")[0]?.split(" ").slice(1) ?? [];
    assert.ok(
      !existsSync(`/proc/${agent}`),
      "the agent of the dead worker is gone before the next begins",
    );
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    assert.equal(lostIn(await fleet.events(run)).length, 1);
  },
);

test(
  "U24: the server killed in an attempt and started again: nothing is lost",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const worker = await fleet.worker("w1", ["--slots", "2"]);
    const run = await fleet.submit(planOf(3, "sleep 3", 2));
    await until(
      () => worker.log().includes("/s1/1 began"),
      () => worker.log(),
    );
    await fleet.server.kill();
    await sleep(1500);
    await fleet.server.start();
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    assert.deepEqual(lostIn(await fleet.events(run)), []);
  },
);

test(
  "U24: worker and server killed at once, and both come back: one loss, the same result",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const worker = await fleet.worker("w1", ["--slots", "1"]);
    const run = await fleet.submit(planOf(2, "sleep 2", 1));
    await until(
      () => worker.log().includes("/s1/1 began"),
      () => worker.log(),
    );
    await Promise.all([worker.kill(), fleet.server.kill()]);
    await fleet.server.start();
    await fleet.worker("w1", ["--slots", "1"]);
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    assert.equal(lostIn(await fleet.events(run)).length, 1);
    const tree = fleet.git("ls-tree", "--name-only", `unstuck/${run}`).trim().split("\n");
    assert.deepEqual(tree, ["s1.txt", "s2.txt", "value.txt"]);
  },
);
