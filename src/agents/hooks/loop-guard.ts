/**
 * The loop guard of a hook: the session's last steps through the stuck detector. Imports core. Invariants: a call that
 * was not made before is never refused; a nudge is given once, when the verdict gets worse.
 */
import { createStuckDetector } from "../../core/stuck/detector.ts";
import type { Step } from "../../core/stuck/step.ts";
import { NO_VERDICT } from "../../core/stuck/verdict.ts";
import type { Level, Pattern, Verdict } from "../../core/stuck/verdict.ts";
import { timesMade } from "./remembered-step.ts";

/** Loops whose next turn is the call itself; checks that fail again after an edit, for one, are not. */
const BY_THE_CALL: ReadonlySet<Pattern> = new Set([
  "same_call",
  "cycle",
  "poll",
  "nothing_new",
  "edit_revert",
]);
const MADE_BEFORE = 2;

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

/** Why the call that is about to be made must not run; undefined: it may. */
export function refusal(past: readonly Step[], call: Step): string | undefined {
  if (timesMade(past, call) < MADE_BEFORE) return undefined;
  const { now } = judged(past, call);
  if (now.level !== "stuck" || now.pattern === undefined || !BY_THE_CALL.has(now.pattern))
    return undefined;
  return `This call was not run. ${now.nudge ?? ""}`;
}

/** What to tell the agent beside a result; undefined: nothing new. */
export function nudge(past: readonly Step[], result: Step): string | undefined {
  if (!mayLoop(past, result)) return undefined;
  const { before, now } = judged(past, result);
  return RANK[now.level] > RANK[before.level] ? now.nudge : undefined;
}

/** Something failed or came again: without that there is no loop, and most results need no closer look. */
function mayLoop(past: readonly Step[], result: Step): boolean {
  if (result.kind !== "tool_result") return false;
  const { id, output, isError } = result;
  if (isError === true) return true;
  if (past.some((one) => one.kind === "tool_result" && one.output === output)) return true;
  const call = past.findLast(
    (one) => one.kind === "tool_call" && (id === undefined || one.id === id),
  );
  return call !== undefined && timesMade(past, call) >= MADE_BEFORE;
}

/** The verdicts after the last result but this, and after this step. */
function judged(past: readonly Step[], step: Step): { before: Verdict; now: Verdict } {
  const detector = createStuckDetector();
  let before = NO_VERDICT;
  for (const one of past) {
    const verdict = detector.step(one);
    if (one.kind !== "tool_call") before = verdict;
  }
  return { before, now: detector.step(step) };
}
