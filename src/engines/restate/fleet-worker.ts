/**
 * One worker of the fleet: it sends heartbeats, takes commands, reports them done, and detects dead workers.
 * Invariants: a command in hand is carried out once, however often it is sent; a worker that cannot renew its lease in
 * time ends its work; another worker is declared lost only when its process is proven gone (which only its own machine
 * can do) and its agents have had their grace period, or when its lease is long over, so two workers never do the same
 * work.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isProvenGone } from "./endpoint.ts";
import { restateEngine, type RestateEngine, type RestateOptions } from "./engine.ts";
import {
  BEAT_MS,
  isForRunning,
  LEASE_MS,
  RENEW_MS,
  type BeatAnswer,
  type Errand,
  type GivenBack,
  type WorkerBeat,
} from "./fleet-messages.ts";
import { ingress } from "./ingress.ts";
import { LEASE_MARGIN_MS } from "./lease-object.ts";
import { FLEET_OBJECT, LEASE_OBJECT, ONLY, type RunSource } from "./messages.ts";

export interface FleetWorkerOptions extends Omit<RestateOptions, "take"> {
  readonly labels: readonly string[];
  readonly slots: number;
  readonly version: string;
  /** The store of large content that all workers share. */
  readonly blobs: string;
  /** Settles once the command is answered. If it fails before it has called `begun`, nothing has happened yet. */
  readonly carryOut: (given: Given, begun: () => void) => Promise<void>;
}

export interface Given {
  readonly run: string;
  readonly source: RunSource;
  readonly errand: Errand;
  readonly engine: RestateEngine;
  /** The number of this worker in the fleet. */
  readonly number: number;
}

export interface FleetWorker {
  readonly engine: RestateEngine;
  /** Settles when the lease is over: everything in progress has to end now. */
  readonly leaseOver: Promise<void>;
  /** How many commands it has in hand. */
  inHand(): number;
  /**
   * Accepts nothing new; settles once nothing is in hand and the fleet knows that it leaves, or when `limit` aborts.
   */
  drain(limit: AbortSignal): Promise<void>;
  close(): void;
}

/** How long agents may outlive their dead worker: their guards end them sooner. */
const AFTER_DEATH_MS = 4500;
const RETRY_MAX_MS = 30_000;
/** A command that could not be begun so often is given to another worker: within 8 s. */
const TRIES = 5;

