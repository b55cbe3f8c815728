/**
 * The watchdog: a pure state machine that receives each tick's observations and decides which signal to send when and
 * when to look again; and a thin driver with real clock, timers and probes for one guarded process. Invariants: idle
 * means silence, an unchanged tree and no CPU time together; monotonic time counts, except gaps in which the machine
 * slept or this process was stopped, and time spent waiting for a person; signals come in order, each after its grace
 * period; the first reason stands; a slow look at the tree delays no signal; no timer is left when `result` settles.
 */
import { defined } from "../../core/defined.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptDurations, ProcessEnd, StopReason } from "../../runtime/agent-result.ts";
import { countMemoryKills } from "./memory-kills.ts";
import { proveDead } from "./proof-of-death.ts";
import type { GuardedEnd, GuardedProcess } from "./guarded-process.ts";

interface WatchLimits {
  readonly idleMs?: number;
  readonly totalMs?: number;
  /** Time given after SIGINT, SIGTERM and SIGKILL before the next step. */
  readonly graceMs: readonly [interrupt: number, terminate: number, kill: number];
}

export interface Observation {
  readonly monotonicMs: number;
  readonly wallMs: number;
  readonly outputBytes: number;
  /** Absent if not measured. */
  readonly cpuMs?: number;
  /** Counted time between the last look at the CPU and this one; by default up to this tick. */
  readonly cpuForMs?: number;
  readonly tree?: string;
  /** Waiting for a person: this time does not count. */
  readonly held?: boolean;
  /** No closer look has covered the whole silence yet, so nothing counts as idle. */
  readonly unproven?: boolean;
}

const STOP_STEPS = ["SIGINT", "SIGTERM", "SIGKILL", "prove-dead"] as const;
export type StopStep = (typeof STOP_STEPS)[number];

export interface WatchState extends AttemptDurations {
  readonly limits: WatchLimits;
  readonly last: Observation;
  readonly nextMs: number;
  readonly quietMs: number;
  /** Counted time since the CPU was last looked at. */
  readonly sinceCpuMs: number;
  /** Counted time after which a silent attempt is probed. */
  readonly probeMs: number;
  readonly stopping?: {
    readonly reason: StopReason;
    readonly detail: string;
    readonly step: number;
    readonly stepMs: number;
  };
}

interface Watching {
  readonly state: WatchState;
  readonly step?: StopStep;
}

/** Share of CPU time that a waiting program may use: agents that only draw a spinner were seen at 4 % of a core. */
const CPU_NOISE = 0.05;
/** A gap this many times longer than requested means sleep or a stopped process, not work. */
const SLEEP_FACTOR = 4;
const SLEEP_FLOOR_MS = 1000;
/** Short, so that little of a gap can count as work; a tick that only reads clocks costs almost nothing. */
const LONGEST_TICK_MS = 500;
const LONGEST_PROBE_MS = 15_000;
const SHORTEST_TICK_MS = 20;

export function beginWatch(limits: WatchLimits, first: Observation): WatchState {
  const { idleMs = Infinity } = limits;
  const probeMs = Math.max(SHORTEST_TICK_MS, Math.min(LONGEST_PROBE_MS, idleMs / 8));
  const start = { limits, last: first, quietMs: 0, sinceCpuMs: 0, activeMs: 0, sleptMs: 0 };
  return { ...start, probeMs, nextMs: nextTick({ ...start, probeMs, nextMs: 0 }) };
}

export function tick(before: WatchState, seen: Observation): Watching {
  const { counted, slept } = passed(before, seen);
  const isHeld = seen.held === true;
  const active = isHeld || isActive(before, seen, counted);
  const state: WatchState = {
    ...before,
    last: { ...before.last, ...seen },
    activeMs: before.activeMs + (isHeld ? 0 : counted),
    sleptMs: before.sleptMs + slept,
    quietMs: active ? 0 : before.quietMs + counted,
    sinceCpuMs: seen.cpuMs === undefined ? before.sinceCpuMs + counted : 0,
  };
  if (state.stopping !== undefined) return advance(state, state.stopping, counted);
  const { idleMs = Infinity, totalMs = Infinity } = state.limits;
  if (state.activeMs >= totalMs)
    return requestStop(state, "total", `ran longer than ${totalMs} ms`);
  if (state.quietMs >= idleMs && seen.unproven !== true)
    return requestStop(state, "idle", `did nothing for ${idleMs} ms`);
  return { state: { ...state, nextMs: nextTick(state) } };
}

