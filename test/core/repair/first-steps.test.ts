// proves: J22
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import { bashAccepts } from "./scripts-in.ts";
import type { RepairRequest } from "../../../src/core/repair/repair.ts";
import { planFor, repairsOf } from "./request.ts";

/** What an error says, and the strategy and script (or words) that come first. */
const ROWS: readonly (readonly [string, string, RegExp])[] = [
  [
    "Error: listen EADDRINUSE: address already in use :::3000",
    "free_the_port",
    /lsof -nP -iTCP:'3000'/,
  ],
  ["OSError: [Errno 98] Address already in use", "free_the_port", /^ss -ltnp/],
  [
    "fatal: not a git repository (or any of the parent directories): .git",
    "find_the_repository",
    /pwd/,
  ],
  [
    'npm ERR! code ERESOLVE\nnpm ERR! Found: react@18.2.0\nnpm ERR! peer react@"^17.0.0" from bar@2.0.0',
    "fit_versions",
    /npm explain 'react'/,
  ],
  [
    "ModuleNotFoundError: No module named 'requests'",
    "add_missing_module",
    /grep -n -F -- 'requests'/,
  ],
  [
    "Error: Cannot find module 'express'\nRequire stack:\n- a.js",
    "add_missing_module",
    /'express'/,
  ],
  [
    "Error: Cannot find module './lib/util'\nRequire stack:\n- a.js",
    "add_missing_module",
    /'\*util\*'/,
  ],
  [
    "src/a.ts(3,7): error TS2304: Cannot find name 'x'.",
    "fix_first_error",
    /'1,6p' -- 'src\/a\.ts'/,
  ],
  [
    "error[E0425]: cannot find value `x`\n --> src/main.rs:30:5",
    "fix_first_error",
    /'27,33p' -- 'src\/main\.rs'/,
  ],
  ["a.c:3:5: error: expected ';' before 'return'", "fix_first_error", /'a\.c'/],
  [
    "FAILED tests/test_a.py::test_add - assert 1 == 2\n1 failed in 0.1s",
    "fix_first_failing_test",
    /'\.\/tests\/test_a\.py'/,
  ],
  [
    "FAIL src/a.test.js\n  ● adds\n    Expected: 2\n    Received: 3\nTests: 1 failed, 4 total",
    "fix_first_failing_test",
    /'\.\/src\/a\.test\.js'/,
  ],
  [
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "use_less_memory",
    /max-old-space-size/,
  ],
  [
    "CONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed",
    "resolve_conflicts",
    /diff-filter=U/,
  ],
  ["503 Service Unavailable", "wait_and_retry", /Wait 30 s/],
  ["Error: 401 Invalid API key", "act_on_it", /Log in or set the key/],
  // Near misses: what only looks like one of the causes.
  ["TypeError: port 80 is not a function", "see_more", /again/],
  [
    "FAIL a.test.js\n  expected 'address' to equal 'no address'\nTests: 1 failed",
    "fix_first_failing_test",
    /a\.test\.js/,
  ],
  ["src/git.ts(1,1): error TS1005: 'repository' expected.", "fix_first_error", /src\/git\.ts/],
];

for (const [text, strategy, first] of ROWS)
  test(`the first step against ${JSON.stringify(text.slice(0, 60))}`, () => {
    const evidence = { stdout: text };
    const failure = classifyByStandardRules(evidence);
    const plan = planFor(failure.kind, evidence, { failure, firstSteps: true });
    assert.equal(plan.strategy, strategy);
    const [step] = plan.steps;
    assert.match(String(step?.args["script"] ?? step?.action), first);
  });

test("every kind has a first step before the question, whatever little is known; its scripts are bash", () => {
  for (const kind of FAILURE_KINDS) {
    const plan = planFor(kind, {}, { firstSteps: true });
    assert.notEqual(plan.strategy, "ask_user", kind);
    assert.ok(plan.steps.length > 0, kind);
    assert.equal(repairsOf(plan).at(-1)?.strategy, "ask_user");
    const places = repairsOf(plan).map(({ priority }) => priority);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      kind,
    );
    for (const { args } of repairsOf(plan).flatMap(({ steps }) => steps))
      if (args["script"] !== undefined) assert.ok(bashAccepts(String(args["script"])), kind);
  }
});

test("no first step asks for what is not allowed", () => {
  const missing = { stdout: "Error: Cannot find module 'left-pad'" };
  const failure = classifyByStandardRules(missing);
  const risks = (more: Partial<RepairRequest>): readonly unknown[] =>
    repairsOf(planFor(failure.kind, missing, { failure, firstSteps: true, ...more })).flatMap(
      ({ steps }) => steps.flatMap(({ needsPermission }) => needsPermission ?? []),
    );
  assert.ok(risks({}).includes("install"));
  assert.deepEqual(risks({ mode: "run" }), []);
  assert.deepEqual(risks({ permissions: { install: "deny" } }), []);
});

test("only who asks for it gets them: a run has its own recoveries", () => {
  assert.equal(planFor("broken_build", {}).strategy, "ask_user");
});
