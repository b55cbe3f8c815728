// proves: J4, J24, J26
import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptPromptInput } from "../../../src/core/prompt/attempt-prompt.ts";
import { FAILURE_KINDS, hasTrait, type FailureKind } from "../../../src/core/kinds.ts";
import type { AttemptRecord, AttemptSpec } from "../../../src/core/run/attempt.ts";
import { newSubtask } from "../../../src/core/run/new-subtask.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { NO_PROGRESS, plan, subtask } from "../run/driver.ts";

const TASK = { goal: "g", checks: ["npm test"], inputs: [] };
const entry = { agent: "a", tier: 1 };

const failed = (attempt: number, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...{ attempt, at: 0, entry, counted: true, success: false, kind: "verification_failed" },
  ...{ approach: `way ${attempt}`, treeBefore: "t", treeAfter: `t${attempt}`, failing: [] },
  ...{ signals: NO_PROGRESS, error: `error ${attempt}` },
  ...more,
});

function told(
  attempts: readonly AttemptRecord[],
  spec: Partial<AttemptSpec> = {},
  branches: readonly string[] = [],
): readonly number[] {
  const own: SubtaskState = {
    ...newSubtask(plan([subtask("a")]), subtask("a")),
    attempts,
    branches: branches.map((id) => ({
      ...{ id, approach: "", iterationsLeft: 1, bestScore: 0, bestAttempt: undefined },
      ended: false,
    })),
  };
  const whole: AttemptSpec = {
    ...{ entry, thinking: false, budgetFactor: 1, context: "new", tree: { kind: "keep" } },
    ...{ prompt: {}, iteration: true },
    ...spec,
  };
  return attemptPromptInput(own, whole, TASK).attempts.map(({ attempt }) => attempt);
}

test("only tries at the work that failed of the work are history", () => {
  for (const kind of FAILURE_KINDS)
    assert.deepEqual(
      told([failed(1), failed(2, { kind })]),
      hasTrait(kind, "beside-the-work") ? [1] : [1, 2],
      kind,
    );
  const timeout: FailureKind = "timeout";
  assert.deepEqual(told([failed(1, { kind: timeout, counted: false })]), []);
  assert.deepEqual(told([failed(1, { success: true })]), []);
});

test("a branch is told what came before it and its own failures, not those of branches beside it", () => {
  const attempts = [
    failed(1),
    failed(2, { branch: "top-down" }),
    failed(3, { branch: "bottom-up" }),
    failed(4, { branch: "constrained" }),
  ];
  const of = (id: string): Partial<AttemptSpec> => ({ prompt: { branch: { id, approach: "" } } });
  const open = ["top-down", "bottom-up"];
  assert.deepEqual(told(attempts, of("top-down"), open), [1, 2, 4], "4 is of an earlier one");
  assert.deepEqual(told(attempts, of("bottom-up"), open), [1, 3, 4]);
  const winner: Partial<AttemptSpec> = { tree: { kind: "attempt", attempt: 2 } };
  assert.deepEqual(told(attempts, winner), [1, 2], "whoever goes on from a branch's tree");
  assert.deepEqual(told(attempts, { tree: { kind: "attempt", attempt: 1 } }), [1, 2, 3, 4]);
  assert.deepEqual(told(attempts), [1, 2, 3, 4]);
});

test("approaches are named once, and never as an empty word", () => {
  const own = {
    ...newSubtask(plan([subtask("a")]), subtask("a")),
    attempts: [
      failed(1, { approach: "use events" }),
      failed(2, { approach: "Using events" }),
    ].concat(failed(3, { approach: "" })),
  };
  const spec: AttemptSpec = {
    ...{ entry, thinking: false, budgetFactor: 1, context: "new", tree: { kind: "keep" } },
    ...{ prompt: { mutation: "negative" }, iteration: true },
  };
  const { failedApproaches } = attemptPromptInput(own, spec, TASK);
  assert.deepEqual(failedApproaches, [{ approach: "Using events" }]);
});

test("the name of a check that failed as a whole is not told again; items of it are", () => {
  const own = {
    ...newSubtask(plan([subtask("a")]), subtask("a")),
    attempts: [failed(1, { failing: ["npm test"] }), failed(2, { failing: ["adds"] })],
  };
  const spec: AttemptSpec = {
    ...{ entry, thinking: false, budgetFactor: 1, context: "new", tree: { kind: "keep" } },
    ...{ prompt: {}, iteration: true },
  };
  const { attempts, failing } = attemptPromptInput(own, spec, TASK);
  assert.deepEqual(
    attempts.map(({ feedback }) => feedback),
    [undefined, "failing: adds"],
  );
  assert.deepEqual(failing, [{ name: "adds" }]);
});

test("a failure without words is told by the checks that failed, else by its kind", () => {
  const own = {
    ...newSubtask(plan([subtask("a")]), subtask("a")),
    attempts: [
      failed(1, { error: "", failing: ["npm test"] }),
      failed(2, { error: "", kind: "no_progress" }),
    ],
  };
  const spec: AttemptSpec = {
    ...{ entry, thinking: false, budgetFactor: 1, context: "new", tree: { kind: "keep" } },
    ...{ prompt: {}, iteration: true },
  };
  assert.deepEqual(
    attemptPromptInput(own, spec, TASK).attempts.map(({ error }) => error),
    ["failed and printed nothing: npm test", "no progress"],
  );
});
