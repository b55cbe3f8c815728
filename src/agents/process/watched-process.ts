/**
 * The thin driver of the watchdog: real clock and timers around the pure machine, for one guarded process.
 * Invariants: a slow look at the tree delays no tick and no signal; `result` never rejects; no timer is left when
 * it settles.
 */
import type { AttemptDurations, ProcessEnd } from "../../runtime/ports-agent.ts";
import { closerLooks } from "./closer-looks.ts";
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

export function watchProcess(
  guarded: GuardedProcess,
  { limits, treeMark }: WatchOptions,
): WatchedProcess {
  let state: WatchState | undefined;
  let timer: NodeJS.Timeout | undefined;
  let cancelled: string | undefined;
  let over = false;
  const look = closerLooks(guarded, { limits, ...(treeMark === undefined ? {} : { treeMark }) });

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
    adopt(tick(state, see(look(state))));
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
