/**
 * The environment variables that point git at each of our git dirs and at the user's, and cached answers of git.
 * `Objects` decides where objects are written and found.
 */
import { join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { git, type GitCall, type GitEnv, type GitOutput } from "./git.ts";

/** `own`: objects are written to and read from the run's store only, so results depend on no other store. */
type Objects = "own" | "all";

const objectVariables = (run: Run, objects: Objects): GitEnv => ({
  GIT_OBJECT_DIRECTORY: layout(run.runDir).store,
  ...(objects === "own" ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(run.objects) }),
});

/** The run's clone, without a working tree. */
export const cloneView = (run: Run, objects: Objects = "all"): GitEnv => ({
  GIT_DIR: layout(run.runDir).clone,
  ...objectVariables(run, objects),
});

export const cloneGit = (
  run: ActiveRun,
  args: readonly string[],
  more: Omit<Partial<GitCall>, "args"> = {},
): Promise<GitOutput> => git({ args, env: cloneView(run), ...more }, run.control);

export const WHOLE_ID = /^[0-9a-f]{40,64}(?:\^\{tree\})?$/;
const FACTS_MAX = 200;
const FACT_CHARS_MAX = 20_000;
const facts = new Map<string, GitOutput>();

/** Answers about whole object ids never change, so short ones are cached for the life of the process. */
export async function cachedCloneGit(
  run: ActiveRun,
  args: readonly string[],
  ids: readonly string[],
  okCodes: readonly number[] = [0],
): Promise<GitOutput> {
  const question = [run.runDir, ...args, ...ids].join("\0");
  const known = facts.get(question);
  if (known !== undefined) return known;
  const output = await cloneGit(run, [...args, ...ids], { okCodes });
  const isAnswer = output.code <= 1 && output.stdout.length <= FACT_CHARS_MAX;
  if (!isAnswer || !ids.every((id) => WHOLE_ID.test(id))) return output;
  if (facts.size >= FACTS_MAX) facts.clear();
  facts.set(question, output);
  return output;
}

/** A working tree byte for byte: our git dir and index, without filters or line-ending conversion. */
export const rawView = (run: Run, worktree: Worktree, objects: Objects): GitEnv => ({
  GIT_DIR: layout(run.runDir).rawGit(worktree.key),
  GIT_WORK_TREE: worktree.path,
  ...objectVariables(run, objects),
});

/**
 * The same index with the user's filters; `prepareFilters` creates the git dir. The last variable lets `awaitOrphans`
 * find this git too, because it works on the same index.
 */
export const filterView = (run: Run, worktree: Worktree, objects: Objects): GitEnv => ({
  ...rawView(run, worktree, objects),
  GIT_DIR: layout(run.runDir).filterGit(worktree.key),
  GIT_INDEX_FILE: join(layout(run.runDir).rawGit(worktree.key), "index"),
  UNSTUCK_GIT_DIR: layout(run.runDir).rawGit(worktree.key),
});

/** A working tree as git would commit it, with the user's line-ending settings and filters. */
export const cleanView = (run: Run, path: string, index: string): GitEnv => ({
  GIT_DIR: layout(run.runDir).clean,
  GIT_WORK_TREE: path,
  GIT_INDEX_FILE: index,
  ...objectVariables(run, "all"),
});

/** The refs of the user's repository, from whichever of its checkouts the run was started. */
export const refView = ({ commonDir }: Pick<Run, "commonDir">): GitEnv => ({ GIT_DIR: commonDir });

/** The user's repository, for the pin, the result branch, and `apply`. */
export const userView = (repository: Pick<Run, "gitDir" | "root">): GitEnv => ({
  GIT_DIR: repository.gitDir,
  GIT_WORK_TREE: repository.root,
});

/**
 * The same for commands that write there: adds the run's objects, and a variable by which `awaitOrphans` finds the git
 * of a killed owner.
 */
export const checkoutView = (run: Run): GitEnv => ({
  ...userView(run),
  GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(layout(run.runDir).store),
  UNSTUCK_GIT_DIR: layout(run.runDir).rawGit("_checkout"),
});

/** Our indexes must be whole, whatever the user's settings for splitting are. */
export const WHOLE_INDEX = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.splitIndex",
  GIT_CONFIG_VALUE_0: "false",
} as const;

/** The clone, with a separate folder to write objects to. */
export const quarantineView = (run: Run, folder: string): GitEnv => ({
  GIT_DIR: layout(run.runDir).clone,
  GIT_OBJECT_DIRECTORY: folder,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: [layout(run.runDir).store, run.objects].map(quoted).join(":"),
});

/** Treats every file as binary, whatever the tree's own attributes say: this file takes precedence over them. */
export const RAW_ATTRIBUTES = "* -text -ident -filter !eol !working-tree-encoding\n";

/** The same, except that filters apply. */
export const FILTER_ATTRIBUTES = "* -text -ident !eol !working-tree-encoding\n";

/** Quotes a path for a colon-separated list. */
const quoted = (path: string): string =>
  /[:"\\]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