export async function fleetWorker(options: FleetWorkerOptions): Promise<FleetWorker> {
  const { labels, slots, version, blobs, carryOut, onProblem } = options;
  const inHand = new Set<string>();
  const over = Promise.withResolvers<void>();
  const closing = new AbortController();
  const joined = Promise.withResolvers<number>();
  let draining = false;

  const engine = await restateEngine({
    ...options,
    async take({ run, epoch, source, errand }) {
      const { id, kind } = errand;
      if (epoch !== engine.process.epoch) return;
      const isWord = isForRunning(kind);
      if (!isWord && inHand.has(id)) return;
      if (!isWord) inHand.add(id);
      const number = await joined.promise;
      const given = { run, source, errand, engine, number };
      if (isWord) void carryOut(given, () => undefined).catch(onProblem);
      else void carryOutWithRetries(given).catch(onProblem);
    },
  });
  /**
   * Carries out a command, retrying after errors such as an unreachable remote. Gives it back if this worker drains, or
   * cannot even begin it.
   */
  const carryOutWithRetries = async (given: Given): Promise<void> => {
    const { id } = given.errand;
    const { epoch } = engine.process;
    let begun = false;
    for (let tries = 1; !closing.signal.aborted; tries += 1) {
      const isDone = await carryOut(given, () => (begun = true)).then(
        () => true,
        (problem: unknown) => void onProblem(problem),
      );
      const isGivenBack = isDone !== true && (draining || (!begun && tries >= TRIES));
      if (isDone === true || isGivenBack) {
        const back: GivenBack = { id, epoch, begun };
        await (isGivenBack ? told("back", back) : told("done", { id, epoch }));
        inHand.delete(id);
        return;
      }
      const pause = Math.min(500 * 2 ** (tries - 1), RETRY_MAX_MS);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const told = (handler: string, message: unknown): Promise<unknown> =>
    engine.ingress.call(FLEET_OBJECT, ONLY, handler, message, { once: true });
  const beats = ingress({ urls: options.ingressUrls, limitMs: 4000, patienceMs: 0 });
  const findDead = deathWatch(async (id, epoch, isProven) => {
    if (isProven || (await beats.call<boolean>(LEASE_OBJECT, id, "end", { epoch })))
      await told("lost", { id, epoch });
  });

  const beat = async (): Promise<BeatAnswer> => {
    const { id, epoch, address } = engine.process;
    const word: WorkerBeat = {
      ...{ id, epoch, address, labels, slots, version, blobs, draining },
      has: [...inHand],
    };
    const answer = await beats.call<BeatAnswer>(FLEET_OBJECT, ONLY, "beat", word);
    joined.resolve(answer.number);
    findDead(answer, id).catch(onProblem);
    return answer;
  };
  const beating = new AbortController();
  const live = async (): Promise<void> => {
    while (!beating.signal.aborted) {
      await beat().catch(onProblem);
      await sleep(BEAT_MS, undefined, { signal: beating.signal }).catch(() => undefined);
    }
  };
  const keepLease = async (): Promise<void> => {
    const { id, epoch } = engine.process;
    for (let renewedAt = performance.now(); !beating.signal.aborted;) {
      const begun = performance.now();
      try {
        if (!(await beats.call<boolean>(LEASE_OBJECT, id, "renew", { epoch }))) break;
        renewedAt = begun;
      } catch (error) {
        onProblem(error);
      }
      if (performance.now() - renewedAt > LEASE_MS) break;
      await sleep(RENEW_MS, undefined, { signal: beating.signal }).catch(() => undefined);
    }
    if (!beating.signal.aborted) over.resolve();
  };
  const living = Promise.all([live(), keepLease()]);
  /** Commands given before the fleet knew that this worker drains may still be on their way. */
  const hasNothing = async (): Promise<boolean> =>
    inHand.size === 0 &&
    (await beat().then(
      ({ given }) => given,
      () => 0,
    )) === 0;
  /** Leaves on its own, so that no other worker has to detect its end. */
  const leave = async (): Promise<void> => {
    beating.abort();
    await living;
    const { id, epoch } = engine.process;
    await beats.call(FLEET_OBJECT, ONLY, "lost", { id, epoch }).catch(onProblem);
  };
  return {
    engine,
    leaseOver: over.promise,
    inHand: () => inHand.size,
    async drain(limit) {
      draining = true;
      await beat().catch(onProblem);
      while (!limit.aborted) {
        if (await hasNothing()) return leave();
        await sleep(100);
      }
    },
    close() {
      beating.abort();
      closing.abort();
      engine.close();
    },
  };
}

/** Checks overdue workers, one check at a time. */
function deathWatch(
  declare: (id: string, epoch: string, isProven: boolean) => Promise<unknown>,
): (answer: BeatAnswer, self: string) => Promise<void> {
  const goneSince = new Map<string, number>();
  let looking = false;
  return async ({ now, overdue }, self) => {
    if (looking) return;
    looking = true;
    try {
      for (const { beatAt, ...other } of overdue) {
        const { id, epoch } = other;
        if (id === self) continue;
        if (!(await isProvenGone(other))) goneSince.delete(epoch);
        else if (!goneSince.has(epoch)) goneSince.set(epoch, performance.now());
        const since = goneSince.get(epoch);
        const isProven = since !== undefined && performance.now() - since > AFTER_DEATH_MS;
        if (!isProven && now - beatAt < LEASE_MS + LEASE_MARGIN_MS) continue;
        await declare(id, epoch, isProven);
        goneSince.delete(epoch);
      }
    } finally {
      looking = false;
    }
  };
}
