// proves: A10
// A recovery succeeded when its subtask was verified, and only then; put down to the one whose attempt was verified.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RecoveryMetrics } from "../../../src/core/history/recovery-metrics.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const idle = { remains: { signals: NO_PROGRESS } };

/** In recovery by its first rung that acts: `stuck-recovery` waits for three attempts without progress. */
function recovering(of = one): Driver {
  const run = new Driver("stuck-recovery", of);
  for (let attempt = 1; attempt <= 3; attempt += 1) run.red("a", idle);
  assert.equal(run.of("a").rung, "prompt-mutation");
  return run;
}

const successes = ({ recovery_success, stage_success }: RecoveryMetrics): unknown => [
  recovery_success,
  stage_success,
];

const ENDS: readonly [string, () => Driver, unknown][] = [
  [
    "verified by the recovery's own attempt",
    () => {
      const run = recovering();
      run.green("a");
      return run;
    },
    [1, { "prompt-mutation": 1 }],
  ],
  [
    "verified at once: no recovery, no success",
    () => {
      const run = new Driver("stuck-recovery", one);
      run.green("a");
      return run;
    },
    [0, {}],
  ],
  [
    "got going again, and later verified by the loop's next attempt",
    () => {
      const run = recovering();
      run.red("a");
      assert.equal(run.of("a").progress.status, "progressing");
      run.green("a");
      return run;
    },
    [1, { "prompt-mutation": 1 }],
  ],
  [
    "got going again, but never verified",
    () => {
      const run = recovering();
      run.red("a");
      return run;
    },
    [0, {}],
  ],
  [
    "verified after two recoveries: one success, the second's",
    () => {
      const run = new Driver("tier-ladder", one, { goodCommit: "g" });
      run.red("a");
      const first = run.of("a").rung;
      for (let attempt = 0; run.of("a").rung === first; attempt += 1) {
        assert.ok(attempt < 9);
        run.red("a");
      }
      const second = run.of("a").rung ?? "";
      run.green("a");
      assert.notEqual(first, second);
      assert.deepEqual(Object.keys(run.state.metrics.stage_success), [second]);
      return run;
    },
    undefined,
  ],
  [
    "an end that no check has judged",
    () => {
      const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
      run.fails("a", "verification_failed");
      assert.notEqual(run.of("a").lastRung, undefined);
      run.ended("a", { remains: { treeBefore: "t", treeAfter: "t" } });
      assert.equal(run.of("a").phase, "unverified");
      return run;
    },
    [0, {}],
  ],
  [
    "given up",
    () => {
      const run = recovering();
      for (let attempt = 0; run.of("a").phase === "running"; attempt += 1) {
        assert.ok(attempt < 99);
        const [next] = run.of("a").running;
        run.red("a", { ...idle, ...(next === undefined ? {} : { attempt: next.attempt }) });
      }
      assert.ok(["stuck", "asking"].includes(run.of("a").phase));
      return run;
    },
    [0, {}],
  ],
  [
    "parked and skipped by a person",
    () => {
      const run = new Driver("standard", one);
      run.red("a");
      run.fails("a", "auth_required");
      run.answer("a/c1", { kind: "skip" });
      assert.equal(run.of("a").phase, "skipped");
      return run;
    },
    [0, {}],
  ],
  [
    "done by hand: no recovery's work, though there had been one",
    () => {
      const run = new Driver("standard", one);
      run.red("a");
      run.fails("a", "auth_required");
      run.answer("a/c1", { kind: "manual", done: true });
      run.checked("a", "passed");
      run.merged("a");
      assert.equal(run.of("a").phase, "verified");
      return run;
    },
    [0, {}],
  ],
  [
    "verified with a person's words: a new start",
    () => {
      const run = new Driver("standard", one);
      run.red("a");
      run.fails("a", "auth_required");
      run.answer("a/c1", { kind: "retry", words: "like this" });
      run.green("a");
      assert.equal(run.of("a").phase, "verified");
      return run;
    },
    [0, {}],
  ],
  [
    "answered, at the second try and after reminders of the format",
    () => {
      const look = subtask("a", { readOnly: true, structuredOutput: true });
      const run = new Driver("standard", plan([look]));
      run.ended("a", { answer: { empty: false, text: "x", problem: "no JSON" } });
      run.ended("a", { answer: { empty: false, text: "{}" } });
      assert.equal(run.of("a").phase, "answered");
      return run;
    },
    [0, {}],
  ],
  [
    "lost after a recovery and started again: still that recovery's",
    () => {
      const run = recovering();
      run.fails("a", "lost");
      run.green("a");
      return run;
    },
    [1, { "prompt-mutation": 1 }],
  ],
];
for (const [name, end, expected] of ENDS)
  test(`a recovery's success: ${name}`, () => {
    const { metrics } = end().state;
    if (expected !== undefined) assert.deepEqual(successes(metrics), expected);
    assert.ok(metrics.recovery_success <= metrics.recovery_triggers);
  });

test("an exploration that nobody verified is no success, however its best branch scored", () => {
  const run = recovering({ ...one, concurrency: 5 });
  for (let attempt = 0; run.all("exploration-started").length === 0; attempt += 1) {
    assert.ok(attempt < 20);
    run.red("a", idle);
  }
  for (let attempt = 0; run.all("exploration-ended").length === 0; attempt += 1) {
    assert.ok(attempt < 99);
    const still = { treeBefore: "t", treeAfter: "t" };
    const signals = { outputNovelty: 1, change: 0, markers: 0, checklist: 0 };
    run.red("a", { remains: { ...still, signals, observed: [attempt] } });
  }
  assert.equal(run.all("exploration-ended")[0]?.winner?.verified, false);
  assert.deepEqual(successes(run.state.metrics), [0, {}]);
});

test("under every policy, successes are verified subtasks that a recovery led there", () => {
  const policies = fc.constantFrom(...(Object.keys(PRESETS) as PresetName[]));
  const fates = fc.array(fc.constantFrom("red", "idle", "lost", "green"), { maxLength: 30 });
  fc.assert(
    fc.property(policies, fates, (policy, given) => {
      const run = new Driver(policy, plan([subtask("a")], { concurrency: 4 }), { goodCommit: "g" });
      for (const fate of given) {
        const { phase, running } = run.of("a");
        if (phase !== "running" || running.length === 0) break;
        if (fate === "green") run.green("a");
        else if (fate === "lost") run.fails("a", "lost");
        else run.red("a", fate === "idle" ? idle : {});
        const { recovery_success: success, recovery_triggers: triggers } = run.state.metrics;
        const { stage_success: stages } = run.state.metrics;
        assert.ok(success <= run.state.counts.verified && success <= triggers);
        assert.equal(
          Object.values(stages).reduce((sum, number) => sum + number, 0),
          success,
        );
      }
    }),
    { numRuns: 300 },
  );
});
