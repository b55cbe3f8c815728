/**
 * Opens a run's folder on one of several machines. What decides which commit comes out (who commits are by, which files
 * are ignored) is the same on all of them, as the first one found it; what a file system decides stays this machine's.
 */
import { type Control, offered } from "../base/operation.ts";
import { refuse, type Result } from "../base/refusal.ts";
import type { Run } from "../base/run-folder.ts";
import { inspected } from "../repository/inspect.ts";
import { mayStart, openRun } from "../repository/open-run.ts";

/** Plain data, for the other machines. */
export type SharedRules = Pick<Run, "identity" | "ignoreLines" | "attributeLines">;

export const sharedRules = ({ identity, ignoreLines, attributeLines }: Run): SharedRules => ({
  ...{ ignoreLines, attributeLines },
  ...(identity === undefined ? {} : { identity }),
});

export interface ReplicaPlan {
  readonly id: string;
  /** A checkout of the commit that all replicas start from. */
  readonly repository: string;
  readonly commit: string;
  readonly runDir: string;
  readonly at: number;
  /** Of the first replica; it has none. */
  readonly rules?: SharedRules;
}

export const openReplica = offered(
  async (plan: ReplicaPlan, control: Control = {}): Promise<Run> => {
    const seen = await inspected(plan.repository, control);
    if (seen.head.commit !== plan.commit)
      refuse("no-such-commit", `${plan.repository} is not at ${plan.commit}`);
    const { rules } = plan;
    const found =
      rules === undefined ? seen : { ...seen, ...rules, identity: rules.identity ?? null };
    const opening = { ...plan, base: "head" as const, found };
    granted(await mayStart(found, opening, control));
    return granted(await openRun(opening, control));
  },
);

function granted<T>(result: Result<T>): T {
  return result.ok ? result.value : refuse(result.refusal.kind, result.refusal.detail);
}
