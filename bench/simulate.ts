/**
 * The cost of `unstuck simulate`: one task of each policy, and, extrapolated from that, the whole table of 30 worlds,
 * 400 tasks and all policies. `node bench/simulate.ts`. Exits 1 if the table would take longer than the goal.
 */
import { playWorld } from "../src/simulator/compare/compare.ts";
import { fitFor } from "../src/simulator/policies/all.ts";
import { BASE_WORLD } from "../src/simulator/world/base-world.ts";

const TASKS = 200;
const GOAL_MINUTES = 5;
const settings = { tasks: TASKS, skip: 0, budget: 8, person: false };

let total = 0;
for (const contestant of fitFor([BASE_WORLD])) {
  playWorld({ seed: 2, world: BASE_WORLD }, contestant, { ...settings, tasks: 20 });
  const began = performance.now();
  playWorld({ seed: 1, world: BASE_WORLD }, contestant, settings);
  const each = (performance.now() - began) / TASKS;
  total += each;
  console.log(`${contestant.id.padEnd(20)} ${each.toFixed(2)} ms a task`);
}
const minutes = (total * 400 * 30) / 60_000;
console.log(`the whole table: ${minutes.toFixed(1)} minutes, goal ${GOAL_MINUTES}`);
process.exitCode = minutes > GOAL_MINUTES ? 1 : 0;
