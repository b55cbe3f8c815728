// proves: D4, D5
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEntry } from "../../../src/core/plan/plan.ts";
import { RETRY_METHODS, type RetryMethod } from "../../../src/core/run/retry-method.ts";
import { Driver, plan, subtask } from "./driver.ts";

const entry = (model: string, tier: number): ModelEntry => ({ agent: "agent", model, tier });
const LADDER = [entry("small", 1), entry("other", 1), entry("large", 2)];

function failsUntilAsked(run: Driver, remains: { treeBefore: string; treeAfter: string }): void {
  for (let time = 0; time < 5 && run.of("a").phase !== "asking"; time += 1)
    run.fails("a", "unknown", { remains });
  assert.equal(run.of("a").phase, "asking");
}

/** Asks after an attempt that changed the tree. */
function asking(ladder: readonly ModelEntry[] = LADDER): Driver {
  const run = new Driver("standard", { ...plan([subtask("a", { checks: 0 })]), ladder });
  failsUntilAsked(run, { treeBefore: "t0", treeAfter: "t1" });
  return run;
}

const waysOf = (run: Driver): readonly RetryMethod[] => run.of("a").checkpoint?.context.ways ?? [];

test("a question offers the recoveries that are possible, and no others", () => {
  assert.deepEqual(waysOf(asking()), RETRY_METHODS);
  assert.deepEqual(waysOf(asking(LADDER.slice(0, 1))), ["fresh", "steps"]);
  assert.deepEqual(waysOf(asking([entry("small", 1), entry("large", 2)])), [
    ...["fresh", "steps", "stronger-model"],
  ]);
  const untouched = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  failsUntilAsked(untouched, { treeBefore: "t0", treeAfter: "t0" });
  assert.ok(!waysOf(untouched).includes("fresh"), "there is nothing to go back from");
});

test("what only has to be fixed outside offers none", () => {
  const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  run.fails("a", "auth_required", { remains: { treeBefore: "t0", treeAfter: "t1" } });
  assert.equal(run.of("a").phase, "asking");
  assert.deepEqual(waysOf(run), []);
});

const CASES: readonly [RetryMethod, string, Partial<Record<string, unknown>>][] = [
  ["fresh", "fresh", { tree: { kind: "start", attempt: 1 }, context: "new" }],
  ["steps", "mutate", { tree: { kind: "keep" } }],
  ["other-model", "sidegrade", { entry: LADDER[1] }],
  ["stronger-model", "escalate", { entry: LADDER[2] }],
];

for (const [how, recovery, expected] of CASES)
  test(`"${how}" is carried out with the person's words, and uses no recovery budget`, () => {
    const run = asking();
    const before = run.of("a").iterations;
    run.answer("a/c1", { kind: "retry", words: "not that way", how });
    const spec = run.of("a").running[0]?.spec;
    assert.equal(spec?.recovery, recovery);
    assert.equal(spec.prompt.words, "not that way");
    assert.deepEqual({ ...spec, ...expected }, spec);
    assert.equal(run.of("a").iterations, before);
  });
