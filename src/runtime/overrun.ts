/**
 * The adaptive policy's own cut-off: an attempt that takes far longer than its agent usually does, without any news, is
 * interrupted, and what it failed of is that it made no progress. Other policies leave that to the limits of the plan.
 */
import { duration } from "../core/amounts.ts";
import type { Command } from "../core/run/command.ts";
import { mayGiveUpOne, tooLongMs } from "../core/run/overrun.ts";
import { indexOf } from "../core/run/state.ts";
import { watchOverrun, type OverrunWatch } from "./overrun-watch.ts";
import { deliver, stateOf, type RunUnderway } from "./ports.ts";
import type { AttemptTree } from "./ports-workspace.ts";

type Start = Extract<Command, { readonly kind: "start" }>;

export function overrunWatch(
  underway: RunUnderway,
  { subtask, attempt, spec }: Start,
  tree: AttemptTree,
): OverrunWatch | undefined {
  const { plan, ports, state } = underway;
  const details = plan.subtasks[subtask];
  const of = plan.plan.subtasks[indexOf(state(), subtask) ?? -1];
  if (plan.policy.policy !== "adaptive" || details === undefined || of === undefined)
    return undefined;
  const own = stateOf(underway, subtask);
  if (!mayGiveUpOne(own, of, plan.plan, plan.policy)) return undefined;
  const { usual, tooLong } = tooLongMs(state(), spec.entry);
  return watchOverrun({
    clock: ports.clock,
    tooLongMs: tooLong,
    quietMs: details.idleMs,
    seen: own.seen,
    treeMark: () => ports.workspace.mark(tree),
    tooLong: (ranMs, quietMs) => {
      const pattern = `it ran for ${duration(ranMs)}, where ${duration(usual)} is usual, and brought nothing new in the last ${duration(quietMs)}`;
      const running = underway.running.get(`${subtask}/${attempt}`);
      if (running === undefined) return;
      running.overrun = pattern;
      // An engine that fails here fails for the attempt's end as well, and that is where it is answered.
      deliver(underway, {
        ...{ kind: "loop-seen", subtask, attempt, level: "stuck", pattern, words: "" },
      }).catch(() => {});
    },
  });
}
