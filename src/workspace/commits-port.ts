/**
 * The runtime's Commits port on git: what of an attempt would be published, alone and together with the result. Nothing
 * moves but by `advance`, and only from where the joined commit was made on.
 */
import type {
  AttemptCommit,
  Commit,
  Commits,
  Joined,
  TreePlace,
} from "../runtime/ports-workspace.ts";
import type { ActiveRun } from "./base/operation.ts";
import { valueOf } from "./base/refusal.ts";
import { advance, filesWithMarkers, merge, resultTip } from "./git/merge.ts";
import { treeOf } from "./git/read-objects.ts";
import {
  activeRun,
  answered,
  commitOfAttempt,
  type GitTrees,
  messageOf,
  startOf,
} from "./port-context.ts";

export function gitCommits(trees: GitTrees): Commits {
  const run = activeRun(trees);
  return {
    ofAttempt: (place) => answered(run, () => ofAttempt(trees, place)),
    join: (place) => answered(run, () => join(trees, place)),
    advance: ({ commit, onto }) =>
      answered(run, async () =>
        valueOf(await advance(run, { commit, expected: onto }, run.control)),
      ),
    base: () => answered(run, () => withTree(run, run.base)),
    tip: () => answered(run, async () => withTree(run, await resultTip(run))),
  };
}

async function ofAttempt(trees: GitTrees, place: TreePlace): Promise<AttemptCommit> {
  const run = activeRun(trees);
  const commit = await commitOfAttempt(trees, place);
  const start = await startOf(trees, place);
  const markers = valueOf(await filesWithMarkers(run, commit, run.control));
  return { ...(await withTree(run, commit)), start, markers };
}

async function join(trees: GitTrees, place: TreePlace): Promise<Joined> {
  const run = activeRun(trees);
  const onto = await resultTip(run);
  const commit = await commitOfAttempt(trees, place);
  const message = messageOf(trees, place, true);
  const plan = { into: onto, commit, message, at: trees.now() };
  const joined = valueOf(await merge(run, plan, run.control));
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  const made = await withTree(run, joined.commit);
  return { kind: "joined", ...made, onto, there: joined.commit === onto };
}

const withTree = async (run: ActiveRun, commit: string): Promise<Commit> => ({
  commit,
  tree: await treeOf(run, commit),
});
