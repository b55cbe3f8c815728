/**
 * Whether something came again, which is where a loop may be: a look that costs next to nothing and decides whether the
 * loop guard is asked at all. Imports types. Invariant: where this says no, the loop guard has nothing to say.
 */
import type { Step } from "../../core/stuck/step.ts";

const MADE_BEFORE = 2;

/** A call that was not made twice before is never refused. */
export const mayBeRefused = (past: readonly Step[], call: Step): boolean =>
  timesMade(past, call) >= MADE_BEFORE;

/** Something failed or came again: without that there is no loop, and most results need no closer look. */
export function mayLoop(past: readonly Step[], result: Step): boolean {
  if (result.kind !== "tool_result") return false;
  const { id, output, isError } = result;
  if (isError === true) return true;
  if (past.some((one) => one.kind === "tool_result" && one.output === output)) return true;
  const call = past.findLast(
    (one) => one.kind === "tool_call" && (id === undefined || one.id === id),
  );
  return call !== undefined && timesMade(past, call) >= MADE_BEFORE;
}

/** How often this very call was made, whatever the order of its arguments. */
function timesMade(past: readonly Step[], call: Step): number {
  if (call.kind !== "tool_call") return 0;
  const args = inOrder(call.args);
  return past.filter(
    (one) =>
      one.kind === "tool_call" &&
      one.tool === call.tool &&
      one.runId === call.runId &&
      inOrder(one.args) === args,
  ).length;
}

function inOrder(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ""
  );
}
