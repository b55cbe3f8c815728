/**
 * The engine port on Restate: a run is an object of the engine, and whichever process serves it decides; this process
 * delivers, reads, and carries out the commands of runs it owns. Invariants: the state that a command follows from is
 * loaded here before the command is performed; nothing is performed after release; a run is taken over only from an
 * owner whose process is proven gone.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { JournalError } from "../../journal/error.ts";
import { defined } from "../../core/defined.ts";
import type { Policy } from "../../core/policy/policy.ts";
import type { Delivery, Engine, Perform, Recorded } from "../../runtime/ports.ts";
import { admin } from "./admin.ts";
import { keepLivingDecider } from "./decider.ts";
import { isProvenGone, serveObjects } from "./endpoint.ts";
import { fleetObject } from "./fleet-object.ts";
import type { GivenMessage } from "./fleet-messages.ts";
import { incidentObject } from "./incident-object.ts";
import { indexObject } from "./index-object.ts";
import { ingress, type Ingress } from "./ingress.ts";
import { leaseObject } from "./lease-object.ts";
import {
  RUN_OBJECT,
  type Claimed,
  type Perform as PerformMessage,
  type RunHead,
  type WorkerProcess,
} from "./messages.ts";
import { replicaObject } from "./replica-object.ts";
import { runObject } from "./run-object.ts";
import { deliverTo, followedRun, readEvents, runStates, type FollowedRun } from "./run-states.ts";
import type { Sdk } from "./sdk.ts";
import { workerObject } from "./worker-object.ts";

export interface RestateOptions {
  readonly sdk: Sdk;
  /** Its ingress and admin addresses; any one of them is enough. */
  readonly ingressUrls: readonly string[];
  readonly adminUrls: readonly string[];
  /** The name of this worker, stable across restarts. */
  readonly worker: string;
  readonly host?: string;
  readonly port?: number;
  readonly advertised?: string;
  readonly identityKeys?: readonly string[];
  /** Overrides the policy named by a run's plan. */
  readonly policyFor?: (run: string) => Policy | undefined;
  readonly onProblem: (problem: unknown) => void;
  /** Handles a command given to this process as a worker of the fleet. */
  readonly take?: (message: GivenMessage) => Promise<void>;
}

export interface RestateEngine extends Engine {
  readonly process: WorkerProcess;
  readonly ingress: Ingress;
  close(): void;
}

/** A call that is given up stays queued at the engine: retrying too soon lengthens the queue for all. */
const PATIENT_MS = 60_000;

interface Seat {
  readonly claim: Promise<number>;
  readonly perform: Perform;
  readonly followed: FollowedRun;
  gone: boolean;
}

export async function restateEngine(options: RestateOptions): Promise<RestateEngine> {
  const { sdk, worker, host = "127.0.0.1", port = 0 } = options;
  const epoch = randomBytes(8).toString("hex");
  const closing = new AbortController();
  const engine = ingress({
    ...{ urls: options.ingressUrls, stop: closing.signal, limitMs: PATIENT_MS },
  });
  const states = runStates(engine);
  const policies = new Map<string, Policy>();
  const seats = new Map<string, Seat>();
  const policyFor = (run: string): Policy | undefined =>
    policies.get(run) ?? options.policyFor?.(run);

  const perform = async (message: PerformMessage): Promise<void> => {
    const { run, claim, seq, dispatches } = message;
    const seat = seats.get(run);
    if (seat === undefined || (await seat.claim) !== claim) return;
    await seat.followed.bring(seq);
    for (const { command, again } of dispatches) if (!seat.gone) seat.perform(command, again);
  };

  const endpoint = await serveObjects(
    sdk,
    [
      runObject({ sdk, states, policyFor }),
      indexObject(sdk),
      incidentObject(sdk),
      fleetObject(sdk),
      leaseObject(sdk),
      replicaObject(sdk),
      workerObject(sdk, worker, { perform, take: async (given) => options.take?.(given) }),
    ],
    { ...options, host, port, epoch },
  );
  const process: WorkerProcess = { id: worker, epoch, address: endpoint.address };
  const admins = admin(options.adminUrls);
  await admins.register(endpoint.address);
  void keepLivingDecider(admins, endpoint.address, closing.signal, options.onProblem);

  return {
    process,
    ingress: engine,
    async deliver(run, input): Promise<Delivery> {
      const answer = await deliverTo(engine, run, input);
      if (!answer.recorded) return answer;
      const followed = seats.get(run)?.followed ?? followedRun(engine, run);
      await followed.bring(answer.seq);
      return { recorded: true, state: followed.state() };
    },
    async read(run, from, limit) {
      const rows = await readEvents(engine, run, Math.max(1, from), limit);
      return rows.map(({ seq, event }) => ({ seq, event }));
    },
    follow: (run, from, signal) => follow(engine, run, from, signal),
    async own(run, policy, perform) {
      if (seats.has(run)) throw ownedError(run, process);
      const claim = Promise.withResolvers<number>();
      const followed = followedRun(engine, run);
      const seat: Seat = { claim: claim.promise, perform, followed, gone: false };
      seats.set(run, seat);
      policies.set(run, policy);
      const letGo = (): void => {
        seat.gone = true;
        if (seats.get(run) === seat) seats.delete(run);
        policies.delete(run);
      };
      try {
        const taken = await claimed(engine, run, process);
        await followed.bring(taken.seq);
        claim.resolve(taken.claim);
      } catch (error) {
        letGo();
        claim.resolve(0);
        throw error;
      }
      return {
        state: followed.state,
        async release() {
          if (seat.gone) return;
          letGo();
          await engine.call(RUN_OBJECT, run, "release", { claim: await seat.claim });
        },
      };
    },
    close() {
      closing.abort();
      endpoint.close();
    },
  };
}

async function claimed(
  engine: Ingress,
  run: string,
  process: WorkerProcess,
): Promise<Extract<Claimed, { readonly ok: true }>> {
  for (let over: number | undefined; ;) {
    const asked = { process, ...defined({ over }) };
    const once = { once: true } as const;
    const answer = await engine.call<Claimed>(RUN_OBJECT, run, "claim", asked, once);
    if (answer.ok) return answer;
    if (!(await isProvenGone(answer.owner))) throw ownedError(run, answer.owner);
    over = answer.owner.claim;
  }
}

const ownedError = (run: string, { id, address }: WorkerProcess): JournalError =>
  new JournalError(
    "run-owned",
    `Run ${run} is being worked on by ${id} (${address}). Attach to it, or stop that process first.`,
  );

const FOLLOW_MS = 150;
const ROWS_AT_ONCE = 500;

async function* follow(
  engine: Ingress,
  run: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Recorded, void, undefined> {
  let next = Math.max(1, from);
  while (!signal.aborted) {
    const rows = await readEvents(engine, run, next, ROWS_AT_ONCE);
    for (const { seq, event } of rows) {
      if (signal.aborted) return;
      next = seq + 1;
      yield { seq, event };
      if (event.kind === "run-ended") return;
    }
    if (rows.length > 0) continue;
    const head = await engine.call<RunHead | null>(RUN_OBJECT, run, "head");
    if (head?.phase === "ended" && head.seq < next) return;
    await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
  }
}
