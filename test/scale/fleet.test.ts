// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import { newFleet, planOf } from "./fleet.ts";
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
