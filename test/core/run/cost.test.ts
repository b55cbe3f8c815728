import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../src/core/run/decide/decide.ts";
import { freeze, thaw, type FrozenState } from "../../../src/engines/restored.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { Driver, plan, subtask } from "./driver.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

/** Arrays and objects of `after` that `before` does not hold: what one event had to make new. */
function madeNew(before: RunState, after: RunState): number {
  const old = new Set<unknown>();
  const collect = (value: unknown, into: (found: object) => boolean): void => {
    if (typeof value !== "object" || value === null || !into(value)) return;
    for (const child of value instanceof Map ? value.values() : Object.values(value))
      collect(child, into);
  };
  collect(before, (found) => !old.has(found) && (old.add(found), true));
  const fresh = new Set<unknown>();
  let size = 0;
  collect(after, (found) => {
    if (old.has(found) || fresh.has(found)) return false;
    fresh.add(found);
    size += Array.isArray(found) ? found.length : Object.keys(found).length;
    return true;
  });
  return size;
}

test("an event costs the same with 10 subtasks as with 10,000", () => {
  const cost = (count: number): number => {
    const run = new Driver(
      "standard",
      plan(
        Array.from({ length: count }, (_, index) => subtask(`s${index}`)),
        { concurrency: 4 },
      ),
    );
    let most = 0;
    for (let turn = 0; turn < 4; turn += 1) {
      for (const step of [
        () => run.ended("s1"),
        () => run.checked("s1", ["t"]),
        () => run.checked("s1", ["t"]),
      ]) {
        const before = run.state;
        step();
        most = Math.max(most, madeNew(before, run.state));
      }
    }
    return most;
  };
  const small = cost(10);
  const large = cost(10_000);
  assert.ok(large < small + 150, `10 subtasks: ${small} fields made new, 10,000: ${large}`);
});

test("a frozen state comes back and decides as before", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b", { dependsOn: ["a"] }), subtask("c")], { concurrency: 2 }),
  );
  run.red("a");
  run.fails("c", "rate_limited", {
    failure: { origin: "provider" },
    remains: { treeBefore: "t", treeAfter: "t" },
  });
  const back = thaw(JSON.parse(JSON.stringify(freeze(run.state))) as FrozenState);
  const timer = run.of("c").timer;
  const input = {
    kind: "timer-fired",
    subtask: "c",
    timer: timer?.id ?? 0,
    at: run.now,
    chance: 0,
  } as const;
  const live = decide(run.state, input, run.policy, standardRules());
  const thawed = decide(back, input, run.policy, standardRules());
  assert.deepEqual(thawed.commands, live.commands);
  assert.deepEqual(
    JSON.parse(JSON.stringify(freeze(thawed.state))),
    JSON.parse(JSON.stringify(freeze(live.state))),
  );
});
