// proves: A6, A8, A10
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { Decision } from "../../../src/core/run/decision.ts";
import { queueItems } from "../../../src/core/persistent-collections.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

/** Two branches straight after the first failure; then a person. */
function exploring(
  budgets: { readonly branchBudget?: number; readonly totalRecoveryBudget?: number } = {},
  of: Partial<Plan> = {},
): Driver {
  const { recovery } = PRESETS["stuck-recovery"];
  const policy = ladder({
    ...PRESETS["stuck-recovery"],
    recovery: { ...recovery, branchCount: 2, branchBudget: 1, ...budgets },
    rungs: [
      { id: "explore", do: "explore", times: 1 },
      { id: "end", do: "ask" },
    ],
  });
  const run = new Driver(policy, plan([subtask("a")], { concurrency: 3, ...of }));
  run.red("a");
  return run;
}

const got = (score: number) => ({
  remains: { signals: { ...NO_PROGRESS, outputNovelty: score / 0.3 } },
});
const kinds = (decisions: readonly Decision[]): string[] => decisions.map(({ kind }) => kind);
const branches = (run: Driver) =>
  run
    .of("a")
    .branches.map(({ id, iterationsLeft, bestScore, bestAttempt, ended }) => [
      id,
      iterationsLeft,
      bestScore,
      bestAttempt,
      ended,
    ]);

test("each branch starts in its own tree with its own model, and has its own session", () => {
  const run = exploring();
  const [one, two] = run.of("a").running;
  assert.deepEqual(
    [one?.spec, two?.spec].map((spec) => [
      spec?.prompt,
      spec?.entry.agent,
      spec?.context,
      spec?.tree,
      spec?.recovery,
      spec?.iteration,
    ]),
    [
      [
        { branch: { id: "bottom-up", approach: "Start with the smallest component" } },
        ...["codex", "new", { kind: "keep" }, "explore", true],
      ],
      [
        { branch: { id: "research-first", approach: "Research before implementing" } },
        ...["small", "new", { kind: "keep" }, "explore", true],
      ],
    ],
  );
  for (const [attempt, slot] of [
    [2, "w2"],
    [3, "w3"],
  ] as const)
    run.give({ kind: "attempt-started", subtask: "a", attempt, slot, identity: attempt });
  assert.deepEqual(run.of("a").slots, { "bottom-up": "w2", "research-first": "w3" });
  assert.deepEqual(
    run.of("a").running.map(({ slot, identity }) => [slot, identity]),
    [
      ["w2", 2],
      ["w3", 3],
    ],
  );
  run.ended("a", { attempt: 3, remains: { session: "s3" } });
  assert.deepEqual(run.of("a").sessions, { "research-first": { agent: "small", id: "s3" } });
  assert.equal(run.of("a").attempts.at(-1)?.branch, "research-first");
});

test("a branch that gets on starts again in its session with feedback, while it has iterations", () => {
  const run = exploring({ branchBudget: 2 });
  assert.deepEqual(branches(run), [
    ["bottom-up", 2, 0, undefined, false],
    ["research-first", 2, 0, undefined, false],
  ]);
  const [, moved, queued, dispatched] = run.red("a", { attempt: 2, ...got(0.15) });
  assert.deepEqual(moved, {
    kind: "branch-moved",
    subtask: "a",
    attempt: 2,
    branch: "bottom-up",
    score: 0.15,
    ended: false,
  });
  assert.ok(queued?.kind === "attempt-queued" && dispatched?.kind === "attempt-dispatched");
  const approach = "Start with the smallest component";
  assert.deepEqual(queued.specs, [
    {
      entry: { agent: "codex", model: "m1", tier: 2 },
      thinking: false,
      budgetFactor: 1,
      context: "keep",
      tree: { kind: "keep" },
      prompt: { branch: { id: "bottom-up", approach }, feedback: true },
      recovery: "explore",
      iteration: true,
    },
  ]);
  assert.equal(dispatched.attempt, 4);
  assert.deepEqual(branches(run), [
    ["bottom-up", 1, 0.15, 2, false],
    ["research-first", 2, 0, undefined, false],
  ]);
  run.red("a", { attempt: 4, ...got(0.15) });
  assert.deepEqual(branches(run)[0], ["bottom-up", 0, 0.15, 2, true], "the first of equals");
});

test("a branch that does not get on has ended", () => {
  const run = exploring({ branchBudget: 2 });
  assert.deepEqual(kinds(run.red("a", { attempt: 2, ...got(0.149) })), [
    "failure-classified",
    "branch-moved",
  ]);
  assert.deepEqual(branches(run)[0], ["bottom-up", 1, 0.149, 2, true]);
  assert.equal(run.of("a").running.length, 1);
});

