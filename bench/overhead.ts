/**
 * The cost of Unstuck itself, without git and child processes: milliseconds per attempt (decide, fold, append,
 * dispatch, on a real journal), memory with 1,000 subtasks in progress, and how the cost per event grows from 10 to
 * 10,000 subtasks. Exits 1 if a goal is missed.
 */
import { spawnSync } from "node:child_process";
import { runInMemory } from "./in-memory/run.ts";

const GOALS = { attemptMs: 5, megabytes: 400, growth: 2 };
const SIZES = [10, 100, 1000, 10_000];
const ROUNDS = 20;

if (process.argv[2] === "memory") await memory(Number(process.argv[3]));
else if (process.argv[2] === "size") await size(Number(process.argv[3]));
else await all();

async function all(): Promise<void> {
  const attemptMs = await overhead();
  const megabytes = own("memory", "4000");
  own("memory", "20000");
  const growth = table();
  const met = attemptMs < GOALS.attemptMs && megabytes < GOALS.megabytes && growth <= GOALS.growth;
  console.log(
    `goals: ${GOALS.attemptMs} ms, ${GOALS.megabytes} MB, growth ${GOALS.growth}: ${met ? "met" : "MISSED"}`,
  );
  process.exitCode = met ? 0 : 1;
}

/** One subtask at a time, so that attempts share no commit: each waits for all of its own. */
async function overhead(): Promise<number> {
  await runInMemory({ subtasks: 50, concurrency: 1 });
  let [wall, cpu, attempts] = [Infinity, Infinity, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const measured = await runInMemory({ subtasks: 20, concurrency: 1 });
    attempts = measured.attempts;
    wall = Math.min(wall, measured.wallMs / attempts);
    cpu = Math.min(cpu, measured.cpuMs / attempts);
  }
  console.log(
    `overhead per attempt: ${wall.toFixed(2)} ms, of which ${cpu.toFixed(2)} ms processor time ` +
      `(${attempts} attempts one after the other, best of ${ROUNDS} rounds; goal ${GOALS.attemptMs} ms)`,
  );
  return wall;
}

/** 1,000 agents at a time, in a process that does nothing else; its peak. */
async function memory(outputChars: number): Promise<void> {
  const load = { subtasks: 1000, concurrency: 1000, agentMs: 3000, outputChars };
  const { together, events } = await runInMemory(load);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `memory: ${megabytes.toFixed(0)} MB at most with ${together} agents at a time that print ` +
      `${outputChars} characters each, ${events} events`,
  );
  console.log(JSON.stringify(together < 1000 ? Infinity : megabytes));
}

async function size(subtasks: number): Promise<void> {
  await runInMemory({ subtasks: 100, concurrency: 100 });
  const { events, cpuMs, wallMs } = await runInMemory({ subtasks, concurrency: 100 });
  const perEvent = (1000 * cpuMs) / events;
  const cells = [
    subtasks.toLocaleString("en"),
    events.toLocaleString("en"),
    `${(wallMs / subtasks).toFixed(2)} ms`,
    `${(cpuMs / subtasks).toFixed(2)} ms`,
    `${perEvent.toFixed(1)} us`,
  ];
  console.log(cells.map((cell) => cell.padStart(14)).join(""));
  console.log(JSON.stringify(perEvent));
}

/** Cost per event with the most subtasks, relative to 100 (10 are too few to measure). */
function table(): number {
  const heads = ["subtasks", "events", "per subtask", "processor", "per event"];
  console.log(heads.map((head) => head.padStart(14)).join(""));
  const costs = SIZES.map((subtasks) => own("size", String(subtasks)));
  const growth = (costs.at(-1) ?? Infinity) / (costs[1] ?? 1);
  console.log(
    `growth of the cost per event from ${SIZES[1]} to ${SIZES.at(-1)} subtasks: ${growth.toFixed(2)} ` +
      `(linear is 1, goal at most ${GOALS.growth})`,
  );
  return growth;
}

/** Runs a part in a process of its own: shows its output, and returns the number in its last line. */
function own(...part: readonly string[]): number {
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, ...part], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = stdout.trimEnd().split("\n");
  if (status !== 0) return Infinity;
  console.log(lines.slice(0, -1).join("\n"));
  return Number(lines.at(-1));
}
