/**
 * What many concurrent subtasks require of a fleet's engine: one Restate server, and workers in this one process whose
 * agents only wait until all of them are in progress, and then a while longer; then two runs are released. Runs are
 * submitted one after the other. Prints requests, processor time, bytes and memory: for 100 subtasks, with `--thousand`
 * for 1,000.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetWorker } from "../src/engines/restate/fleet-worker.ts";
import type { FleetState } from "../src/engines/restate/fleet-messages.ts";
import { ingress, type Ingress } from "../src/engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY, RUN_OBJECT, type RunHead } from "../src/engines/restate/messages.ts";
import { deliverTo, readEvents } from "../src/engines/restate/run-states.ts";
import { runStarted, scriptedPlan } from "../test/engines/contract/script.ts";
import { startServer, WITHOUT_RESTATE, type Server } from "../test/scale/server.ts";
import { serverUse } from "./scale/server-process.ts";
import { simulatedWorker } from "./scale/simulated-worker.ts";

const thousand = process.argv.includes("--thousand");
const [RUNS, SUBTASKS, WORKERS] = thousand ? [20, 50, 4] : [5, 20, 2];
const ALL = RUNS * SUBTASKS;
const STILL_MS = 20_000;
/** How many runs are released at the end, one after the other. */
const ENDING = 2;
/** Agents do not all end at the same moment. */
const APART_MS = 400;

/** The agents of a run wait until they are released; by then all agents of all runs are in progress. */
const gates = Array.from({ length: RUNS }, (_, index) => ({
  ...{ run: `run-${index + 1}`, begun: 0, all: Promise.withResolvers<void>() },
  over: Promise.withResolvers<void>(),
}));
const agent = (run: string): Promise<void> => {
  const gate = gates.find((one) => one.run === run);
  if (gate === undefined) throw new Error(`there is no run ${run}`);
  const number = (gate.begun += 1);
  if (number === SUBTASKS) gate.all.resolve();
  return gate.over.promise.then(() => sleep(number * APART_MS));
};

let requests = 0;
const plainFetch = globalThis.fetch;
globalThis.fetch = (...args) => {
  requests += 1;
  return plainFetch(...args);
};

interface Mark {
  readonly at: number;
  readonly requests: number;
  readonly serverMs: number;
  readonly ownMs: number;
  readonly written: number;
}

function mark(): Mark {
  const { user, system } = process.cpuUsage();
  const { cpuMs, writtenMegabytes } = serverUse();
  const ownMs = (user + system) / 1000;
  return { at: performance.now(), requests, serverMs: cpuMs, ownMs, written: writtenMegabytes };
}

function shown(name: string, from: Mark, to: Mark): void {
  const seconds = (to.at - from.at) / 1000;
  const cores = (ms: number): string => (ms / 1000 / seconds).toFixed(2);
  console.log(
    `${name.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s  ${String(to.requests - from.requests).padStart(6)} requests  ` +
      `cores: ${cores(to.serverMs - from.serverMs)} server, ${cores(to.ownMs - from.ownMs)} workers  ` +
      `${(to.written - from.written).toFixed(0)} MB written`,
  );
}

async function submit(engine: Ingress, run: string): Promise<void> {
  const ids = Array.from({ length: SUBTASKS }, (_, index) => `s${index + 1}`);
  const source = { url: "https://example.test/app.git", commit: "c", labels: [] };
  const at = Date.now();
  await engine.call(RUN_OBJECT, run, "describe", { repo: "app", title: run, created: at, source });
  await deliverTo(engine, run, runStarted(run, scriptedPlan(ids, "beside"), at));
}

async function ended(engine: Ingress, run: string): Promise<void> {
  while ((await engine.call<RunHead>(RUN_OBJECT, run, "head")).phase !== "ended") await sleep(500);
}

async function measured(
  server: Server,
  workers: FleetWorker[],
  giveUp: (why: Error) => void,
): Promise<void> {
  for (let number = 1; number <= WORKERS; number += 1)
    workers.push(
      await simulatedWorker({ server, name: `w${number}`, slots: ALL / WORKERS, agent }),
    );
  for (const worker of workers)
    void worker.leaseOver.then(() => giveUp(new Error("the machine is too busy: a lease is over")));
  const engine = ingress({ urls: [server.ingressUrl], limitMs: 60_000, patienceMs: 120_000 });
  console.log(
    `${ALL} subtasks at once: ${RUNS} runs of ${SUBTASKS}, ${WORKERS} workers, one server`,
  );
  const before = mark();
  for (const { run, all } of gates) {
    await submit(engine, run);
    await all.promise;
  }
  const full = mark();
  shown("until all were under way", before, full);
  await sleep(STILL_MS);
  const still = mark();
  shown("while all only waited", full, still);
  const state = await engine.call<FleetState>(FLEET_OBJECT, ONLY, "state");
  const begun = await eventsOf(engine);
  for (const { run, over } of gates.slice(0, ENDING)) {
    over.resolve();
    await ended(engine, run);
  }
  const after = mark();
  shown(`until ${ENDING * SUBTASKS} of them had ended`, still, after);
  const all = await eventsOf(engine);
  const spent = (from: Mark, to: Mark): number =>
    to.serverMs - from.serverMs + to.ownMs - from.ownMs;
  const kilobytes = (chars: number): string => (chars / 1024).toFixed(1);
  const ending = all.events - begun.events;
  const whole = begun.chars / ALL + (all.chars - begun.chars) / (ENDING * SUBTASKS);
  const use = serverUse();
  console.log(
    [
      `events of a subtask: ${(begun.events / ALL).toFixed(1)} to be under way, ${(ending / ENDING / SUBTASKS).toFixed(1)} to end; journal: ${kilobytes(whole)} kB`,
      `processor time of server and workers: ${(spent(before, full) / ALL).toFixed(0)} ms for each that began, ${(spent(still, after) / ENDING / SUBTASKS).toFixed(0)} ms for each that ended`,
      `the fleet's own state: ${kilobytes(JSON.stringify(state).length)} kB with all under way`,
      `server: ${use.peakMegabytes.toFixed(0)} MB of memory at most, ${use.keptMegabytes.toFixed(0)} MB on disk`,
      `workers and bench: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB of memory at most`,
    ].join("\n"),
  );
}

async function eventsOf(engine: Ingress): Promise<{ events: number; chars: number }> {
  const rows = [];
  for (const { run } of gates) rows.push(...(await readEvents(engine, run, 1, 100_000)));
  return { events: rows.length, chars: rows.reduce((sum, { text }) => sum + text.length, 0) };
}

if (WITHOUT_RESTATE !== false) {
  console.log(`not measured: ${WITHOUT_RESTATE}`);
} else {
  const server = await startServer();
  const workers: FleetWorker[] = [];
  try {
    const busy = Promise.withResolvers<never>();
    await Promise.race([measured(server, workers, busy.reject), busy.promise]);
  } finally {
    for (const worker of workers) worker.close();
    await server.close();
  }
  process.exit();
}
