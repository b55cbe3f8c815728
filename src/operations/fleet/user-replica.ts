/**
 * A fleet's run on a user's machine: in the current clone if that has the commit the run began with, otherwise in a
 * checkout of its own for reading only. Invariants: only a clone of the user's is ever changed, never a checkout of
 * ours; once something of the run was applied in a clone, the run stays with that clone.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { userView } from "../../workspace/git/git-dir.ts";
import { idOf } from "../../workspace/git/git.ts";
import { leaveReplica } from "../../workspace/replica/open-replica.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { hasApplied } from "../../workspace/result/apply.ts";
import { notNow, type ProblemError } from "../operation.ts";
import { accepted, workspaceFolder } from "../runs/accepted.ts";
import { repositoryHere } from "../runs/find-run.ts";
import { repositoryOf, type WorkspaceUse } from "../runs/shared-home.ts";
import { remoteKey } from "./own-remotes.ts";
import { localReplica, type LocalReplicaOptions } from "./local-replica.ts";

type Asked = Omit<LocalReplicaOptions, "stands"> & {
  readonly cwd: string;
  readonly use: WorkspaceUse;
};

export async function userReplica(asked: Asked): Promise<Run> {
  const { home, run, use } = asked;
  const stands = await cloneHere(asked);
  const loaded = await loadRun(workspaceFolder(home, run));
  const known = loaded.ok ? loaded.value : undefined;
  const moves = known !== undefined && stands !== undefined && known.root !== stands;
  if (known !== undefined && moves && !(await hasApplied(known)))
    accepted(run, await leaveReplica(known));
  const replica =
    stands === undefined && known === undefined && use === "to-change"
      ? undefined
      : await localReplica({ ...asked, stands });
  if (use === "to-look" && replica !== undefined) return replica;
  const own = await realpath(join(home.runDir(run), "checkout")).catch(() => undefined);
  if (replica === undefined || replica.root === own) throw noClone(asked);
  return replica;
}

/** The current repository, if it has the commit the run began with. */
async function cloneHere({ cwd, run, source, use }: Asked): Promise<string | undefined> {
  const found = await repositoryOf(cwd);
  if (!found.ok) return undefined;
  const { root } = found.value;
  const { commit, url } = source;
  if ((await idOf(userView(found.value), `${commit}^{commit}`, {})) === commit) return root;
  const { remotes = [] } = (await repositoryHere(cwd)) ?? {};
  if (use === "to-change" && remotes.includes(remoteKey(url)))
    throw notNow(
      run,
      `this clone lacks ${commit.slice(0, 12)}, which run ${run} began with: git fetch, then the same again`,
    );
  return undefined;
}

const noClone = ({ run, source }: Asked): ProblemError =>
  notNow(
    run,
    `run ${run} is of ${cleanLine(source.url, 300)}, and this folder is no clone of it\n` +
      `  Go to a clone (git clone ${cleanLine(source.url, 300)}), then the same again there`,
  );
