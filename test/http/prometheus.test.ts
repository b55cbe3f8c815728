// proves: A10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { prometheusText } from "../../src/http/prometheus.ts";

const figures = {
  recovery_triggers: 3,
  recovery_success: 2,
  stage_success: { retry: 1, 'odd"stage\\\n': 1 },
  recovery_iterations: 5,
  runs: new Map([["needs you", 2]]),
  questions: 4,
  usd: 1.25,
};

test("the four counters and what runs stand like, each with its type", () => {
  const text = prometheusText(figures);
  for (const line of [
    "unstuck_recovery_triggers_total 3",
    "unstuck_recovery_success_total 2",
    'unstuck_stage_success_total{stage="retry"} 1',
    'unstuck_stage_success_total{stage="odd\\"stage\\\\\\n"} 1',
    "unstuck_recovery_iterations_total 5",
    'unstuck_runs{state="needs you"} 2',
    "unstuck_open_questions 4",
    "unstuck_cost_usd 1.25",
  ])
    assert.ok(text.split("\n").includes(line), line);
});

test("whatever a stage is called, every line is one sample or one comment", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (stage) => {
      const text = prometheusText({ ...figures, stage_success: { [stage]: 1 } });
      const line =
        /^(?:# (?:HELP|TYPE) .*|unstuck_\w+(?:\{\w+="(?:[^"\\\n]|\\["\\n])*"\})? [\d.]+)$/s;
      for (const one of text.trimEnd().split("\n")) assert.match(one, line);
    }),
  );
});
