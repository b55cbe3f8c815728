/**
 * `npm run lab`: tasks that fail at first, with hidden causes, through the real `unstuck run`, under several policies
 * in pairs. `--tasks 80`, `--seed 1` (or `--seed 1,2,3`), `--policy adaptive,standard`, `--world file.json`, `--small`
 * (8 tasks, adaptive only), `--dry` (without processes), `--trace` (each task's path), `--json`. Exits 1 if adaptive
 * misses a bar.
 */
import { parseArgs } from "node:util";
import { playTasks } from "./dry.ts";
import { figuresOf, table, type Figures } from "./figures.ts";
import type { Outcome } from "./outcome.ts";
import { runTasks } from "./place.ts";
import { KNOWING, KNOWING_BY_CAUSE, POLICIES } from "./policies.ts";
import { drawTasks, type Task } from "./tasks.ts";
import { CAUSES } from "../../src/core/adaptive/causes.ts";
import { readWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    tasks: { type: "string" },
    seed: { type: "string", default: "1" },
    policy: { type: "string" },
    world: { type: "string" },
    small: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const world = readWorld(values.world);
const count = Number(values.tasks ?? (values.small ? 8 : 80));
const seeds = values.seed.split(",").map(Number);
const names = (values.policy ?? (values.small ? "adaptive" : "adaptive,standard")).split(",");
const known = [...Object.keys(POLICIES), KNOWING];
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0 || !(count > 0) || seeds.some(Number.isNaN)) {
  console.error(`usage: npm run lab -- --tasks 80 --seed 1 --policy ${known.join(",")}`);
  process.exit(2);
}

/** Tasks per run: a run costs far less than its start. */
const TASKS_IN_A_RUN = 8;
const RUNS_AT_A_TIME = 2;

const all: (Figures & { readonly seed: number })[] = [];
for (const seed of seeds) {
  const tasks = drawTasks(world, seed, count);
  const figures: Figures[] = [];
  for (const name of names) {
    const outcomes = await outcomesOf(name, tasks);
    if (values.trace) for (const outcome of outcomes) console.error(wayOf(outcome));
    figures.push(figuresOf(name, outcomes));
  }
  all.push(...figures.map((of) => ({ seed, ...of })));
  if (!values.json)
    console.log(`${count} tasks of the world "${world.name}", seed ${seed}\n\n${table(figures)}\n`);
}
if (values.json) console.log(JSON.stringify(all, undefined, 2));
process.exitCode = all.some(missesBar) ? 1 : 0;

async function outcomesOf(name: string, tasks: readonly Task[]): Promise<readonly Outcome[]> {
  const jobs = runsOf(name, tasks);
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const run = values.dry ? playTasks : runTasks;
      outcomes.push(...(await run(world, job.tasks, job.policy)));
      if (process.stderr.isTTY)
        process.stderr.write(`\r${name}: ${outcomes.length} of ${tasks.length} tasks `);
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_A_TIME }, worker));
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  return outcomes.toSorted((a, b) => a.task.number - b.task.number);
}

interface Job {
  readonly tasks: readonly Task[];
  readonly policy: object;
}

/** One policy for all tasks, or a policy per cause. */
function runsOf(name: string, tasks: readonly Task[]): Job[] {
  if (name !== KNOWING) return inRuns(tasks, POLICIES[name] ?? {});
  return CAUSES.flatMap((cause) =>
    inRuns(
      tasks.filter((task) => task.cause === cause),
      KNOWING_BY_CAUSE[cause],
    ),
  );
}

function inRuns(tasks: readonly Task[], policy: object): Job[] {
  const runs = Math.ceil(tasks.length / TASKS_IN_A_RUN);
  return Array.from({ length: runs }, (_, run) => ({
    policy,
    tasks: tasks.filter((_task, index) => index % runs === run),
  }));
}

function missesBar(of: Figures): boolean {
  if (of.policy !== "adaptive" || values.small) return false;
  const asksLate = of.startsBeforeQuestion !== null && of.startsBeforeQuestion > 4;
  return of.verified < 0.88 || of.startsPerSuccess > 2.8 || of.costPerSuccess > 4.5 || asksLate;
}

function wayOf({ task, verified, starts, moves, questions }: Outcome): string {
  const reached = starts.map((start) => `${start.tier}${start.solved ? "+" : "-"}`).join(" ");
  const asked = questions.map(({ after, right }) => `${right ? "right" : "false"} after ${after}`);
  return [
    task.id,
    task.cause.padEnd(12),
    verified ? "verified" : "not done",
    reached,
    moves.join(", "),
    ...asked,
  ].join("  ");
}
