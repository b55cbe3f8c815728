/**
 * The runtime's CheckTrees port on git: lends trees that hold exactly one commit, and tells what an attempt's own tree
 * has beyond its commit. A lent tree is never one an agent was given, and one check at a time has it; one that a
 * process which is gone had lent is given to nobody before its checks are proven dead; whatever is done in a slot for
 * an explanation is taken back.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cleanLine } from "../core/foreign-text.ts";
import type {
  CheckTree,
  CheckTrees,
  LeftOut,
  LendRequest,
  Lent,
  OpenTree,
  AttemptTree,
} from "../runtime/ports-workspace.ts";
import { CHECK_SLOTS } from "../runtime/slots.ts";
import { refuse, valueOf } from "./base/operation.ts";
import { layout } from "./base/run-folder.ts";
import { keepCarried, layCarried } from "./carry/carried.ts";
import { changedEntries, treeEntries } from "./git/read-objects.ts";
import { text } from "./git/git.ts";
import { ignoredPaths, loadState } from "./git/worktree.ts";
import {
  activeRun,
  answered,
  commitOfAttempt,
  type GitTrees,
  labelOf,
  type SetUpProblem,
} from "./port-context.ts";
import { openTree, worktreeOf } from "./port.ts";
import { leftOutOf, readSnapshot } from "./snapshots/snapshot.ts";
import { changedInCheckTree, fillCheckTree, removeCheckTree } from "./trees/check-tree.ts";
import { judgingFiles, unmetDependencies } from "./trees/judging-files.ts";
import { restore } from "./trees/restore.ts";

export function gitCheckTrees(trees: GitTrees): CheckTrees {
  const run = activeRun(trees);
  const { isProtected, now } = trees;
  const pool = checkPool(trees);
  const said = new Set<string>();
  const say = (words: string): void => {
    if (!said.has(words)) trees.tell(words);
    said.add(words);
  };
  return {
    lend: (ask, work) => answered(run, () => lend(trees, { pool, say }, ask, work)),
    judgingFiles: (commit, checks) =>
      answered(run, () => judgingFiles(run, commit, checks, { isProtected, at: now() })),
    leftOut: (place) => answered(run, () => leftOut(trees, place)),
    inSlot: (place, work) => answered(run, () => inSlot(trees, place, work)),
    unmetDependencies: (commit) =>
      answered(run, () => (trees.installs ? Promise.resolve([]) : unmetDependencies(run, commit))),
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
  const { run, control = {}, caches } = trees;
  const number = await pool.take(attemptId);
  try {
    const filled = await fillCheckTree(
      run,
      {
        ...{ number, tree: commit.tree, head: commit.commit, caches, cold },
        ready: await trees.readyMark(commit.tree),
        prepare: async (worktree) => {
          const carried = valueOf(await keepCarried(run, trees.carry, control));
          valueOf(await layCarried(run, carried, worktree, control));
          const problem = await trees.setUp(openTree(trees, worktree), commit.tree);
          if (problem !== undefined) throw new NotReady(problem);
        },
      },
      control,
    );
    const { worktree, cold: isCold, empty, pointers } = valueOf(filled);
    for (const words of missingWords(empty, pointers)) say(words);
    const value = await work({ ...openTree(trees, worktree), slot: number, cold: isCold });
    const changed = valueOf(
      await changedInCheckTree(run, { number, tree: commit.tree, caches }, control),
    );
    return { kind: "lent", value, changed };
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    return { kind: "not-ready", ...error.problem };
  } finally {
    await pool.free(number);
  }
}

const named = (paths: readonly string[]): string =>
  cleanLine(paths.slice(0, 5).join(", ") + (paths.length > 5 ? ", …" : ""), 300);

/** What a clean checkout cannot have because the user's own has it not. */
const missingWords = (empty: readonly string[], pointers: readonly string[]): readonly string[] => [
  ...(empty.length === 0
    ? []
    : [
        `submodules stay empty, not initialised here (git submodule update --init): ${named(empty)}`,
      ]),
  ...(pointers.length === 0
    ? []
    : [`LFS files stay pointers, never fetched here (git lfs pull): ${named(pointers)}`]),
];

/** What only says that something ran, never that something was made. */
const DROPPINGS = /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)\/$|\.pyc$/;

async function leftOut(trees: GitTrees, place: AttemptTree): Promise<readonly LeftOut[]> {
  const run = activeRun(trees);
  if (trees.inPlace) return [];
  const worktree = worktreeOf(trees, place.slot);
  const { carry, keep } = await loadState(run, worktree);
  const ours = new Set([...carry, ...keep].map(text));
  const ignored = (await ignoredPaths(run, worktree))
    .map(text)
    .filter((path) => !ours.has(path.replace(/\/$/, "")) && !DROPPINGS.test(path));
  const taken = await readSnapshot(run, labelOf(place, "after"));
  const skipped = taken.ok ? taken.value.skipped : [];
  const { submodules } = valueOf(
    await leftOutOf(run, { before: labelOf(place, "before"), after: labelOf(place, "after") }),
  );
  const hidden = taken.ok ? await hiddenIn(trees, place, taken.value.tree) : [];
  return [
    ...skipped.flatMap(({ path, reason }): LeftOut[] =>
      reason === "too-big" || reason === "too-deep" || reason === "unreadable"
        ? [{ path, why: reason }]
        : [],
    ),
    ...submodules.map((path): LeftOut => ({ path, why: "submodule" })),
    ...[...new Set([...ignored, ...hidden])].map((path): LeftOut => ({ path, why: "ignored" })),
  ];
}

/** What the attempt's snapshot has and its commit has not: its own new ignore rules hide it. */
async function hiddenIn(
  trees: GitTrees,
  place: AttemptTree,
  snapshot: string,
): Promise<readonly string[]> {
  const run = activeRun(trees);
  const commit = await commitOfAttempt(trees, place);
  const entries = await changedEntries(run, { from: commit, to: snapshot });
  const left = entries.filter(({ before }) => before === "").map(({ path }) => text(path));
  if (left.length === 0) return [];
  const kept = [...(await treeEntries(run, commit)).keys()];
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
  const { run, control, now } = trees;
  if (trees.inPlace) refuse("unsafe-path", "the user's own checkout is not tried out");
  const worktree = worktreeOf(trees, place.slot);
  const value = await work(openTree(trees, worktree));
  const id = `${place.subtask}/${place.attempt}/tried`;
  const plan = { id, at: now(), snapshot: labelOf(place, "after") };
  valueOf(await restore(run, worktree, plan, control));
  return value;
}

interface CheckPool {
  take(attemptId: string): Promise<number>;
  free(number: number): Promise<void>;
}

/**
 * Which check tree is free: the lowest number that nobody of this process holds. Of those that are free, no more stay than
 * attempts run at a time.
 */
function checkPool({ run, untilDead, concurrency }: GitTrees): CheckPool {
  const { first } = CHECK_SLOTS;
  const taken = new Set<number>();
  /** Where the name of whoever has the tree stands. */
  const holderFile = (number: number): string =>
    join(layout(run.runDir).private(`check-${number}`), "holder");
  return {
    async take(attemptId) {
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
    async free(number) {
      if (number >= first + concurrency) await removeCheckTree(run, number);
      await rm(holderFile(number), { force: true });
      taken.delete(number);
    },
  };
}
