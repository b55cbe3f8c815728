/**
 * The folder of a fleet's run on this machine: created once, in a checkout of exactly the commit the run began with,
 * fetched through the cache of remotes. `stands`: an existing checkout of the user's to use instead.
 */
import { join } from "node:path";
import type { RunSource } from "../../engines/restate/messages.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { openReplica, type SharedRules } from "../../workspace/replica/open-replica.ts";
import { remoteCheckout } from "../../workspace/replica/remote.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import type { Home } from "../home.ts";
import { defined } from "../operation.ts";
import { accepted, workspaceFolder } from "../runs/accepted.ts";

export interface LocalReplicaOptions {
  readonly home: Home;
  readonly run: string;
  readonly source: RunSource;
  readonly rules: SharedRules | undefined;
  readonly stands?: string | undefined;
}

export const remotesFolder = (home: Home): string => join(home.root, "remotes");

export async function localReplica({
  home,
  run,
  source,
  rules,
  stands,
}: LocalReplicaOptions): Promise<Run> {
  const runDir = workspaceFolder(home, run);
  const there = await loadRun(runDir);
  if (there.ok) return there.value;
  const { url, commit } = source;
  const folder = join(home.runDir(run), "checkout");
  const cacheFolder = remotesFolder(home);
  if (stands === undefined)
    accepted(run, await remoteCheckout({ url, commit, cacheFolder, folder }));
  const plan = { id: run, repository: stands ?? folder, commit, runDir, at: Date.now() };
  return accepted(run, await openReplica({ ...plan, ...defined({ rules }) }));
}
