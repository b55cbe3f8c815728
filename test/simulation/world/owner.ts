/**
 * One owner of the simulated run: a process that puts the production engine and runtime together on simulated
 * ports. Invariant: nothing but ports is replaced; what the command line does when a run ends, waits for a person
 * or fails is done here in the same order.
 */
import { policyOf } from "../../../src/core/adaptive/policy-of.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { needsPerson } from "../../../src/core/run/view.ts";
import type { Engine, OwnedRun } from "../../../src/runtime/ports.ts";
import { superviseRun } from "../../../src/runtime/supervisor.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Owner {
  readonly process: SimulatedProcess;
  readonly engine: Engine;
  /** Known once the run is taken up. */
  readonly state: () => RunState | undefined;
}

const SETTLE_MS = 50;

export type Departure = "refused" | "done" | "paused" | "died";

/** Starts an owner; `onGone` is called once, when its process is over. */
export function startOwner(
  world: Surroundings,
  process: SimulatedProcess,
  onGone: (why: Departure) => void,
): Owner {
  const record: Surroundings["record"] = (happening) => {
    if (process.alive()) world.record(happening);
  };
  const by = process.name;
  let owned: OwnedRun | undefined;
  let departure: Departure = "died";
  process.onDeath((where) => {
    if (departure === "died") world.record({ kind: "owner-died", by, where });
    onGone(departure);
  });
  const fail = (problem: unknown): void => {
    if (!process.alive()) return;
    if (!isExpected(problem)) record({ kind: "owner-failed", by, problem: textOf(problem) });
    process.die("gave up");
  };
  const leave = (why: Departure): void => {
    departure = why;
    process.die(why);
  };
  const engine = world.engineOf(process, (problem) => {
    if (!isPassing(problem)) fail(problem);
  });
  const letGo = new AbortController();
  const work = async (): Promise<void> => {
    const { run, plan } = world;
    const ports = world.portsOf(process, engine);
    const supervised = {
      run,
      plan,
      ports,
      running: new Map(),
      stop: letGo.signal,
      letGo: () => letGo.abort(),
    };
    const taken = await superviseRun(supervised, policyOf(plan.policy));
    owned = taken.owned;
    record({ kind: "owner-took", by });
    const { state } = taken.owned;
    if (state().phase === "new") await engine.deliver(world.run, world.firstInput());
    const ended = taken.done.then(() => "done" as const);
    const why = await Promise.race([ended, pausedOf(world, process, state)]);
    letGo.abort();
    await taken.owned.release();
    record({ kind: "owner-left", by });
    leave(why);
  };
  // Not at once: whoever starts an owner knows of it before it can die.
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      if (codeOf(error) !== "run-owned") return fail(error);
      record({ kind: "owner-refused", by });
      leave("refused");
    });
  return { process, engine, state: () => owned?.state() };
}

const isStill = (state: RunState): boolean => needsPerson(state) || state.phase === "paused";

/** It leaves when nothing can go on until somebody answers or resumes the run, and nobody has. */
function pausedOf(
  { journalOf, leavesWhenPaused, run }: Surroundings,
  process: SimulatedProcess,
  state: () => RunState,
): Promise<"paused"> {
  const { promise, resolve } = Promise.withResolvers<"paused">();
  if (!leavesWhenPaused) return promise;
  const journal = journalOf(process);
  const look = (): void => {
    if (!isStill(state())) return;
    journal.posted(run, 0, 1).then(
      (rows) => (rows.length === 0 && isStill(state()) ? resolve("paused") : undefined),
      () => undefined,
    );
  };
  // The notice of an append comes before its owner has folded it.
  const { clock } = process;
  journal.watch(process.inside(() => void clock.at(clock.now() + SETTLE_MS, look)));
  look();
  return promise;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** What a disk, or another owner, may do to a process at any time. */
const isExpected = (error: unknown): boolean =>
  ["io-error", "disk-full", "owner-lost", "not-published"].includes(String(codeOf(error)));

/** Told with nobody waiting for it, and no reason to give up. */
const isPassing = (error: unknown): boolean =>
  ["io-error", "disk-full"].includes(String(codeOf(error)));

const textOf = (problem: unknown): string =>
  problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
