/**
 * Long stretches of work without progress: all calls and outputs differ, but no file changes, no check result is new
 * and nothing new is read. Invariants: O(1) per event; it nudges but never stops an attempt, because a hard problem
 * looks the same.
 */
import type { CallEvent, Origin } from "./event.ts";

export class Grind {
  count = 0;
  origin: Origin | undefined;
}

interface Effect {
  /** The call succeeded and brought something new. */
  readonly news: boolean;
  /** It changed the world, as far as the call shows. */
  readonly acted: boolean;
  /** Trees are observed, so they alone show whether the world changed. */
  readonly treeKnown: boolean;
}

export function noteGrind(grind: Grind, event: CallEvent, effect: Effect): void {
  const { call, poll, alone, outcome, origin } = event;
  if (poll || alone || outcome === "unseen" || call.kind === "plan") return;
  if (moves(event, effect)) {
    grind.count = 0;
    return;
  }
  if (grind.count === 0) grind.origin = origin;
  grind.count += 1;
}

function moves({ call, outcome }: CallEvent, { news, acted, treeKnown }: Effect): boolean {
  if (call.checks) return news;
  if (call.kind === "read" || call.kind === "search") return news && outcome === "ok";
  if (treeKnown || !acted) return false;
  return call.kind !== "shell" || call.changes;
}

/**
 * The count for a few steps after every `nudge` steps, otherwise zero, so that it does not hide a loop detected later.
 */
export const grindToReport = ({ count }: Grind, nudge: number): number =>
  count >= nudge && count % nudge < 3 ? count : 0;