export function requestStop(state: WatchState, reason: StopReason, detail: string): Watching {
  if (state.stopping !== undefined) return { state };
  const stopping = { reason, detail, step: 0, stepMs: 0 };
  return {
    state: { ...state, stopping, nextMs: nextGrace(state.limits.graceMs[0]) },
    step: STOP_STEPS[0],
  };
}

function advance(
  state: WatchState,
  { step, stepMs, ...why }: NonNullable<WatchState["stopping"]>,
  counted: number,
): Watching {
  const grace = state.limits.graceMs[step] ?? Infinity;
  const waited = stepMs + counted;
  if (waited < grace)
    return {
      state: {
        ...state,
        stopping: { ...why, step, stepMs: waited },
        nextMs: nextGrace(grace - waited),
      },
    };
  const next = STOP_STEPS[step + 1];
  const after = { ...state, stopping: { ...why, step: step + 1, stepMs: 0 } };
  const nextMs = nextGrace(state.limits.graceMs[step + 1] ?? LONGEST_TICK_MS);
  return next === undefined ? { state: after } : { state: { ...after, nextMs }, step: next };
}

/** Splits the time since the last tick into counted and slept time. */
function passed(before: WatchState, seen: Observation): { counted: number; slept: number } {
  const monotonic = Math.max(0, seen.monotonicMs - before.last.monotonicMs);
  const gap = Math.max(monotonic, seen.wallMs - before.last.wallMs);
  const longest = before.nextMs * SLEEP_FACTOR + SLEEP_FLOOR_MS;
  const counted = monotonic > longest ? before.nextMs : monotonic;
  return { counted, slept: gap > longest ? gap - counted : 0 };
}

function isActive(before: WatchState, seen: Observation, counted: number): boolean {
  if (seen.outputBytes !== before.last.outputBytes) return true;
  if (seen.tree !== undefined && seen.tree !== before.last.tree) return true;
  if (seen.cpuMs === undefined) return false;
  const used = Math.abs(seen.cpuMs - (before.last.cpuMs ?? 0));
  return used > CPU_NOISE * (seen.cpuForMs ?? before.sinceCpuMs + counted);
}

const nextTick = ({ limits: { totalMs = Infinity }, activeMs, probeMs }: WatchState): number =>
  nextGrace(Math.min(probeMs, totalMs - activeMs));

const nextGrace = (ms: number): number => Math.max(SHORTEST_TICK_MS, Math.min(LONGEST_TICK_MS, ms));

interface WatchOptions {
  readonly limits: WatchLimits;
  readonly treeMark?: () => Promise<string>;
}

interface WatchedEnd extends GuardedEnd {
  readonly end: ProcessEnd;
  /** The kernel killed processes for lack of memory while it ran. */
  readonly outOfMemory: boolean;
  readonly durations: AttemptDurations;
}

