/**
 * The runtime's CheckTrees port on git: lends trees that contain exactly one commit, reports what an attempt's own tree
 * has beyond its commit, and which judging files the commit changes. Invariants: an agent was never given a lent tree,
 * and only one check at a time uses it; anything done in a slot to find an explanation is undone.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Judgement } from "../core/checks/judging/contract.ts";
import { judgeChanges } from "../core/checks/judging/judge-changes.ts";
import { cleanLine } from "../core/foreign-text.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type {
  AttemptCommit,
  AttemptTree,
  CheckTree,
  CheckTrees,
  Commit,
  JudgingFiles,
  LeftOut,
  LendRequest,
  Lent,
  OpenTree,
} from "../runtime/ports-workspace.ts";
import { CHECK_SLOTS } from "../runtime/attempt-slot.ts";
import { type ActiveRun } from "./base/operation.ts";
import { refuse } from "./base/refusal.ts";
import { layout, type Worktree } from "./base/run-folder.ts";
import { copyCarried } from "./carry/carried.ts";
import { placeCarried } from "./carry/place-carried.ts";
import { keepObjects, writeCommit } from "./git/objects.ts";
import { treeWith } from "./git/edit-index.ts";
import { cloneGit } from "./git/git-dir.ts";
import { bytes, text } from "./git/git.ts";
import { GITLINK_MODE, idIn, treeFiles } from "./git/read-objects.ts";
import { withBlobs } from "./git/blobs.ts";
import { changedEntries } from "./git/changed-entries.ts";
import { ignoredPaths } from "./git/worktree.ts";
import { loadState } from "./git/tree-state.ts";
import {
  asTreeAnswer,
  runCallersWork,
  commitOfAttempt,
  type GitTrees,
  labelOf,
  openTree,
  type SetUpProblem,
  treeExistsHere,
  worktreeOf,
} from "./port-context.ts";
import { changedSubmodules } from "./snapshots/snapshot.ts";
import { loadSnapshot } from "./snapshots/read-snapshot.ts";
import { changedInCheckTree, fillCheckTree, removeCheckTree } from "./trees/check-tree.ts";
import { restoreSnapshot } from "./trees/restore.ts";
import { unmetDependencies } from "./trees/set-up.ts";

export function gitCheckTrees(trees: GitTrees): CheckTrees {
  const { run } = trees;
  const pool = checkPool(trees);
  const said = new Set<string>();
  const say = (words: string): void => {
    if (!said.has(words)) trees.tell(words);
    said.add(words);
  };
  return {
    lend: (ask, work) => asTreeAnswer(run, () => lend(trees, { pool, say }, ask, work)),
    judgingFiles: (commit, checks) => asTreeAnswer(run, () => judgingFiles(trees, commit, checks)),
    leftOut: (place) => asTreeAnswer(run, () => leftOut(trees, place)),
    inSlot: (place, work) => asTreeAnswer(run, () => inSlot(trees, place, work)),
    unmetDependencies: (commit) =>
      asTreeAnswer(run, async () => (trees.installs ? [] : unmetDependencies(run, commit))),
  };
}

class NotReady extends Error {
  readonly problem: SetUpProblem;
  constructor(problem: SetUpProblem) {
    super(`set-up ${problem.command} failed`);
    this.problem = problem;
  }
}

async function lend<T>(
  trees: GitTrees,
  { pool, say }: { readonly pool: CheckPool; readonly say: (words: string) => void },
  { attemptId, commit, cold = false }: LendRequest,
  work: (tree: CheckTree) => Promise<T>,
): Promise<Lent<T>> {
  const { run, caches } = trees;
  const { tree, commit: head } = commit;
  const number = await pool.take(attemptId);
  try {
    const filled = await fillCheckTree(run, {
      ...{ number, tree, head, caches, cold, ready: await trees.readyMark(tree) },
      ...((trees.installs || trees.carry.length > 0) && {
        prepare: async (worktree: Worktree) => {
          await placeCarried(run, await copyCarried(run, trees.carry), worktree);
          const problem = await trees.setUp(openTree(trees, worktree), tree);
          if (problem !== undefined) throw new NotReady(problem);
        },
      }),
    });
    const { empty, pointers } = filled;
    if (empty.length > 0) say(`${EMPTY_SUBMODULES}: ${named(empty)}`);
    if (pointers.length > 0) say(`${LFS_POINTERS}: ${named(pointers)}`);
    const opened = { ...openTree(trees, filled.worktree), slot: number, cold: filled.cold };
    const value = await runCallersWork(() => work(opened));
    return {
      kind: "lent",
      value,
      changed: await changedInCheckTree(run, { number, tree, caches }),
    };
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    return { kind: "not-ready", ...error.problem };
  } finally {
    await pool.free(number);
  }
}

const named = (paths: readonly string[]): string =>
  cleanLine(paths.slice(0, 5).join(", ") + (paths.length > 5 ? ", …" : ""), 300);

/** What a clean checkout lacks because the user's own checkout lacks it. */
const EMPTY_SUBMODULES =
  "submodules stay empty, not initialised here (git submodule update --init)";
