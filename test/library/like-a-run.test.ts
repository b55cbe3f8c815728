// The library chooses as a run does: the same failures, one after the other, lead to the same recoveries.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FAILURE_KINDS, type FailureKind } from "../../src/core/kinds.ts";
import { ladder } from "../../src/core/policy/ladder.ts";
import { PRESETS, type PresetName } from "../../src/core/policy/presets.ts";
import { createRecovery } from "../../src/index.ts";
import { withSubtask } from "../../src/core/run/state.ts";
import { standardRules } from "../../src/rules.ts";
import { Driver, failureOf, NO_PROGRESS, plan, subtask } from "../core/run/driver.ts";

const AT = 1_000_000;
const MODELS = ["small", "middle", "large"];

/** What a run of one subtask does about each of these failures, until it asks or gives up. */
function inRun(preset: PresetName, kinds: readonly FailureKind[]): string[] {
  const policy = PRESETS[preset];
  const recovery = { ...policy.recovery, branchExploration: false };
  const entries = MODELS.map((model, index) => ({ agent: "a", model, tier: index + 1 }));
  const only = subtask("task", { checks: 0 });
  const driver = new Driver(ladder({ ...policy, recovery }), plan([only], { ladder: entries }));
  driver.now = AT;
  // A loop's caller keeps no tree to go back to.
  driver.state = withSubtask(driver.state, 0, { noReturn: true });
  const moves: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const decisions = driver.ended("task", {
      ...{ outcome: "failed", observed: failureOf(kind, { signature: `s${index % 3}` }) },
      remains: { approach: "", signals: NO_PROGRESS },
    });
    const chosen = decisions.find((one) => one.kind === "recovery-chosen");
    const names = chosen?.recoveries.map(({ kind: name }) => name) ?? [];
    moves.push(names.includes("skip") ? "give-up" : (names[0] ?? "none"));
    if (names.includes("skip") || names.includes("ask")) break;
    const { timer } = driver.of("task");
    if (timer !== undefined) driver.give({ kind: "timer-fired", subtask: "task", timer: timer.id });
  }
  return moves;
}

function inLoop(preset: PresetName, kinds: readonly FailureKind[]): string[] {
  const clock = { now: () => AT, random: () => 0.5 };
  const options = { ...clock, models: MODELS, rules: standardRules(), policy: PRESETS[preset] };
  let recovery = createRecovery(options);
  const moves: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const next = recovery.failed(failureOf(kind, { signature: `s${index % 3}` }), {
      prompt: "do task",
    });
    moves.push(next.kind === "again" ? next.recovery : next.kind);
    if (next.kind === "ask" || next.kind === "give-up") break;
    // Put down and taken up again after each step: nothing may be lost on the way.
    const text = JSON.stringify(recovery);
    recovery = createRecovery({ ...options, memory: JSON.parse(text) as never });
    assert.equal(JSON.stringify(recovery), text);
  }
  return moves;
}

for (const preset of Object.keys(PRESETS) as PresetName[])
  test(`${preset}: the same failures, the same recoveries, also across restarts`, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FAILURE_KINDS), { maxLength: 12 }), (failures) => {
        assert.deepEqual(inLoop(preset, failures), inRun(preset, failures));
      }),
      { numRuns: 60 },
    );
  });
