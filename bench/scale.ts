/**
 * Several workers on this one machine: how much more three workers get done than one (of 96 subtasks; with `--full` of
 * 500), what an attempt costs besides the agent's own time and in processor time (of server, workers, git, guards and
 * agents together), on the fleet and on the embedded engine, and, with `--full`, 500 subtasks while workers are killed at
 * random for three minutes (`--kills`: only that). Each worker has 4 slots, each agent sleeps 5 s, and only the workers'
 * slots limit how many work at once.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readUnmarked } from "../src/agents/process/process-table.ts";
import { LAUNCHER } from "../test/cli/command.ts";
import { openFleet, planOf, type Fleet } from "../test/scale/fleet.ts";
import { underKills } from "../test/scale/random-kills.ts";
import { WITHOUT_RESTATE } from "../test/scale/server.ts";

const SLOTS = 4;
const AGENT_S = 5;
const RATIO = 2.4;
const FEW = 96;
const MANY = 500;
/** More than there are slots, so that subtasks waiting for their merge hold none up. */
const AT_ONCE = 64;
const full = process.argv.includes("--full");

interface Measured {
  readonly seconds: number;
  readonly perSecond: number;
  /** Processor seconds per attempt, if known. */
  readonly processor?: number;
}

const timed = async (count: number, work: () => Promise<unknown>): Promise<Measured> => {
  const begun = performance.now();
  const before = processorMs();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const processor = (processorMs() - before) / 1000 / count;
  return { seconds, perSecond: count / seconds, processor };
};

/** Of everything started from here, including processes that have ended; without this process itself. */
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
    return await timed(count, () => finished(fleet, count));
  } finally {
    await fleet.close();
  }
}

async function finished(fleet: Fleet, count: number): Promise<void> {
  const run = await fleet.submit(planOf(count, `sleep ${AGENT_S}`, AT_ONCE));
  // Polled rarely, because every request costs the fleet processor time.
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

/** Every few seconds one of three workers is killed and replaced by another with its name. */
async function killed(count: number, forMs: number): Promise<void> {
  const fleet = await openFleet();
  try {
    const asked = { count, forMs, slots: SLOTS, agentSeconds: AGENT_S, seed: "1" };
    const { seconds, kills, lost, slowestFailover } = await underKills(fleet, asked);
    shown(`${count} subtasks, ${kills} workers killed`, { seconds, perSecond: count / seconds });
    console.log(
      `all ended, ${lost} attempts were lost and made again, the slowest failover took ${slowestFailover.toFixed(1)} s`,
    );
  } finally {
    await fleet.close();
  }
}

function shown(name: string, { seconds, perSecond, processor }: Measured): void {
  const each = processor === undefined ? "" : `${processor.toFixed(2)} s of processor time each`;
  console.log(
    `${name.padEnd(34)} ${seconds.toFixed(1).padStart(7)} s  ${perSecond.toFixed(2).padStart(6)} subtasks a second  ${each}`.trimEnd(),
  );
}

if (WITHOUT_RESTATE !== false) {
  console.log(`not measured: ${WITHOUT_RESTATE}`);
} else if (process.argv.includes("--kills")) {
  await killed(MANY, 180_000);
} else {
  const count = full ? MANY : FEW;
  const one = await onFleet(1, count);
  shown(`${count} subtasks, one worker`, one);
  const three = await onFleet(3, count);
  shown(`${count} subtasks, three workers`, three);
  const ratio = three.perSecond / one.perSecond;
  console.log(
    `three workers get ${ratio.toFixed(2)} times as much done as one (bar for ${MANY}: ${RATIO})`,
  );
  const alone = await embedded(FEW);
  shown(`${FEW} subtasks, embedded`, alone);
  const beside = ({ perSecond }: Measured): string => (SLOTS / perSecond - AGENT_S).toFixed(2);
  console.log(
    `beside the agent's ${AGENT_S} s an attempt takes ${beside(alone)} s embedded and ${beside(one)} s on the fleet, both with ${SLOTS} at a time`,
  );
  if (full && ratio < RATIO) process.exitCode = 1;
  if (full) await killed(MANY, 180_000);
}