const LFS_POINTERS = "LFS files stay pointers, never fetched here (git lfs pull)";

/** Caches that only show that something ran, not that something was produced. */
const DROPPINGS = /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)\/$|\.pyc$/;

async function leftOut(trees: GitTrees, place: AttemptTree): Promise<readonly LeftOut[]> {
  const { run, inPlace } = trees;
  if (inPlace) return [];
  const worktree = worktreeOf(trees, place.slot);
  const { carry, keep } = await loadState(run, worktree);
  const ours = new Set([...carry, ...keep].map(text));
  // Snapshots contain no ignored files, so this needs the tree itself.
  const seen = (await treeExistsHere(trees, place)) ? await ignoredPaths(run, worktree) : [];
  const ignored = seen
    .map(text)
    .filter((path) => !ours.has(path.replace(/\/$/, "")) && !DROPPINGS.test(path));
  const before = await loadSnapshot(run, labelOf(place, "before"));
  const after = await loadSnapshot(run, labelOf(place, "after"));
  const submodules = changedSubmodules(before, after);
  const hidden = await hiddenIn(trees, place, after.tree);
  return [
    ...after.skipped.flatMap(({ path, reason }): LeftOut[] =>
      reason === "too-big" || reason === "too-deep" || reason === "unreadable"
        ? [{ path, why: reason }]
        : [],
    ),
    ...submodules.map((path): LeftOut => ({ path, why: "submodule" })),
    ...[...new Set([...ignored, ...hidden])].map((path): LeftOut => ({ path, why: "ignored" })),
  ];
}

/** What the attempt's snapshot contains but its commit does not: hidden by ignore rules that the attempt added. */
async function hiddenIn(
  trees: GitTrees,
  place: AttemptTree,
  snapshot: string,
): Promise<readonly string[]> {
  const { run } = trees;
  const commit = await commitOfAttempt(trees, place);
  const entries = await changedEntries(run, { from: commit, to: snapshot });
  const left = entries.filter(({ before }) => before === "").map(({ path }) => text(path));
  if (left.length === 0) return [];
  const kept = [...(await treeFiles(run, commit)).keys()];
  const wholeFolder = (path: string): string => {
    const folder = path.slice(0, path.indexOf("/") + 1);
    return folder !== "" && !kept.some((one) => one.startsWith(folder)) ? folder : path;
  };
  return [...new Set(left.map(wholeFolder))].filter((path) => !DROPPINGS.test(path));
}

async function inSlot<T>(
  trees: GitTrees,
  place: AttemptTree,
  work: (tree: OpenTree) => Promise<T>,
): Promise<T> {
  const { run, now } = trees;
  if (trees.inPlace) refuse("unsafe-path", "the user's own checkout is not tried out");
  if (!(await treeExistsHere(trees, place)))
    refuse("worktree-missing", `the tree of ${place.subtask} does not stand here`);
  const worktree = worktreeOf(trees, place.slot);
  const value = await runCallersWork(() => work(openTree(trees, worktree)));
  const id = `${place.subtask}/${place.attempt}/tried`;
  await restoreSnapshot(run, worktree, { id, at: now(), snapshot: labelOf(place, "after") });
  return value;
}

