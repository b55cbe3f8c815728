/**
 * The cost of a decision: a failed check of a subtask with 1, 4 and 40 failed attempts, and in a run of 1,000 subtasks,
 * decided by `standard` and by `adaptive` on the same state. Processor time, so that other work on the machine does not
 * count. Exits 1 if an adaptive decision costs more than three times a standard one, or grows with the run.
 */
import { adaptive } from "../src/core/adaptive/adaptive.ts";
import { ladder } from "../src/core/policy/ladder.ts";
import type { Policy } from "../src/core/policy/policy.ts";
import { PRESETS } from "../src/core/policy/presets.ts";
import { standardRules } from "../src/core/rules/standard.ts";
import { decide } from "../src/core/run/decide/decide.ts";
import type { RunInput } from "../src/core/run/input.ts";
import type { RunState } from "../src/core/run/state.ts";
import { Driver, plan, subtask } from "../test/core/run/driver.ts";

const GOAL_RATIO = 3;
const GOAL_GROWTH = 2;
const ROUNDS = 15;
const TIMES = 300;

const standard = ladder(PRESETS.standard);
const byCause = adaptive();
const rules = standardRules();

/** The state before an attempt's failure, and that failure. */
function moment(failed: number, subtasks: number): { state: RunState; input: RunInput } {
  const ids = Array.from({ length: subtasks }, (_, index) => (index === 0 ? "a" : `s${index}`));
  const tries = [{ id: "on", do: "feedback" as const }];
  const recovery = { ...PRESETS.standard.recovery, totalRecoveryBudget: 1000 };
  const goingOn = ladder({
    ...PRESETS.standard,
    circular: "record",
    recovery,
    rungs: tries,
  });
  const run = new Driver(goingOn, plan(ids.map((id) => subtask(id))), { goodCommit: "good" });
  const failing = (turn: number): string[] => ["t", `case ${turn}`];
  for (let turn = 1; turn < failed; turn += 1) run.red("a", { failing: failing(turn) });
  run.ended("a");
  run.checked("a", failing(failed));
  const stage = run.of("a").stages.find(({ kind }) => kind === "checks");
  if (stage?.kind !== "checks") throw new Error("the checks are run a second time");
  const evidence = { exitCode: 1, stdout: "not ok - t: expected 1, got 2" };
  return {
    state: run.state,
    input: {
      ...{ kind: "checks-ended", at: run.now, chance: 0.5, subtask: "a" },
      ...{ attempt: stage.attempt, round: stage.round },
      result: { kind: "failed", failing: failing(failed), evidence },
    },
  };
}

/** Microseconds per decision; the minimum of several rounds. */
function cost(policy: Policy, { state, input }: ReturnType<typeof moment>): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.cpuUsage();
    for (let turn = 0; turn < TIMES; turn += 1) decide(state, input, policy, rules);
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / TIMES);
  }
  return least;
}

let missed = 0;
const costs: number[] = [];
for (const [name, failed, subtasks] of [
  ["1 failed attempt", 1, 1],
  ["4 failed attempts", 4, 1],
  ["40 failed attempts", 40, 1],
  ["4 of them, 1,000 subtasks", 4, 1000],
] as const) {
  const at = moment(failed, subtasks);
  const one = cost(standard, at);
  const other = cost(byCause, at);
  costs.push(other);
  const ok = other <= GOAL_RATIO * one;
  if (!ok) missed += 1;
  console.log(
    `${name.padEnd(28)} standard ${one.toFixed(1)} µs, adaptive ${other.toFixed(1)} µs: ${(other / one).toFixed(2)} times (at most ${GOAL_RATIO}) ${ok ? "ok" : "MISSED"}`,
  );
}
const growth = (costs[3] ?? 0) / (costs[1] ?? 1);
const grows = growth > GOAL_GROWTH;
if (grows) missed += 1;
console.log(
  `in a run 1,000 times as long  ${growth.toFixed(2)} times the cost (at most ${GOAL_GROWTH}) ${grows ? "MISSED" : "ok"}`,
);
process.exitCode = missed > 0 ? 1 : 0;
