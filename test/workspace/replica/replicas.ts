/** Two replicas of one run on one origin, and the ports on each of them as a worker has them. */
import { statSync } from "node:fs";
import type {
  AttemptTree,
  CheckTrees,
  Commits,
  TreeAnswer,
  Workspace,
} from "../../../src/runtime/ports-workspace.ts";
import type { StartTree } from "../../../src/core/run/attempt.ts";
import { gitCheckTrees } from "../../../src/workspace/check-trees-port.ts";
import { gitCommits, gitStandingTrees, gitWorkspace } from "../../../src/workspace/port.ts";
import type { GitTrees } from "../../../src/workspace/port-context.ts";
import {
  type Change,
  type Known,
  NOTHING_KNOWN,
  withChange,
} from "../../../src/workspace/replica/change.ts";
import { exportChanges, importChanges } from "../../../src/workspace/replica/changes.ts";
import { AT, folder, open, value, write } from "../fixture.ts";
import type { Run } from "../operations.ts";

export interface Replica {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly commits: Commits;
  readonly checkTrees: CheckTrees;
  readonly release: (slot: string) => Promise<unknown>;
  known: Known;
}

export const replica = async (repository: string): Promise<Replica> =>
  portsOn(await open(repository));

export function portsOn(run: Run): Replica {
  const trees: GitTrees = {
    ...{ run: { ...run, control: {} }, concurrency: 2, carry: [], caches: [] },
    ...{ environment: () => ({}), now: () => AT, readyMark: async () => "ready" },
    ...{ setUp: async () => undefined, installs: false, promptOf: (subtask) => `Do ${subtask}.` },
    ...{ tell: () => undefined, isProtected: () => false, untilDead: async () => undefined },
    inPlace: false,
  };
  return {
    ...{ run, workspace: gitWorkspace(trees), commits: gitCommits(trees) },
    ...{ checkTrees: gitCheckTrees(trees), known: NOTHING_KNOWN },
    release: (slot) => gitStandingTrees(trees).release(slot),
  };
}

export function answer<T>(of: TreeAnswer<T>): T {
  if (!of.ok) throw new Error(of.failure.because.join("; "));
  return of.value;
}

type Files = Parameters<typeof write>[1];

/** One attempt with what its agent writes; gives the folder it worked in. */
export async function attempt(
  { workspace }: Replica,
  place: AttemptTree,
  tree: StartTree,
  files: Files,
): Promise<string> {
  const { cwd } = answer(await workspace.begin(place, tree));
  write(cwd, files);
  answer(await workspace.finish(place));
  return cwd;
}

/** The attempt's work becomes part of the result. */
export async function mergeIn({ commits }: Replica, place: AttemptTree): Promise<string> {
  const joined = answer(await commits.join(place));
  if (joined.kind !== "joined") throw new Error(`conflict in ${joined.files.join(", ")}`);
  answer(await commits.advance(joined));
  return joined.commit;
}

export const place = (subtask: string, number: number, slot = "1"): AttemptTree => ({
  ...{ subtask, attempt: number, slot },
});

/** Everything that was handed on in this process, as an engine keeps it. */
export const log: { readonly run: Run; readonly change: Change; readonly bundle?: string }[] = [];

/** Hands on what `from` made; gives the change as it went through JSON, and how large its bundle was. */
export async function handOn(
  from: Replica,
  ...to: readonly Replica[]
): Promise<{ readonly change: Change; readonly bytes: number; readonly bundle?: string }> {
  const made = value(await exportChanges(from.run, from.known, folder("bundles")));
  const change = JSON.parse(JSON.stringify(made.change)) as Change;
  from.known = withChange(from.known, change);
  log.push({ ...made, run: from.run, change });
  for (const each of to) {
    value(await importChanges(each.run, change, { ...made, at: AT }));
    each.known = withChange(each.known, change);
  }
  return { ...made, change, bytes: made.bundle === undefined ? 0 : statSync(made.bundle).size };
}
