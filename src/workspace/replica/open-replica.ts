/**
 * Opens a run's folder on one of several machines. What determines the commits (their author, which files are ignored)
 * is copied from the first replica; what the file system determines is this machine's own. The repository's current
 * HEAD does not matter.
 */
import { type Control, withResult } from "../base/operation.ts";
import { refuse, type Result } from "../base/refusal.ts";
import { forceRemove } from "../base/remove.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { userView } from "../git/git-dir.ts";
import { idOf } from "../git/git.ts";
import { inspected } from "../repository/inspect.ts";
import { checkStart, openRun } from "../repository/open-run.ts";
import { removePins } from "../repository/user-refs.ts";
import { removeRunFolder } from "../result/clean-up.ts";

/** Plain data for the other machines. */
export type SharedRules = Pick<Run, "identity" | "ignoreLines" | "attributeLines">;

export const sharedRules = ({ identity, ignoreLines, attributeLines }: Run): SharedRules => ({
  ...{ ignoreLines, attributeLines },
  ...(identity === undefined ? {} : { identity }),
});

export interface ReplicaPlan {
  readonly id: string;
  /** A repository that contains the commit all replicas start from, whatever its HEAD is. */
  readonly repository: string;
  readonly commit: string;
  readonly runDir: string;
  readonly at: number;
  /** The rules of the first replica; absent on the first replica itself. */
  readonly rules?: SharedRules;
}

export const openReplica = withResult(
  async (plan: ReplicaPlan, control: Control = {}): Promise<Run> => {
    const seen = await inspected(plan.repository, control);
    const { rules, commit } = plan;
    if ((await idOf(userView(seen), `${commit}^{commit}`, control)) !== commit)
      refuse("no-such-commit", `${plan.repository} does not have ${commit}`);
    const based = { ...seen, head: { ...seen.head, commit } };
    const found =
      rules === undefined ? based : { ...based, ...rules, identity: rules.identity ?? null };
    const opening = { ...plan, base: "head" as const, found };
    granted(await checkStart(found, opening, control));
    return granted(await openRun(opening, control));
  },
);

/** Removes a replica in which nothing was made: its pin and its folder go, the repository is unchanged. */
export const leaveReplica = withResult(async (run: Run, control: Control = {}): Promise<void> => {
  await removePins(run.commonDir, run.id, control);
  await forceRemove(layout(run.runDir).record);
  await removeRunFolder(run.runDir);
});

function granted<T>(result: Result<T>): T {
  return result.ok ? result.value : refuse(result.refusal.kind, result.refusal.detail);
}
