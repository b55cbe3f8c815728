/**
 * What many subtasks at the same time need of a fleet's engine: one Restate server, and workers in this one process whose
 * agents only wait until all of them are under way, and then a while longer. Runs are submitted and let go one after the
 * other. Prints requests, processor time, bytes and memory: of 100 subtasks, with `--thousand` of 1,000.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetWorker } from "../src/engines/restate/fleet-worker.ts";
import type { FleetState } from "../src/engines/restate/fleet-messages.ts";
import { ingress, type Ingress } from "../src/engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY, RUN_OBJECT, type RunHead } from "../src/engines/restate/messages.ts";
import { delivered, readEvents } from "../src/engines/restate/run-states.ts";
import { runStarted, scriptedPlan } from "../test/engines/contract/script.ts";
import { startServer, WITHOUT_RESTATE, type Server } from "../test/scale/server.ts";
import { serverUse } from "./scale/server-process.ts";
import { simulatedWorker } from "./scale/simulated-worker.ts";

const thousand = process.argv.includes("--thousand");
const [RUNS, SUBTASKS, WORKERS] = thousand ? [20, 50, 4] : [5, 20, 2];
const ALL = RUNS * SUBTASKS;
const STILL_MS = 20_000;

/** The agents of a run wait until they are let go; by then all of all runs are under way. */
const gates = Array.from({ length: RUNS }, (_, index) => ({
  ...{ run: `run-${index + 1}`, begun: 0, all: Promise.withResolvers<void>() },
  over: Promise.withResolvers<void>(),
}));
const agent = (run: string): Promise<void> => {
  const gate = gates.find((one) => one.run === run);
  if (gate === undefined) throw new Error(`there is no run ${run}`);
  gate.begun += 1;
  if (gate.begun === SUBTASKS) gate.all.resolve();
  return gate.over.promise;
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
  await delivered(engine, run, runStarted(run, scriptedPlan(ids, "beside"), at));
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
  const before = mark();
  for (const { run, all } of gates) {
    await submit(engine, run);
    await all.promise;
  }
  const full = mark();
  await sleep(STILL_MS);
  const still = mark();
  const state = await engine.call<FleetState>(FLEET_OBJECT, ONLY, "state");
  for (const { run, over } of gates) {
    over.resolve();
    await ended(engine, run);
  }
  const after = mark();
  let [events, chars] = [0, 0];
  for (const { run } of gates)
    for (const { text } of await readEvents(engine, run, 1, 100_000)) {
      events += 1;
      chars += text.length;
    }
  console.log(
    `${ALL} subtasks at once: ${RUNS} runs of ${SUBTASKS}, ${WORKERS} workers, one server`,
  );
  shown("until all were under way", before, full);
  shown("while all only waited", full, still);
  shown("until all runs had ended", still, after);
  const both = after.serverMs - before.serverMs + after.ownMs - before.ownMs;
  const ownKilobytes = (count: number): string => (count / 1024).toFixed(1);
  const use = serverUse();
  console.log(
    [
      `${events} events, ${(events / ALL).toFixed(1)} a subtask; journal: ${ownKilobytes(chars / ALL)} kB a subtask`,
      `processor time: ${(both / events).toFixed(1)} ms an event, of server and workers together, waiting included`,
      `the fleet's own state: ${ownKilobytes(JSON.stringify(state).length)} kB with all under way`,
      `server: ${use.peakMegabytes.toFixed(0)} MB of memory at most, ${use.keptMegabytes.toFixed(0)} MB on disk`,
      `workers and bench: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB of memory at most`,
    ].join("\n"),
  );
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
