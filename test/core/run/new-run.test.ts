// proves: A1, U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { queueItems, vectorItems } from "../../../src/core/persistent-collections.ts";
import { outstanding } from "../../../src/core/run/command.ts";
import { NEW_RUN, startedRun } from "../../../src/core/run/new-run.ts";
import { LADDER, plan, subtask } from "./driver.ts";

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  value === "" ||
  value === false ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

/** Names of what is not nothing. */
const filled = (state: object): string[] =>
  Object.entries(state)
    .filter(([, value]) => !isEmpty(value))
    .map(([name]) => name);

test("before its start a run is nothing at all", () => {
  const { plan: nothing, phase, subtasks, graph, ...rest } = NEW_RUN;
  assert.equal(phase, "new");
  assert.deepEqual(nothing, {
    goal: "",
    subtasks: [],
    ladder: [],
    concurrency: 1,
    budget: {},
    attemptCap: {},
  });
  assert.deepEqual(vectorItems(subtasks), []);
  assert.deepEqual(graph.dependents, []);
  assert.deepEqual(
    filled(rest).filter((name) => name !== "counts" || Object.values(rest.counts).some(Boolean)),
    [],
  );
  assert.deepEqual(outstanding(NEW_RUN), []);
  assert.deepEqual(Object.values(rest.counts), Array(9).fill(0));
  for (const queue of [rest.urgent, rest.ready, rest.mergeQueue])
    assert.deepEqual(queueItems(queue), []);
});

const limits = { budget: { usd: 2 } };
const whole = plan(
  [
    subtask("a", { limits }),
    subtask("b", { dependsOn: ["a", "a"], tier: 2 }),
    subtask("c", { tier: 9 }),
  ],
  { budget: { usd: 9 }, recoveryBudget: { usd: 4 } },
);

test("a started run: what depends on nothing is ready, budgets are the plan's, nothing has happened", () => {
  const state = startedRun("r", whole, "g");
  assert.deepEqual(
    [state.run, state.phase, state.plan, state.goodCommit, state.limit],
    ["r", "active", whole, "g", { usd: 9 }],
  );
  const none = { spent: {}, reserved: {}, untold: {} };
  assert.deepEqual(state.recovery, { ledger: none, limit: { usd: 4 }, warned: [] });
  assert.deepEqual(queueItems(state.ready), [0, 2]);
  assert.deepEqual(state.counts, { ...NEW_RUN.counts, pending: 3 });
  assert.deepEqual(state.graph.dependents, [[1], [], []]);
  assert.deepEqual(startedRun("r", plan([]), undefined).recovery.limit, {});
});

test("a new subtask: the first model of its tier or the strongest, its own budget, and nothing else", () => {
  const [a, b, c] = vectorItems(startedRun("r", whole, undefined).subtasks);
  assert.deepEqual(
    [a, b, c].map((own) => [own?.phase, own?.unmet, own?.entry, own?.entriesUsed, own?.limit]),
    [
      ["pending", 0, LADDER[0], [LADDER[0]], limits.budget],
      ["pending", 1, LADDER[2], [LADDER[2]], {}],
      ["pending", 0, LADDER[3], [LADDER[3]], {}],
    ],
  );
  assert.ok(a !== undefined);
  const { phase: _, entry: __, entriesUsed: ___, limit: ____, progress, ...rest } = a;
  assert.deepEqual(filled(rest), ["budgetFactor"]);
  assert.equal(rest.budgetFactor, 1);
  assert.deepEqual(progress, {
    status: "progressing",
    noProgress: 0,
    noProgressTotal: 0,
    recentScores: [],
    recoveryIterations: 0,
  });
});
