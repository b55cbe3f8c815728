/**
 * The calls of an attempt that a gate refused, derived from its steps: a failed result that says so, and its call.
 * Invariants: a call that succeeded later is not among them; memory is bounded.
 */
import {
  distinctRefusals,
  isSameRefusal,
  refusalOf,
  isGateRefusal,
  type Refusal,
} from "../../core/agent-words/refusal.ts";
import type { Step } from "../../core/stuck/step.ts";

const MAX_CALLS = 64;

export function createRefusals() {
  const calls = new Map<string, Refusal>();
  let refused: readonly Refusal[] = [];
  const ended = ({ id = "", isError, output }: Extract<Step, { kind: "tool_result" }>): void => {
    const call = calls.get(id);
    if (call === undefined) return;
    calls.delete(id);
    if (isError !== true) refused = refused.filter((one) => !isSameRefusal(one, call));
    else if (isGateRefusal(output)) refused = distinctRefusals([...refused, call]);
  };
  const take = (step: Step): void => {
    if (step.kind === "tool_result") return ended(step);
    if (step.kind !== "tool_call" || step.id === undefined) return;
    const call = refusalOf(step.tool, step.args);
    if (call !== undefined) calls.set(step.id, call);
    const [oldest] = calls.keys();
    if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
  };
  return {
    take: (steps: readonly Step[]) => steps.forEach(take),
    /** Those that never succeeded. */
    left: () => refused,
  };
}
