/**
 * Long stretches of work that move nothing: every call differs and so does every output, but no file changes, no check
 * says anything new and nothing new is read. Invariants: O(1) an event; it nudges and never stops an attempt, because a
 * hard problem looks like this too.
 */
import type { CallEvent, Origin } from "./event.ts";

export class Grind {
  count = 0;
  origin: Origin | undefined;
}

interface Effect {
  /** The call succeeded in bringing something that was not known. */
  readonly news: boolean;
  /** It changed the world, as far as can be told from the call. */
  readonly acted: boolean;
  /** Trees are seen, so they alone tell whether the world moved. */
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

/** Said a few times, then not before as many steps again: it must not hide a loop that is told later. */
export const grindToTell = ({ count }: Grind, nudge: number): number =>
  count >= nudge && count % nudge < 3 ? count : 0;
