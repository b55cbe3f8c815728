/**
 * The runtime's CheckTrees port on git: lends trees that hold exactly one commit, and tells what an attempt's own
 * tree has beyond its commit. Invariants: a lent tree is never one an agent was given, and one check at a time has
 * it; whatever is done in a slot for an explanation is taken back.
 */
import { join } from "node:path";
import { tameLine } from "../core/foreign-text.ts";
import type {
  CheckTree,
  CheckTrees,
  LeftOut,
  LendAsk,
  Lent,
  OpenTree,
  TreePlace,
} from "../runtime/ports-workspace.ts";
import { CHECK_SLOTS } from "../runtime/slots.ts";
import { commitOfAttempt, labelOf } from "./attempt-commit.ts";
import { treeEntries } from "./blob-reader.ts";
import { keepCarried } from "./carried.ts";
import { checkPool, type CheckPool } from "./check-pool.ts";
import { changedInCheckTree, fillCheckTree, removeCheckTree } from "./check-tree.ts";
import { changedEntries } from "./diff.ts";
import { git, records, text } from "./git.ts";
import { layout, rawView } from "./git-dir.ts";
import { judgingFiles, unmetDependencies } from "./judging.ts";
import { leftOutOf } from "./left-out.ts";
import { layCarried } from "./lay.ts";
import { openTree, worktreeOf } from "./port.ts";
import { answered, Refused, valueOf } from "./port-answer.ts";
import { restore } from "./restore.ts";
import { readSnapshot } from "./snapshot.ts";
import type { GitTrees, SetUpProblem } from "./tree-plan.ts";
import { loadState } from "./view.ts";

export function gitCheckTrees(trees: GitTrees): CheckTrees {
  const { run, control = {} } = trees;
  const pool = checkPool({
    first: CHECK_SLOTS.first,
    holderFile: (number) => join(layout(run.runDir).private(`check-${number}`), "holder"),
    untilDead: trees.untilDead,
    most: trees.concurrency,
    remove: (number) => removeCheckTree(run, number),
  });
  const said = new Set<string>();
  const say = (words: string): void => {
    if (!said.has(words)) trees.tell(words);
    said.add(words);
  };
  return {
    lend: (ask, work) => answered(run, () => lend(trees, { pool, say }, ask, work)),
    judgingFiles: (commit, checks) => answered(run, () => judgingFiles(trees, commit, checks)),
    leftOut: (place) => answered(run, () => leftOut(trees, place)),
    inSlot: (place, work) => answered(run, () => inSlot(trees, place, work)),
    unmetDependencies: (commit) =>
      answered(run, () =>
        trees.installs ? Promise.resolve([]) : unmetDependencies(run, commit, control),
      ),
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
  { attemptId, commit, cold = false }: LendAsk,
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
  tameLine(paths.slice(0, 5).join(", ") + (paths.length > 5 ? ", …" : ""), 300);

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

async function leftOut(trees: GitTrees, place: TreePlace): Promise<readonly LeftOut[]> {
  const { run, control = {} } = trees;
  if (trees.inPlace) return [];
  const worktree = worktreeOf(trees, place.slot);
  const { carry, keep } = await loadState(run, worktree, control);
  const ours = new Set([...carry, ...keep].map(text));
  const args = ["ls-files", "-o", "-i", "--directory", "-z"];
  args.push(`--exclude-from=${layout(run.runDir).outsideRules}`);
  args.push("--exclude-per-directory=.gitignore");
  const { stdout } = await git({ args, env: rawView(run, worktree, "own") }, control);
  const ignored = records(stdout)
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
  place: TreePlace,
  snapshot: string,
): Promise<readonly string[]> {
  const { run, control = {} } = trees;
  const commit = await commitOfAttempt(trees, place);
  const entries = await changedEntries(run, { from: commit, to: snapshot }, control);
  const left = entries.filter(({ before }) => before === "").map(({ path }) => text(path));
  if (left.length === 0) return [];
  const kept = [...(await treeEntries(run, commit, control)).keys()];
  const wholeFolder = (path: string): string => {
    const folder = path.slice(0, path.indexOf("/") + 1);
    return folder !== "" && !kept.some((one) => one.startsWith(folder)) ? folder : path;
  };
  return [...new Set(left.map(wholeFolder))].filter((path) => !DROPPINGS.test(path));
}

async function inSlot<T>(
  trees: GitTrees,
  place: TreePlace,
  work: (tree: OpenTree) => Promise<T>,
): Promise<T> {
  const { run, control, now } = trees;
  if (trees.inPlace)
    throw new Refused({ kind: "unsafe-path", detail: "the user's own checkout is not tried out" });
  const worktree = worktreeOf(trees, place.slot);
  const value = await work(openTree(trees, worktree));
  const id = `${place.subtask}/${place.attempt}/tried`;
  const plan = { id, at: now(), snapshot: labelOf(place, "after") };
  valueOf(await restore(run, worktree, plan, control));
  return value;
}
