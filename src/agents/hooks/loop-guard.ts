/**
 * The loop guard of a hook: the session's last steps through the stuck detector. Invariants: a call that was not
 * made before is never refused; a nudge is given once, when the verdict gets worse.
 */
import { verdictsAround } from "../../core/stuck/detector.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { Level, Pattern } from "../../core/stuck/verdict.ts";
import { mayBeRefused, mayLoop } from "./repeats.ts";

/** Loops whose next turn is the call itself; checks that fail again after an edit, for one, are not. */
const BY_THE_CALL: ReadonlySet<Pattern> = new Set([
  "same_call",
  "cycle",
  "poll",
  "nothing_new",
  "edit_revert",
]);

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

/** Why the call that is about to be made must not run; undefined: it may. */
export function refusal(past: readonly Step[], call: Step): string | undefined {
  if (!mayBeRefused(past, call)) return undefined;
  const { now } = verdictsAround(past, call);
  if (now.level !== "stuck" || now.pattern === undefined || !BY_THE_CALL.has(now.pattern))
    return undefined;
  return `This call was not run. ${now.nudge ?? ""}`;
}

/** What to tell the agent beside a result; undefined: nothing new. */
export function nudge(past: readonly Step[], result: Step): string | undefined {
  if (!mayLoop(past, result)) return undefined;
  const { before, now } = verdictsAround(past, result);
  return RANK[now.level] > RANK[before.level] ? now.nudge : undefined;
}
