/**
 * Assigns commands to workers, as a pure function of the fleet's state. Invariants: an attempt takes a slot of its
 * worker, never beyond the worker's slots or the fleet's limits; a subtask's commands go to the worker that had it
 * last, while that one lives; the commands of a lost worker are assigned again and marked as repeated; messages for a
 * running attempt go to where it runs, or nowhere.
 */
import type {
  Errand,
  FleetLimit,
  FleetState,
  GivenBack,
  GivenErrand,
  KnownWorker,
  WorkerBeat,
} from "./fleet-messages.ts";
import { defined } from "../../core/defined.ts";
import { isForRunning, RESEND_MS, UNABLE_MS, UNHEARD_MS } from "./fleet-messages.ts";
import { isWithinLimits, withBegun } from "./limits.ts";
import type { RunSource } from "./messages.ts";

export interface Assigned {
  readonly state: FleetState;
  readonly sends: readonly GivenErrand[];
}

export const NEW_FLEET: FleetState = {
  v: 1,
  workers: {},
  waiting: [],
  given: {},
  places: {},
  sources: {},
  limits: {},
  joined: 0,
};

/** Queues new commands and assigns what can be assigned. */
export function enqueued(
  state: FleetState,
  { run, source, errands }: NewErrands,
  now: number,
): Assigned {
  const known = new Set([...Object.keys(state.given), ...state.waiting.map(({ id }) => id)]);
  const fresh = errands.filter(({ id, kind }) => isForRunning(kind) || !known.has(id));
  const sources = { ...state.sources, [run]: source };
  return assignWaiting({ ...state, sources, waiting: [...state.waiting, ...fresh] }, now);
}

export interface NewErrands {
  readonly run: string;
  readonly source: RunSource;
  readonly errands: readonly Errand[];
}

export function completed(state: FleetState, id: string, epoch: string, now: number): Assigned {
  const { [id]: errand, ...given } = state.given;
  if (errand?.epoch !== epoch) return { state, sends: [] };
  const next = errand.kind === "end" ? withoutRun(state, errand.run) : state;
  return assignWaiting({ ...next, given }, now);
}

/** A worker's heartbeat. Commands it should have but does not report by now are sent again. */
export function afterBeat(state: FleetState, word: WorkerBeat, now: number): Assigned {
  const { has, ...said } = word;
  const known = state.workers[word.id];
  const isNew = known?.epoch !== word.epoch;
  const before = isNew && known !== undefined ? withoutWorker(state, known) : state;
  const joined = known === undefined ? state.joined + 1 : state.joined;
  const worker: KnownWorker = {
    ...said,
    beatAt: now,
    joinedAt: isNew ? now : known.joinedAt,
    number: known?.number ?? state.joined,
    ...(isNew ? {} : defined({ unableAt: known.unableAt })),
  };
  const inHand = new Set(has);
  const unheard = Object.values(before.given).filter(
    ({ id, epoch, at }) => epoch === word.epoch && !inHand.has(id) && now - at > RESEND_MS,
  );
  const resent = unheard.map((errand) => ({ ...errand, at: now }));
  const given = { ...before.given, ...Object.fromEntries(resent.map((one) => [one.id, one])) };
  const next = { ...before, given, joined, workers: { ...before.workers, [word.id]: worker } };
  const { state: after, sends } = assignWaiting(next, now);
  return { state: after, sends: [...resent, ...sends] };
}

/** The process is proven dead, or its lease is over. */
export function withoutLostWorker(
  state: FleetState,
  id: string,
  epoch: string,
  now: number,
): Assigned {
  const worker = state.workers[id];
  if (worker?.epoch !== epoch) return { state, sends: [] };
  const { [id]: _, ...workers } = withoutWorker(state, worker).workers;
  return assignWaiting({ ...withoutWorker(state, worker), workers }, now);
}

/** It could not be carried out there: other workers try it first, each once before any tries again. */
export function returned(
  state: FleetState,
  { id, epoch, begun = true }: GivenBack,
  now: number,
): Assigned {
  const { [id]: errand, ...given } = state.given;
  if (errand?.epoch !== epoch) return { state, sends: [] };
  const { worker, epoch: _, at: __, unable: before = [], ...rest } = errand;
  const all = [...before, worker];
  const unable = Object.keys(state.workers).every((one) => all.includes(one)) ? [worker] : all;
  const waiting = { ...rest, unable, again: rest.again || begun };
  const known = state.workers[worker];
  const workers =
    begun || known === undefined
      ? state.workers
      : { ...state.workers, [worker]: { ...known, unableAt: now } };
  return assignWaiting({ ...state, workers, given, waiting: [waiting, ...state.waiting] }, now);
}

/** Applies to new attempts only; running ones continue. Without `limit` the limit is removed. */
export function withLimit(
  state: FleetState,
  { key, limit }: { readonly key: string; readonly limit?: FleetLimit },
  now: number,
): Assigned {
  const { [key]: _, ...others } = state.limits;
  const limits = limit === undefined ? others : { ...others, [key]: limit };
  return assignWaiting({ ...state, limits }, now);
}

