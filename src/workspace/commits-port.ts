/**
 * The runtime's Commits port on git: what of an attempt would be published, alone and together with the result.
 * Invariants: nothing moves but by `advance`, and only from where the joined commit was made on; a refusal becomes
 * a failure of origin workspace.
 */
import type {
  AttemptCommit,
  Commit,
  Commits,
  Joined,
  TreePlace,
} from "../runtime/ports-workspace.ts";
import type { Control, Run } from "./base/types.ts";
import { cloneView } from "./git/git-dir.ts";
import { git } from "./git/git.ts";
import {
  answered,
  commitOfAttempt,
  type GitTrees,
  messageOf,
  startOf,
  valueOf,
} from "./port-context.ts";
import { advance, filesWithMarkers, merge, resultTip } from "./result/merge.ts";

export function gitCommits(trees: GitTrees): Commits {
  const { run, control = {} } = trees;
  return {
    ofAttempt: (place) => answered(run, () => ofAttempt(trees, place)),
    join: (place) => answered(run, () => join(trees, place)),
    advance: ({ commit, onto }) =>
      answered(run, async () => valueOf(await advance(run, { commit, expected: onto }, control))),
    base: () => answered(run, () => withTree(run, run.base, control)),
    tip: () => answered(run, async () => withTree(run, await resultTip(run), control)),
  };
}

async function ofAttempt(trees: GitTrees, place: TreePlace): Promise<AttemptCommit> {
  const { run, control = {} } = trees;
  const commit = await commitOfAttempt(trees, place);
  const start = await startOf(trees, place);
  const markers = valueOf(await filesWithMarkers(run, commit, control));
  return { ...(await withTree(run, commit, control)), start, markers };
}

async function join(trees: GitTrees, place: TreePlace): Promise<Joined> {
  const { run, control = {}, now } = trees;
  const onto = await resultTip(run);
  const commit = await commitOfAttempt(trees, place);
  const message = messageOf(trees, place, true);
  const joined = valueOf(await merge(run, { into: onto, commit, message, at: now() }, control));
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  const made = await withTree(run, joined.commit, control);
  return { kind: "joined", ...made, onto, there: joined.commit === onto };
}

async function withTree(run: Run, commit: string, control: Control): Promise<Commit> {
  const args = ["rev-parse", "-q", "--verify", `${commit}^{tree}`];
  const { stdout } = await git({ args, env: cloneView(run) }, control);
  return { commit, tree: stdout.trim() };
}
