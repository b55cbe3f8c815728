/**
 * More than one machine, on this one: how much more three workers get done than one, what an attempt costs beside the
 * agent's own time and in processor time (of server, workers, git, guards and agents together), on the fleet and on the
 * embedded engine, and, with `--full`, 500 subtasks while workers are killed at random for three minutes. Each worker has
 * 4 slots, each agent sleeps 5 s.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readUnmarked } from "../src/agents/process/process-table.ts";
import { LAUNCHER } from "../test/cli/command.ts";
import { openFleet, planOf, type Fleet, type Worker } from "../test/scale/fleet.ts";
import { WITHOUT_RESTATE } from "../test/scale/server.ts";

const SLOTS = 4;
const AGENT_S = 5;
const RATIO = 2.4;
const full = process.argv.includes("--full");

interface Measured {
  readonly seconds: number;
  readonly perSecond: number;
  /** Processor seconds an attempt. */
  readonly processor: number;
}

const timed = async (count: number, work: () => Promise<unknown>): Promise<Measured> => {
  const begun = performance.now();
  const before = processorMs();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const processor = (processorMs() - before) / 1000 / count;
  return { seconds, perSecond: count / seconds, processor };
};

/** Of everything that was started from here, the ended ones too; without this process itself. */
function processorMs(): number {
  const rows = readUnmarked();
  const below = new Set([process.pid]);
  for (let known = 0; known !== below.size;) {
    known = below.size;
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid);
  }
  const { user, system } = process.cpuUsage();
  const all = rows.filter(({ pid }) => below.has(pid));
  return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) - (user + system) / 1000;
}

async function onFleet(workers: number, count: number): Promise<Measured> {
  const fleet = await openFleet();
  try {
    for (let number = 1; number <= workers; number += 1)
      await fleet.worker(`w${number}`, ["--slots", String(SLOTS)]);
    return await timed(count, () => finished(fleet, count, workers * SLOTS));
  } finally {
    await fleet.close();
  }
}

async function finished(fleet: Fleet, count: number, concurrency: number): Promise<void> {
  const run = await fleet.submit(planOf(count, `sleep ${AGENT_S}`, concurrency));
  // Asked seldom: every question costs the fleet processor time.
  const head = `${fleet.server.ingressUrl}/unstuck-run/${run}/head`;
  for (let phase = ""; phase !== "ended"; await sleep(500)) {
    const answer = await fetch(head, { method: "POST" }).catch(() => undefined);
    if (answer?.ok === true) ({ phase } = (await answer.json()) as { phase: string });
  }
  const { kind } = await fleet.ended(run, 3_600_000);
  if (kind !== "verified") throw new Error(`the run ended ${kind}`);
}

async function embedded(count: number): Promise<Measured> {
  const fleet = await openFleet();
  try {
    const home = join(fleet.folder, "alone");
    const tree = join(fleet.folder, "alone-tree");
    mkdirSync(home);
    execFileSync("git", ["clone", "-q", fleet.remote, tree]);
    writeFileSync(join(fleet.folder, "alone.yaml"), planOf(count, `sleep ${AGENT_S}`, SLOTS));
    const args = [LAUNCHER, "run", join(fleet.folder, "alone.yaml"), "--trust", "--json"];
    const env = { ...process.env, HOME: home, UNSTUCK_HOME: home, NODE_OPTIONS: "" };
    return await timed(count, async () =>
      execFileSync(process.execPath, args, { cwd: tree, env, stdio: "ignore" }),
    );
  } finally {
    await fleet.close();
  }
}

/** Every few seconds one of three workers is killed and another one with its name comes. */
async function underKills(
  count: number,
  forMs: number,
): Promise<Measured & { readonly kills: number }> {
  const fleet = await openFleet();
  let kills = 0;
  try {
    const workers = new Map<string, Worker>();
    const start = async (name: string): Promise<void> =>
      void workers.set(name, await fleet.worker(name, ["--slots", String(SLOTS)]));
    for (const name of ["w1", "w2", "w3"]) await start(name);
    const stop = Date.now() + forMs;
    const killing = async (): Promise<void> => {
      while (Date.now() < stop) {
        await sleep(5000 + Math.random() * 15_000);
        const name = `w${1 + Math.floor(Math.random() * 3)}`;
        await workers.get(name)?.kill();
        kills += 1;
        await start(name);
      }
    };
    const measured = await timed(count, () =>
      Promise.all([finished(fleet, count, 3 * SLOTS), killing()]),
    );
    return { ...measured, kills };
  } finally {
    await fleet.close();
  }
}

const shown = (name: string, { seconds, perSecond, processor }: Measured): void =>
  console.log(
    `${name.padEnd(34)} ${seconds.toFixed(1).padStart(7)} s  ${perSecond.toFixed(2).padStart(6)} subtasks a second  ${processor.toFixed(2).padStart(5)} s of processor time an attempt`,
  );

if (WITHOUT_RESTATE !== false) {
  console.log(`not measured: ${WITHOUT_RESTATE}`);
} else {
  const count = full ? 96 : 48;
  const one = await onFleet(1, count);
  const three = await onFleet(3, count);
  const alone = await embedded(count);
  const beside = ({ seconds }: Measured): number => (seconds * SLOTS) / count - AGENT_S;
  shown(`embedded, ${SLOTS} at a time`, alone);
  shown(`one worker, ${SLOTS} slots`, one);
  shown(`three workers, ${SLOTS} slots each`, three);
  const ratio = three.perSecond / one.perSecond;
  console.log(`three workers get ${ratio.toFixed(2)} times as much done as one (bar: ${RATIO})`);
  console.log(
    `beside the agent's ${AGENT_S} s an attempt takes ${beside(alone).toFixed(2)} s embedded and ${beside(one).toFixed(2)} s on the fleet`,
  );
  if (ratio < RATIO) process.exitCode = 1;
  if (full) {
    const killed = await underKills(500, 180_000);
    shown(`500 subtasks, ${killed.kills} workers killed`, killed);
  }
}