function withoutRun(state: FleetState, run: string): FleetState {
  const { [run]: _, ...sources } = state.sources;
  const isOthers = ([place]: [string, string]): boolean => !place.startsWith(`${run}/`);
  const places = Object.fromEntries(Object.entries(state.places).filter(isOthers));
  return { ...state, sources, places };
}

/** The commands it had in hand go to the front of the queue. */
function withoutWorker(state: FleetState, { id, epoch }: KnownWorker): FleetState {
  const all = Object.values(state.given);
  const had = all.filter((one) => one.worker === id && one.epoch === epoch);
  const back = had.map(({ worker: _, epoch: __, at: ___, ...errand }) => ({
    ...errand,
    again: true,
  }));
  const given = Object.fromEntries(
    all.filter((one) => !had.includes(one)).map((one) => [one.id, one]),
  );
  return { ...state, given, waiting: [...back, ...state.waiting] };
}

/** Linear in the assigned plus the waiting commands, not in their product: a fleet may have thousands of both. */
function assignWaiting(state: FleetState, now: number): Assigned {
  const sends: GivenErrand[] = [];
  const waiting: Errand[] = [];
  const given: Record<string, GivenErrand> = { ...state.given };
  const places: Record<string, string> = { ...state.places };
  const loads = loadsOf(state);
  let next: FleetState = { ...state, given, places };
  for (const errand of state.waiting) {
    const worker = workerFor(next, loads, errand, now);
    if (worker === undefined) {
      if (!isForRunning(errand.kind)) waiting.push(errand);
      continue;
    }
    const { id, epoch } = worker;
    const send = { ...errand, worker: id, epoch, at: now };
    sends.push(send);
    if (isForRunning(errand.kind)) continue;
    if (errand.subtask !== undefined) places[placeOf(errand, errand.subtask)] = id;
    if (errand.kind === "start") next = { ...next, begun: withBegun(next, errand, now) };
    given[errand.id] = send;
    loads.add(send);
  }
  return { state: { ...next, waiting }, sends };
}

/** How many commands each worker has in hand. */
interface Loads {
  readonly starts: (worker: string) => number;
  readonly all: (worker: string) => number;
  add(given: GivenErrand): void;
}

function loadsOf({ given }: FleetState): Loads {
  const starts = new Map<string, number>();
  const all = new Map<string, number>();
  const add = ({ worker, kind }: GivenErrand): void => {
    all.set(worker, (all.get(worker) ?? 0) + 1);
    if (kind === "start") starts.set(worker, (starts.get(worker) ?? 0) + 1);
  };
  Object.values(given).forEach(add);
  return { add, starts: (id) => starts.get(id) ?? 0, all: (id) => all.get(id) ?? 0 };
}

const placeOf = ({ run }: Errand, subtask: string): string => `${run}/${subtask}`;

function workerFor(
  state: FleetState,
  loads: Loads,
  errand: Errand,
  now: number,
): KnownWorker | undefined {
  const last =
    errand.subtask === undefined
      ? undefined
      : state.workers[state.places[placeOf(errand, errand.subtask)] ?? ""];
  if (isForRunning(errand.kind)) return last;
  const fits = ({ labels }: KnownWorker): boolean =>
    errand.labels.every((label) => labels.includes(label));
  const workers = Object.values(state.workers).filter(fits);
  const isWell = ({ draining, beatAt }: KnownWorker): boolean =>
    !draining && now - beatAt <= UNHEARD_MS;
  // Work in progress is ended where it began, even by a draining worker.
  if (errand.kind !== "start") {
    if (last !== undefined && isAble(last, errand, now)) return last;
    return least(loads, able(workers.filter(isWell), errand, now)) ?? last ?? least(loads, workers);
  }
  const free = able(workers.filter(isWell), errand, now).filter(
    ({ id, slots }) => loads.starts(id) < slots,
  );
  if (free.length === 0 || !isWithinLimits(state, errand, now)) return undefined;
  return free.find(({ id }) => id === last?.id) ?? least(loads, free);
}

/** Those that can probably begin it; if there are none, those that have not tried it yet, and then all. */
function able(
  workers: readonly KnownWorker[],
  errand: Errand,
  now: number,
): readonly KnownWorker[] {
  const probably = workers.filter((worker) => isAble(worker, errand, now));
  if (probably.length > 0) return probably;
  const untried = workers.filter(({ id }) => errand.unable?.includes(id) !== true);
  return untried.length > 0 ? untried : workers;
}

const isAble = ({ id, unableAt }: KnownWorker, { unable = [] }: Errand, now: number): boolean =>
  !unable.includes(id) && (unableAt === undefined || now - unableAt > UNABLE_MS);

function least(loads: Loads, workers: readonly KnownWorker[]): KnownWorker | undefined {
  const load = ({ id, slots }: KnownWorker): number => loads.all(id) / Math.max(1, slots);
  return workers.toSorted(
    (a, b) => Number(a.draining) - Number(b.draining) || load(a) - load(b) || a.number - b.number,
  )[0];
}
