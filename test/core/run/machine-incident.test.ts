// proves: C9, J15
import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { Driver, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
const four = (concurrency: number) =>
  plan([subtask("a"), subtask("b"), subtask("c"), subtask("d")], {
    concurrency,
    permissions: { delete: "allow" },
  });

const full = (run: Driver, id: string, origin: "agent" | "tool" = "agent") =>
  run.fails(id, "disk_full", { remains: still, failure: { origin } });

test("the first repairs, the others wait for it, and all share one question if it did not help", () => {
  const run = new Driver("standard", four(3));
  full(run, "a");
  assert.deepEqual(run.recoveries(), ["repair"]);
  full(run, "b");
  full(run, "c", "tool");
  assert.deepEqual(run.recoveries(), ["repair", "wait", "wait"]);
  assert.equal(run.running("d"), 1, "before anybody is asked, what is ready may start");
  full(run, "a");
  assert.equal(run.recoveries().at(-1), "ask");
  assert.equal(run.of("a").phase, "asking");
  run.fire("b");
  run.fire("c");
  assert.deepEqual([run.of("b").running, run.of("c").running], [[], []], "held by the question");
  full(run, "d");
  assert.equal(run.all("checkpoint-opened").length, 1);
  assert.equal(run.of("d").phase, "asking");
  run.answer("a/c1", { kind: "retry", words: "freed" });
  assert.equal(run.state.openCheckpoints, 0);
  assert.equal(run.state.agents, 3, "they go on");
  assert.deepEqual(run.all("subtask-blocked")[0]?.independent, 0);
});

test("a repair that helped: nobody is asked, and those who waited go on", () => {
  const run = new Driver("standard", four(4));
  full(run, "a");
  full(run, "b");
  run.green("a");
  run.fire("b");
  run.green("b");
  assert.deepEqual(run.recoveries(), ["repair", "wait"]);
  assert.equal(run.all("checkpoint-opened").length, 0);
});

test("it counts towards no limit of the subtask", () => {
  const run = new Driver("standard", four(1));
  full(run, "a");
  full(run, "a");
  assert.equal(run.of("a").counted, 0);
});

test("known once, it is asked about at once when it comes again, for whoever it is", () => {
  const run = new Driver("standard", four(1));
  full(run, "a");
  full(run, "a");
  run.answer("a/c1", { kind: "skip" });
  full(run, "b");
  assert.deepEqual(run.recoveries(), ["repair", "ask", "ask"]);
});

test("in every policy: at most its chain of repairs, then one question for all", () => {
  for (const preset of Object.keys(PRESETS) as PresetName[]) {
    const run = new Driver(preset, four(2));
    for (let starts = 0; run.state.agents > 0; starts += 1) {
      assert.ok(starts < 6, `${preset}: ${run.recoveries().join(", ")}`);
      full(run, run.of("a").running.length > 0 ? "a" : "b");
    }
    assert.equal(run.all("checkpoint-opened").length, 1, preset);
  }
});

test("our own full disk is waited for, as ever", () => {
  const run = new Driver("standard", four(1));
  run.fails("a", "disk_full", { remains: still, failure: { origin: "workspace" } });
  assert.deepEqual(run.recoveries(), ["wait"]);
});

test("a check that finds the disk full tells of the same incident", () => {
  const run = new Driver("standard", four(1));
  const evidence = { stderr: "sh: 1: cannot create out: No space left on device", exitCode: 2 };
  for (let starts = 0; run.state.agents > 0; starts += 1) {
    assert.ok(starts < 3, run.recoveries().join(", "));
    run.ended("a");
    while (run.of("a").stages.length > 0) {
      const [stage] = run.of("a").stages;
      const result = { kind: "could-not-run", evidence };
      const { attempt = 0, round = 0 } = stage ?? {};
      run.give({ kind: "checks-ended", subtask: "a", attempt, round, result });
    }
  }
  assert.equal(run.all("checkpoint-opened").length, 1);
  assert.deepEqual(Object.keys(run.state.causes), ["machine disk_full"]);
});
