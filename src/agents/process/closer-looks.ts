/**
 * Looks closer at an attempt that is silent: at its CPU time and at its tree, now and then and beside the ticks of
 * the watchdog, which go on meanwhile. Invariants: one look at a time; only a look that began after the whole
 * silence can prove it; never throws.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { GuardedProcess } from "./spawn.ts";
import type { Sighting, WatchLimits, WatchState } from "./watchdog.ts";

type Look = Pick<Sighting, "cpuMs" | "cpuForMs" | "tree" | "unproven">;

export interface LookOptions {
  readonly limits: WatchLimits;
  readonly treeMark?: () => Promise<string>;
}

/** Called at each tick: begins a look where one is due, and gives what the last one found, once. */
export function closerLooks(
  guarded: GuardedProcess,
  { limits: { idleMs = Infinity }, treeMark }: LookOptions,
): (state: WatchState) => Look {
  let dueMs = 0;
  let lookedMs = 0;
  let isUnderWay = false;
  let found: Look | undefined;
  const begin = (state: WatchState): void => {
    const nowMs = state.activeMs + state.nextMs;
    const quietMs = state.quietMs + state.nextMs;
    if (isUnderWay || (nowMs - dueMs < state.probeMs && quietMs < idleMs)) return;
    dueMs = nowMs;
    const silent = guarded.outputBytes() === state.last.outputBytes;
    if (!silent || state.stopping !== undefined || idleMs === Infinity) return;
    const cpuForMs = nowMs - lookedMs;
    lookedMs = nowMs;
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
  treeMark: LookOptions["treeMark"],
  waitMs: number,
): Promise<Pick<Look, "cpuMs" | "tree">> {
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
