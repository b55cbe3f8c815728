// proves: C5
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import { nextRepairStep } from "../../../src/core/repair/repair.ts";
import type { RepairPlan, StepOutcome } from "../../../src/core/repair/repair.ts";
import { namesOf, planFor, repairsOf } from "./request.ts";

const PLAN = planFor("file_not_found", { stderr: "cat: a/b.json: No such file or directory" });

/** Runs a plan to its end; `ok` says how each step comes out. */
function trace(
  plan: RepairPlan,
  ok: (strategy: string, index: number) => boolean,
): readonly string[] {
  const seen: string[] = [];
  const history: StepOutcome[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const next = nextRepairStep(plan, history);
    if (next.kind !== "run")
      return [...seen, next.kind === "done" ? `done ${next.strategy}` : "ask"];
    seen.push(`${next.strategy} ${next.index}`);
    history.push({ strategy: next.strategy, index: next.index, ok: ok(next.strategy, next.index) });
  }
  throw new Error("no end");
}

test("steps run in order until the strategy is done", () => {
  assert.deepEqual(
    trace(PLAN, () => true),
    ["verify_path 0", "verify_path 1", "verify_path 2", "done verify_path"],
  );
});

test("the first failing step ends its strategy and the next one begins", () => {
  assert.deepEqual(
    trace(PLAN, (strategy, index) => strategy !== "verify_path" || index < 1),
    ["verify_path 0", "verify_path 1", "create_missing_file 0", "done create_missing_file"],
  );
});

test("when all fail a person is asked", () => {
  assert.deepEqual(
    trace(PLAN, () => false),
    ["verify_path 0", "create_missing_file 0", "ask"],
  );
  const last = nextRepairStep(PLAN, [
    { strategy: "verify_path", index: 0, ok: false },
    { strategy: "create_missing_file", index: 0, ok: false },
  ]);
  assert.deepEqual(last, { kind: "ask", step: repairsOf(PLAN).at(-1)?.steps[0] });
});

test("a plan of nothing but the question asks at once", () => {
  const plan = planFor("billing", {});
  assert.deepEqual(nextRepairStep(plan, []), { kind: "ask", step: plan.steps[0] });
});

test("the first outcome of a step stands; foreign outcomes change nothing", () => {
  const failed = { strategy: "verify_path", index: 0, ok: false } as const;
  const next = nextRepairStep(PLAN, [failed, { ...failed, ok: true }]);
  assert.equal(next.kind === "run" && next.strategy, "create_missing_file");
  const foreign = [
    { strategy: "another", index: 0, ok: false },
    { strategy: "verify_path", index: 9, ok: false },
  ];
  assert.deepEqual(nextRepairStep(PLAN, foreign), nextRepairStep(PLAN, []));
  const first = nextRepairStep(PLAN, []);
  assert.deepEqual(first, { kind: "run", strategy: "verify_path", index: 0, step: PLAN.steps[0] });
});

test("every plan ends, no strategy begins twice, and a failing step starts no other recovery", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FAILURE_KINDS),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      (kind, outcomes) => {
        const plan = planFor(kind, {
          command: "make a.txt b.txt",
          stderr: "cat: x: No such file or directory",
        });
        let turn = 0;
        const seen = trace(plan, () => outcomes[turn++ % outcomes.length] ?? false);
        const begun = seen.filter((line) => line.endsWith(" 0")).map((line) => line.slice(0, -2));
        assert.deepEqual(begun, namesOf(plan).slice(0, begun.length));
        assert.ok(!begun.includes("ask_user"));
        assert.ok(/^(?:ask|done .*)$/.test(seen.at(-1) ?? ""));
      },
    ),
  );
});
