// proves: A9, E11
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stringify } from "yaml";
import { readLoopSettings, withLoopSettings } from "../../../src/core/policy/loop-settings.ts";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { policyPath, readPolicy } from "../../../src/core/policy/read.ts";
import { SCHEMAS } from "../../../scripts/schemas.ts";

test("every preset reads back as it was printed", () => {
  for (const preset of Object.values(PRESETS)) {
    const reading = readPolicy(stringify(preset));
    assert.deepEqual(reading, { ok: true, value: preset });
  }
  assert.equal(Object.keys(PRESETS).length, 6);
});

test("a preset can be changed in part", () => {
  const reading = readPolicy(
    "extends: standard\nname: mine\nrecovery:\n  totalRecoveryBudget: 5\n",
  );
  assert.ok(reading.ok);
  assert.equal(reading.value.name, "mine");
  assert.deepEqual(reading.value.recovery, {
    ...PRESETS.standard.recovery,
    totalRecoveryBudget: 5,
  });
  assert.ok(reading.value.policy === "ladder");
  assert.deepEqual(reading.value.rungs, PRESETS.standard.rungs);
});

test("the adaptive policy reads back as it is printed, and can be changed in part", () => {
  assert.deepEqual(readPolicy(stringify(ADAPTIVE)), { ok: true, value: ADAPTIVE });
  const changed = readPolicy("extends: adaptive\npersonPrice: 30\nprogress:\n  stuckAfter: 5\n");
  assert.ok(changed.ok);
  const progress = { ...ADAPTIVE.progress, stuckAfter: 5 };
  assert.deepEqual(changed.value, { ...ADAPTIVE, personPrice: 30, progress });
});

const WRONG: readonly (readonly [string, number, RegExp])[] = [
  ["extends: standart\n", 1, /did you mean standard\?/],
  ["extends: adaptive\nrungs: []\n", 2, /unknown setting "rungs"/],
  ["extends: adaptive\npersonPrice: 0\n", 2, /personPrice|at least|0.5/],
  ["extends: standard\nrecovry: {}\n", 2, /unknown setting "recovry"/],
  ["extends: standard\nrungs:\n  - id: a\n    do: feedbak\n", 4, /did you mean feedback\?/],
  ["extends: standard\nrungs:\n  - id: a\n    do: ask\n  - id: a\n    do: ask\n", 5, /used twice/],
  ["extends: standard\nrungs:\n  - id: a\n    do: [retry, feedback]\n", 4, /only skip and ask/],
  ["extends: standard\nrungs:\n  - id: a\n    do: wait\n", 4, /guard rails/],
  [
    "extends: standard\nrungs:\n  - id: a\n    do: retry\n    thinking: true\n",
    5,
    /only for do: escalate/,
  ],
  [
    "extends: standard\nrungs:\n  - id: a\n    do: ask\n    mutations: [rephrase]\n",
    5,
    /only for do: mutate/,
  ],
  ["extends: standard\nprogress:\n  threshold: 7\n", 3, /must be at most 1, got 7/],
  ["extends: standard\n  bad: indent\n", 1, /./],
  ["policy: ladder\nname: x\n", 1, /./],
  ["- a\n- b\n", 1, /expected settings/],
];

test("every problem names its line and what would be right", () => {
  for (const [text, line, message] of WRONG) {
    const reading = readPolicy(text);
    assert.ok(!reading.ok, text);
    const found = reading.problems.find((problem) => message.test(problem.message));
    assert.ok(found !== undefined, `${text} -> ${JSON.stringify(reading.problems)}`);
    assert.equal(found.line, line, text);
  }
});

test("hostile policy files are refused, not obeyed", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g", "h"]
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(",")}]`)
    .join("\n")}\n`;
  for (const text of [
    bomb,
    "x".repeat(1_000_001),
    "\0",
    "__proto__: {policy: ladder}",
    "a: !!js/function x",
  ])
    assert.equal(readPolicy(text).ok, false);
});

test("loop settings of the source are accepted as written there, flags win", () => {
  const text = `
loop:
  stuck_after: 4
  progress_threshold: 0.2
  recovery:
    prompt_mutations: 2
    branch_exploration: false
    branch_count: 5
    branch_budget: 7
    total_recovery_budget: 30
`;
  const reading = readLoopSettings(text);
  assert.ok(reading.ok);
  const policy = withLoopSettings(PRESETS.standard, reading.value);
  assert.deepEqual(policy.progress, { threshold: 0.2, stuckAfter: 4, warnAfter: 2 });
  assert.deepEqual(policy.recovery, {
    promptMutations: 2,
    branchExploration: false,
    branchCount: 5,
    branchBudget: 7,
    totalRecoveryBudget: 30,
  });
  const flagged = withLoopSettings(PRESETS.standard, reading.value, {
    stuckAfter: 9,
    recoveryBudget: 1,
    progressThreshold: 0.5,
  });
  assert.deepEqual([flagged.progress.stuckAfter, flagged.progress.threshold], [9, 0.5]);
  assert.equal(flagged.recovery.totalRecoveryBudget, 1);
  assert.deepEqual(withLoopSettings(PRESETS.standard, {}), PRESETS.standard);
  const wrong = readLoopSettings("other: 1\nloop:\n  stuck_aftr: 3\n");
  assert.ok(!wrong.ok && wrong.problems[0]?.line === 3);
});

test("the JSON Schemas for editors are up to date", () => {
  for (const [file, schema] of Object.entries(SCHEMAS))
    assert.deepEqual(
      JSON.parse(readFileSync(file, "utf8")),
      JSON.parse(JSON.stringify(schema())),
      `run npm run build: ${file}`,
    );
});

test("what names a file: a path, or a name that ends as policy files do", () => {
  for (const path of ["./a", "a/b", "..\\a", "mine.yaml", "MINE.YML", "mine.json", "/a.yaml"])
    assert.equal(policyPath(path), path);
  for (const other of ["standard", "standart", "yaml", "mine.yaml.old", undefined, {}, 7])
    assert.equal(policyPath(other), undefined);
});
