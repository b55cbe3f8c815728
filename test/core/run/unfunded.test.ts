// proves: U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

test("a budget that is not raised ends the run only when what is under way is judged and merged", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b")], { concurrency: 1, budget: { attempts: 1 } }),
  );
  run.fails("a", "auth_required");
  assert.equal(run.state.checkpoint?.id, "c1", "nothing is left for b");
  const by = "bob";
  const manual = { kind: "manual", done: true } as const;
  run.give({ kind: "checkpoint-answered", checkpoint: "a/c1", answer: manual, by });
  run.give({ kind: "checkpoint-answered", checkpoint: "c1", answer: { kind: "skip" }, by });
  assert.equal(run.state.phase, "ending", "a is being checked");
  run.checked("a", "passed");
  assert.equal(run.state.phase, "ending", "a is being merged");
  const { attempt } = run.of("a").stages[0] ?? assert.fail("nothing is merged");
  run.give({
    ...{ kind: "merge-ended", subtask: "a", attempt },
    result: { kind: "merged", commit: "c-a" },
  });
  assert.equal(run.of("a").phase, "verified");
  assert.equal(run.state.outcome?.kind, "budget");
  assert.match(run.state.outcome.reason, /1 of 1 attempt used/);
});