test("a branch is known by its best attempt", () => {
  const run = exploring({ branchBudget: 3 });
  run.red("a", { attempt: 2, ...got(0.2) });
  run.red("a", { attempt: 4, ...got(0.25) });
  run.red("a", { attempt: 5, ...got(0.15) });
  assert.deepEqual(branches(run)[0], ["bottom-up", 0, 0.25, 4, true]);
});

test("the best of those that did not pass goes on if it came to 0.3, and its rungs begin anew", () => {
  const run = exploring();
  run.red("a", { attempt: 2, ...got(0.2) });
  const decisions = run.red("a", { attempt: 3, ...got(0.3) });
  assert.deepEqual(decisions.slice(2, 4), [
    {
      kind: "exploration-ended",
      subtask: "a",
      winner: { branch: "research-first", attempt: 3, verified: false },
    },
    {
      kind: "attempt-queued",
      subtask: "a",
      specs: [
        {
          entry: { agent: "small", model: "s1", tier: 1 },
          thinking: false,
          budgetFactor: 1,
          context: "new",
          tree: { kind: "attempt", attempt: 3 },
          prompt: { feedback: true },
          recovery: "explore",
          iteration: true,
        },
      ],
    },
  ]);
  assert.deepEqual(kinds(decisions).slice(4), ["attempt-dispatched"]);
  const { uses, mutationsTried, progress, rung, branches: open } = run.of("a");
  assert.deepEqual([uses, mutationsTried, rung, open], [{}, [], undefined, []]);
  assert.equal(progress.noProgress, 0);
  assert.deepEqual(run.state.metrics.stage_success, {});
  run.green("a");
  assert.deepEqual(run.state.metrics.stage_success, { explore: 1 });
});

test("of equals the first branch goes on", () => {
  const run = exploring();
  run.red("a", { attempt: 3, ...got(0.3) });
  run.red("a", { attempt: 2, ...got(0.3) });
  assert.deepEqual(run.all("exploration-ended")[0]?.winner, {
    branch: "bottom-up",
    attempt: 2,
    verified: false,
  });
});

test("below 0.3 there is no winner, and the next rung comes", () => {
  const run = exploring();
  run.red("a", { attempt: 2, ...got(0.299) });
  const decisions = run.red("a", { attempt: 3, ...got(0.1) });
  assert.deepEqual(decisions[2], { kind: "exploration-ended", subtask: "a" });
  assert.deepEqual(run.recoveries(), ["explore", "ask"]);
  assert.equal(run.of("a").phase, "asking");
  assert.deepEqual(run.state.metrics.stage_success, {});
});

test("a winner for whom the recovery budget holds no more start is handed to a person", () => {
  const run = exploring({ totalRecoveryBudget: 2 });
  run.red("a", { attempt: 2, ...got(0.3) });
  run.red("a", { attempt: 3, ...got(0.1) });
  assert.equal(run.all("exploration-ended")[0]?.winner?.branch, "bottom-up");
  assert.deepEqual(run.recoveries(), ["explore", "ask"]);
  assert.deepEqual([run.of("a").iterations, run.of("a").running.length], [2, 0]);
  const room = exploring({ totalRecoveryBudget: 3 });
  room.red("a", { attempt: 2, ...got(0.3) });
  room.red("a", { attempt: 3, ...got(0.1) });
  assert.deepEqual([room.of("a").iterations, room.of("a").running.length], [3, 1]);
});

/** Both branches have ended their work and are being checked. */
function bothChecked(): Driver {
  const run = exploring();
  run.ended("a", { attempt: 2 });
  run.ended("a", { attempt: 3 });
  return run;
}
const checks = (attempt: number, passed: boolean) => ({
  kind: "checks-ended" as const,
  subtask: "a",
  attempt,
  round: 1,
  result: passed ? { kind: "passed" } : { kind: "failed", failing: ["t"], evidence: {} },
});

test("the first branch that passes is merged; how the other's checks end changes nothing more", () => {
  for (const [winner, loser] of [
    [2, 3],
    [3, 2],
  ] as const)
    for (const passes of [true, false]) {
      const run = bothChecked();
      assert.deepEqual(run.give(checks(winner, true)), [
        {
          kind: "exploration-ended",
          subtask: "a",
          winner: {
            branch: winner === 2 ? "bottom-up" : "research-first",
            attempt: winner,
            verified: true,
          },
        },
        { kind: "merge-queued", subtask: "a", attempt: winner },
        { kind: "merge-dispatched", subtask: "a", attempt: winner },
      ]);
      assert.deepEqual(run.of("a").stages, [
        { kind: "checks", attempt: loser, round: 1 },
        { kind: "merge", attempt: winner, dispatched: true, notes: [], round: 1 },
      ]);
      assert.deepEqual(run.give(checks(loser, passes)), []);
      assert.deepEqual(run.of("a").stages, [
        { kind: "merge", attempt: winner, dispatched: true, notes: [], round: 1 },
      ]);
      assert.deepEqual(kinds(run.merged("a")), ["subtask-done", "episode-recorded", "run-ended"]);
      assert.deepEqual(run.state.metrics.stage_success, { explore: 1 });
    }
});

