// proves: E10
import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { needsPerson, phases } from "../../../src/core/run/view.ts";
import { Driver, plan, subtask } from "./driver.ts";

const stuck = ladder({ ...PRESETS.standard, rungs: [{ id: "end", do: ["skip", "ask"] }] });
const run = new Driver(
  stuck,
  plan([
    subtask("a"),
    subtask("b", { dependsOn: ["a"] }),
    subtask("c", { dependsOn: ["a", "b"] }),
    subtask("d"),
  ]),
);
run.red("a");
run.green("d");

test("behind what is stuck everything is blocked, however it depends on it", () => {
  assert.deepEqual(phases(run.state), ["stuck", "blocked", "blocked", "verified"]);
});

test("paused is an active run with an open question and nothing else under way", () => {
  const { state } = run;
  assert.equal(needsPerson(state), true);
  const waiting = (count: number): RunState["counts"] => ({ ...state.counts, waiting: count });
  const busy: readonly Partial<RunState>[] = [
    { agents: 1 },
    { checking: 1 },
    { toMerge: 1 },
    { counts: waiting(1) },
  ];
  for (const one of busy)
    for (const other of busy)
      assert.equal(
        needsPerson({ ...state, ...one, ...other }),
        false,
        JSON.stringify([one, other]),
      );
  assert.equal(needsPerson({ ...state, phase: "ending" }), false);
  assert.equal(needsPerson({ ...state, phase: "ended" }), false);
  assert.equal(needsPerson({ ...state, openCheckpoints: 0 }), false);
});
