/**
 * Standard input can be read once: a call that the short way of `unstuck hook` has read, but cannot answer, is
 * handed to the long way here. Two bundles of one process meet at a symbol.
 */
import type { HookCall } from "./hook-call.ts";

const PLACE = Symbol.for("unstuck.hook-call");
const shared = globalThis as { [PLACE]?: HookCall };

export function handOver(call: HookCall): void {
  shared[PLACE] = call;
}

export function takeOver(): HookCall | undefined {
  const call = shared[PLACE];
  delete shared[PLACE];
  return call;
}
