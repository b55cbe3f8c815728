// proves: B1, B2, B4, B10
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);

test("broken build: rolled back with a good commit, escalated without", () => {
  const good = new Driver("recovery-actions", one, { goodCommit: "g1" });
  good.fails("a", "broken_build");
  assert.deepEqual(good.recoveries(), ["fresh"]);
  assert.deepEqual(good.of("a").running[0]?.spec.tree, { kind: "good", commit: "g1" });
  assert.equal(good.of("a").running[0]?.spec.context, "new");
  const none = new Driver("recovery-actions", one);
  none.fails("a", "broken_build");
  assert.deepEqual(none.recoveries(), ["ask"]);
});

test("verification failed: retried below three attempts, then skipped and escalated", () => {
  const run = new Driver("recovery-actions", one);
  run.red("a");
  run.red("a");
  assert.equal(run.of("a").phase, "running");
  run.red("a");
  assert.deepEqual(run.recoveries(), ["feedback", "feedback", "skip+ask"]);
  assert.equal(run.of("a").phase, "stuck");
  assert.equal(run.of("a").attempt, 3);
  assert.equal(run.of("a").isHiccup, true);
});

test("the retry asks for a different approach with what failed", () => {
  const run = new Driver("recovery-actions", one);
  run.red("a");
  assert.deepEqual(run.of("a").running[0]?.spec.prompt, { feedback: true });
});

test("checks are run once per attempt: structure rules do not bind a preset", () => {
  const run = new Driver("recovery-actions", one);
  run.red("a");
  assert.deepEqual(
    run.all("checks-dispatched").map(({ round }) => round),
    [1],
  );
});

test("circular fix: skipped and escalated", () => {
  const run = new Driver("recovery-actions", one, { goodCommit: "g" });
  const trees = ["A", "B", "A"];
  let before = "start";
  for (const tree of trees) {
    run.fails("a", "broken_build", { remains: { treeBefore: before, treeAfter: tree } });
    before = tree;
  }
  assert.deepEqual(run.recoveries(), ["fresh", "fresh", "skip+ask"]);
  assert.match(
    run.all("circular-fix-seen")[0]?.because ?? "",
    /attempt 3 ends with the tree of failed attempt 1/,
  );
  assert.equal(run.all("recovery-chosen")[2]?.chosenBy.id, "circular");
});

test("context exhausted: continued, not failed", () => {
  const run = new Driver("recovery-actions", one);
  run.fails("a", "context_exhausted");
  assert.deepEqual(run.recoveries(), ["continue"]);
  assert.equal(run.of("a").phase, "running");
  assert.equal(run.of("a").counted, 0);
  assert.deepEqual(run.of("a").running[0]?.spec.prompt, { handOver: true });
});

test("unknown: retried below two attempts, then escalated", () => {
  const run = new Driver("recovery-actions", one);
  const unchanged = { treeBefore: "t", treeAfter: "t" };
  run.fails("a", "unknown", { remains: unchanged });
  run.fails("a", "unknown", { remains: unchanged });
  assert.deepEqual(run.recoveries(), ["feedback", "ask"]);
  assert.equal(run.of("a").phase, "asking");
});