export function watchProcess(guarded: GuardedProcess, options: WatchOptions) {
  const { limits } = options;
  let state: WatchState | undefined;
  let timer: NodeJS.Timeout | undefined;
  let cancelled: string | undefined;
  let over = false;
  let holds = 0;
  let memoryKills: number | undefined;
  const probed = probeInSilence(guarded, options);

  const see = (probes: Partial<Observation> = {}): Observation => ({
    monotonicMs: performance.now(),
    wallMs: Date.now(),
    outputBytes: guarded.outputBytes(),
    held: holds > 0,
    ...probes,
  });
  const adopt = ({ state: next, step }: Watching): void => {
    state = next;
    if (step === "prove-dead") void proveDead(guarded.identity, { graceMs: 0 });
    else if (step !== undefined) guarded.signal(step);
    clearTimeout(timer);
    if (!over) timer = setTimeout(look, next.nextMs, true);
  };
  const look = (isDue: boolean): void => {
    if (state === undefined || over) return;
    adopt(tick(state, see(isDue ? probed(state) : {})));
  };
  const hold = (by: 1 | -1): void => {
    look(false);
    holds += by;
  };

  return {
    release(): void {
      if (state !== undefined || cancelled !== undefined) return;
      memoryKills = countMemoryKills();
      guarded.release();
      state = beginWatch(limits, see());
      adopt({ state });
    },
    /** From now on it waits for a person, until the returned function is called. */
    hold(): () => void {
      hold(1);
      return () => hold(-1);
    },
    stop(detail: string, reason: "stop" | "settled" = "stop"): void {
      if (over) return;
      if (state === undefined) {
        cancelled ??= detail;
        guarded.cancel();
      } else adopt(requestStop(tick(state, see()).state, reason, detail));
    },
    result: guarded.ended.then((ended): WatchedEnd => {
      over = true;
      clearTimeout(timer);
      const last = state && tick(state, see()).state;
      const { activeMs = 0, sleptMs = 0 } = last ?? {};
      const outOfMemory = (countMemoryKills() ?? 0) > (memoryKills ?? Infinity);
      const end = endOf(ended, state, cancelled);
      return { ...ended, end, outOfMemory, durations: { activeMs, sleptMs } };
    }),
  };
}

function endOf(
  { word }: GuardedEnd,
  state: WatchState | undefined,
  cancelled: string | undefined,
): ProcessEnd {
  if (word?.say === "refused")
    return { kind: "not-started", errno: word.errno, detail: word.detail };
  const exit = defined({ code: word?.code ?? undefined, signal: word?.signal ?? undefined });
  if (state?.stopping !== undefined) {
    const { reason, detail, step } = state.stopping;
    const strongest = STOP_STEPS[Math.min(step, 2)] as "SIGINT" | "SIGTERM" | "SIGKILL";
    return { kind: "killed", reason, detail, with: strongest, ...exit };
  }
  if (exit.code !== undefined) return { kind: "exited", code: exit.code };
  if (exit.signal !== undefined) return { kind: "signalled", signal: exit.signal };
  return cancelled === undefined
    ? { kind: "guard-lost" }
    : { kind: "not-started", errno: "ECANCELED", detail: cancelled };
}

type Probe = Pick<Observation, "cpuMs" | "cpuForMs" | "tree" | "unproven">;

/**
 * Probes the CPU time and the tree of a silent attempt. Called at each tick: starts a probe if one is due, and returns
 * the last result once. One at a time; only a probe that started after the whole silence can prove it.
 */
function probeInSilence(
  guarded: GuardedProcess,
  { limits: { idleMs = Infinity }, treeMark }: WatchOptions,
): (state: WatchState) => Probe {
  let dueMs = 0;
  let probedMs = 0;
  let isUnderWay = false;
  let found: Probe | undefined;
  const begin = (state: WatchState): void => {
    const nowMs = state.activeMs + state.nextMs;
    const quietMs = state.quietMs + state.nextMs;
    if (isUnderWay || (nowMs - dueMs < state.probeMs && quietMs < idleMs)) return;
    dueMs = nowMs;
    const silent = guarded.outputBytes() === state.last.outputBytes;
    if (!silent || state.stopping !== undefined || idleMs === Infinity) return;
    const cpuForMs = nowMs - probedMs;
    probedMs = nowMs;
    isUnderWay = true;
    void probe(guarded, treeMark, state.probeMs).then((probes) => {
      found = { ...probes, cpuForMs, unproven: quietMs < idleMs };
      isUnderWay = false;
    });
  };
  return (state) => {
    const last = found ?? { unproven: true };
    found = undefined;
    begin(state);
    return last;
  };
}

async function probe(
  guarded: GuardedProcess,
  treeMark: WatchOptions["treeMark"],
  waitMs: number,
): Promise<Pick<Probe, "cpuMs" | "tree">> {
  const waiting = new AbortController();
  const late = sleep(waitMs, undefined, waiting).catch(() => undefined);
  const mark = async (): Promise<string | undefined> => treeMark?.();
  const [cpuMs, tree] = await Promise.all([
    guarded.sampleCpu(),
    Promise.race([mark().catch(() => undefined), late]),
  ]);
  waiting.abort();
  return defined({ cpuMs, tree });
}