/**
 * The files that judge the work: which ones a commit changes, and the same commit with the versions it started from.
 * Uses git objects only. A shared manifest keeps the dependencies that the work gave it.
 */
async function judgingFiles(
  { run, isProtected, now: clock }: GitTrees,
  commit: AttemptCommit,
  checks: readonly CheckPlan[],
): Promise<JudgingFiles> {
  const entries = await changedEntries(run, { from: commit.start, to: commit.tree });
  if (entries.length === 0) return { changed: [] };
  const changed = entries.map(({ path, before, after }) => {
    const how = before === "" ? "added" : after === "" ? "deleted" : "edited";
    return { path: text(path), how } as const;
  });
  const base = await treeFiles(run, commit.start);
  const now = await treeFiles(run, commit.tree);
  const judgement = await withBlobs(run, (read) => {
    const filesOf = (of: ReadonlyMap<string, string>) => ({
      paths: [...of.keys()],
      read: (path: string): string | undefined => {
        const entry = of.get(path) ?? GITLINK_MODE;
        return entry.startsWith(GITLINK_MODE) ? undefined : read(idIn(entry));
      },
    });
    return judgeChanges({
      ...{ checks: checks.map((check) => check.run), isProtected, changed },
      ...{ base: filesOf(base), now: filesOf(now) },
    });
  });
  const named = judgement.changes.filter(({ how }) => how !== "added" || judgement.again);
  const files = named.map(({ path }) => path).slice(0, 50);
  if (!judgement.again) return { changed: files };
  return { changed: files, restored: await restoredCommit(run, commit, base, judgement, clock()) };
}

/** The commit's tree with the base's judging files, as a separate commit that is never published. */
async function restoredCommit(
  run: ActiveRun,
  commit: AttemptCommit,
  base: ReadonlyMap<string, string>,
  { restore }: Judgement,
  at: number,
): Promise<Commit> {
  const entries = new Map<string, string>();
  for (const { path, to } of restore) {
    const before = base.get(path);
    if (to === "remove") entries.set(bytes(path), "");
    else if (to === "base") {
      if (before !== undefined) entries.set(bytes(path), before);
    } else {
      const args = ["hash-object", "-w", "--stdin"];
      const { stdout } = await cloneGit(run, args, { input: to.text });
      entries.set(bytes(path), `${before?.split(" ")[0] ?? "100644"} ${stdout.trim()}`);
    }
  }
  const index = join(layout(run.runDir).clone, `index-judged-${commit.tree}`);
  const tree = await treeWith(run, index, commit.tree, entries);
  const message = "The work with the judging files it started from";
  const made = await writeCommit(run, { tree, parents: [commit.start], message, at });
  await keepObjects(run, made, [commit.start, commit.commit]);
  return { commit: made, tree };
}

type CheckPool = ReturnType<typeof checkPool>;

/**
 * Chooses a free check tree: the lowest number that this process does not hold. A tree lent out by a dead process is
 * reused only once its checks are proven dead. Free trees beyond the number of concurrent attempts are removed.
 */
function checkPool({ run, untilDead, concurrency }: GitTrees) {
  const { first } = CHECK_SLOTS;
  const taken = new Set<number>();
  /** The file that names the current holder of the tree. */
  const holderFile = (number: number): string =>
    join(layout(run.runDir).private(`check-${number}`), "holder");
  return {
    async take(attemptId: string): Promise<number> {
      let number: number = first;
      while (taken.has(number)) number += 1;
      taken.add(number);
      try {
        const file = holderFile(number);
        const before = await readFile(file, "utf8").catch(() => "");
        if (before !== "") await untilDead(before);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, attemptId);
      } catch (error) {
        taken.delete(number);
        throw error;
      }
      return number;
    },
    async free(number: number): Promise<void> {
      if (number >= first + concurrency) await removeCheckTree(run, number);
      await rm(holderFile(number), { force: true });
      taken.delete(number);
    },
  };
}
