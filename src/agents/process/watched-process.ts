/**
 * The thin driver of the watchdog: real clock, timers and probes around the pure machine, for one guarded process.
 * Invariants: a slow look at the tree delays no tick and no signal; `result` never rejects; no timer is left when
 * it settles.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptDurations, ProcessEnd } from "../../runtime/ports-agent.ts";
import { proveDead } from "./proof-of-death.ts";
import type { GuardedEnd, GuardedProcess } from "./spawn.ts";
import { STOP_STEPS, askStop, beginWatch, tick } from "./watchdog.ts";
import type { Sighting, StopStep, WatchLimits, WatchState, Watching } from "./watchdog.ts";

export interface WatchOptions {
  readonly limits: WatchLimits;
  readonly treeMark?: () => Promise<string>;
}

export interface WatchedEnd extends GuardedEnd {
  readonly end: ProcessEnd;
  readonly durations: AttemptDurations;
}

export interface WatchedProcess {
  release(): void;
  stop(detail: string, reason?: "stop" | "settled"): void;
  readonly result: Promise<WatchedEnd>;
}

export function watchProcess(guarded: GuardedProcess, options: WatchOptions): WatchedProcess {
  const { limits } = options;
  let state: WatchState | undefined;
  let timer: NodeJS.Timeout | undefined;
  let cancelled: string | undefined;
  let over = false;
  const probed = probeInSilence(guarded, options);

  const see = (probes: Partial<Sighting> = {}): Sighting => ({
    monotonicMs: performance.now(),
    wallMs: Date.now(),
    outputBytes: guarded.outputBytes(),
    ...probes,
  });
  const adopt = ({ state: next, step }: Watching): void => {
    state = next;
    if (step !== undefined) take(guarded, step);
    clearTimeout(timer);
    if (!over) timer = setTimeout(onTick, next.nextMs);
  };
  const onTick = (): void => {
    if (state === undefined || over) return;
    adopt(tick(state, see(probed(state))));
  };

  return {
    release() {
      if (state !== undefined || cancelled !== undefined) return;
      guarded.release();
      state = beginWatch(limits, see());
      adopt({ state });
    },
    stop(detail, reason = "stop") {
      if (over) return;
      if (state === undefined) {
        cancelled ??= detail;
        guarded.cancel();
      } else adopt(askStop(tick(state, see()).state, reason, detail));
    },
    result: guarded.ended.then((ended) => {
      over = true;
      clearTimeout(timer);
      const last = state && tick(state, see()).state;
      const { activeMs = 0, sleptMs = 0 } = last ?? {};
      return { ...ended, end: endOf(ended, state, cancelled), durations: { activeMs, sleptMs } };
    }),
  };
}

function take(guarded: GuardedProcess, step: StopStep): void {
  if (step === "prove-dead") void proveDead(guarded.identity, { graceMs: 0 });
  else guarded.signal(step);
}

function endOf(
  { word }: GuardedEnd,
  state: WatchState | undefined,
  cancelled: string | undefined,
): ProcessEnd {
  if (word?.say === "refused")
    return { kind: "not-started", errno: word.errno, detail: word.detail };
  const exit = {
    ...(word?.code == null ? {} : { code: word.code }),
    ...(word?.signal == null ? {} : { signal: word.signal }),
  };
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

type Probe = Pick<Sighting, "cpuMs" | "cpuForMs" | "tree" | "unproven">;

/**
 * Probes the CPU time and the tree of a silent attempt. Called at each tick: begins a probe where one is due, and
 * gives what the last one found, once. One at a time; only one that began after the whole silence can prove it.
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
  return { ...(cpuMs === undefined ? {} : { cpuMs }), ...(tree === undefined ? {} : { tree }) };
}