test("a branch that passed and could not be merged is a failure of the subtask, not of the exploration", () => {
  const run = bothChecked();
  run.give(checks(2, true));
  const result = { kind: "conflict", evidence: {} };
  run.give({ kind: "merge-ended", subtask: "a", attempt: 2, result });
  assert.deepEqual(run.of("a").stages, [{ kind: "checks", attempt: 3, round: 1 }]);
  assert.equal(run.of("a").phase, "asking");
  assert.deepEqual(run.give(checks(3, true)), []);
  assert.equal(run.of("a").phase, "asking");
});

test("branches still running when one passes are interrupted, and their ends change nothing", () => {
  const run = exploring({ branchBudget: 2 });
  run.ended("a", { attempt: 2 });
  const [, interrupted] = run.give(checks(2, true));
  assert.deepEqual(interrupted, {
    kind: "attempt-interrupted",
    subtask: "a",
    attempt: 3,
    reason: "branch bottom-up passed its checks",
  });
  assert.deepEqual(
    run.of("a").running.map(({ attempt, interrupted: told }) => [attempt, told]),
    [[3, true]],
  );
  assert.deepEqual(run.fails("a", "interrupted", { attempt: 3 }), []);
});

test("with one place the branches take turns, and all of them get theirs", () => {
  const run = exploring({}, { concurrency: 1 });
  const started = () =>
    run.all("attempt-dispatched").map(({ attempt, spec }) => [attempt, spec.prompt.branch?.id]);
  assert.deepEqual(started(), [
    [1, undefined],
    [2, "bottom-up"],
  ]);
  run.red("a", got(0.1));
  assert.deepEqual(started().at(-1), [3, "research-first"]);
  run.red("a", got(0.1));
  assert.deepEqual(run.recoveries(), ["explore", "ask"]);
  assert.deepEqual(
    run.all("attempt-dispatched").map(({ from }) => from),
    ["ready", "urgent", "urgent"],
  );
});

test("what was dispatched is in no queue any more", () => {
  const run = exploring();
  assert.deepEqual([queueItems(run.state.ready), queueItems(run.state.urgent)], [[], []]);
});

test("a branch that waits for the run's budget leaves the subtask running while another is at work", () => {
  const phase = (of: { readonly attempts: number }, act: (run: Driver) => void) => {
    const run = exploring({ branchBudget: 2 }, { budget: of });
    act(run);
    return [run.of("a").phase, run.of("a").next.length, run.state.openCheckpoints];
  };
  const bothFail = (run: Driver): void => {
    run.red("a", { attempt: 2, ...got(0.2) });
    run.red("a", { attempt: 3, ...got(0.2) });
  };
  assert.deepEqual(
    phase({ attempts: 3 }, (run) => run.red("a", { attempt: 2, ...got(0.2) })),
    ["running", 1, 0],
  );
  assert.deepEqual(
    phase({ attempts: 3 }, (run) => {
      run.ended("a", { attempt: 2 });
      run.ended("a", { attempt: 3, ...got(0.2) });
      run.give(checks(2, false));
    }),
    ["running", 1, 0],
  );
  assert.deepEqual(phase({ attempts: 3 }, bothFail), ["pending", 2, 1]);
});

test("where nobody set a concurrency, branches run side by side as far as the machine goes, and nothing beside them", () => {
  const two = [subtask("a"), subtask("b")];
  for (const [branchesAtOnce, sideBySide] of [
    [1, 1],
    [2, 2],
    [8, 2],
  ] as const) {
    const run = exploring({}, { concurrency: 1, branchesAtOnce, subtasks: two });
    assert.equal(run.of("a").running.length, sideBySide);
    assert.equal(run.of("b").running.length, 0);
    assert.equal(run.state.agents, sideBySide);
  }
  const serial = exploring({}, { concurrency: 1, subtasks: two });
  assert.equal(serial.of("a").running.length, 1);
});

test("branches that start side by side share the run's budget", () => {
  const run = exploring({}, { concurrency: 1, branchesAtOnce: 3, budget: { usd: 8 } });
  const caps = run.of("a").running.map(({ cap }) => cap.usd ?? 0);
  assert.equal(caps.length, 2);
  assert.ok(caps.every((cap) => cap > 1 && cap <= 4));
});
