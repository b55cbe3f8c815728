/**
 * Reads the user's own checkout without touching it: as git would commit it (for `--with-changes` and `apply`), and as
 * three trees (HEAD, staged, files). Only copies of the user's index are used; a repository that another operation is
 * using is refused, with advice for the user.
 */
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ActiveRun, type Control } from "../base/operation.ts";
import { refuse, asResult, type Result } from "../base/refusal.ts";
import { awaitOrphans } from "../base/orphans.ts";
import { CHECKOUT, layout, type Run, type Skipped } from "../base/run-folder.ts";
import { copyIndex, stagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit, isLfs } from "../git/filters.ts";
import { cleanView, userView, WHOLE_INDEX } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { emptyTree, treeOf } from "../git/read-objects.ts";
import { listChanges } from "../snapshots/list-changes.ts";
import { tooBig } from "../snapshots/stage.ts";
import { skip, splitStorable } from "../snapshots/storable.ts";
import { inspected, type Inspection } from "./inspect.ts";

/** The index for the tree that `cleanTreeOfCheckout` returned last. */
export const indexOfCheckout = (run: Run): string =>
  join(layout(run.runDir).clean, "index-of-checkout");

/** The staged content, as a tree in the run's store; files marked only as intent-to-add are not in it. */
async function stagedTree(run: ActiveRun): Promise<string | null> {
  const index = join(layout(run.runDir).clean, "index-of-staged");
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  await copyIndex(run.gitDir, index);
  if (!existsSync(index)) return null;
  const env = cleanView(run, run.root, index);
  const { stdout } = await git({ args: ["write-tree", "--missing-ok"], env }, run.control);
  return stdout.trim();
}

/** The working tree as git would commit it on top of `head`. */
export async function cleanTreeOfCheckout(
  run: ActiveRun,
  head: string | null,
): Promise<{ tree: string; skipped: Skipped[] }> {
  const places = layout(run.runDir);
  const index = indexOfCheckout(run);
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  const env = { ...cleanView(run, run.root, index), ...WHOLE_INDEX };
  if (head !== null) {
    await copyIndex(run.gitDir, index);
    await git({ args: ["read-tree", "--reset", head], env }, run.control);
  }
  const rules = { live: true, file: places.outsideRules, carry: [] };
  const changes = await listChanges(env, rules, run.control, filterLimit(run));
  const { paths, big, left } = await splitStorable(run.root, changes);
  const drivers = await driversOf(run, env, big);
  const isLarge = (path: string): boolean => isLfs(run, drivers.get(path) ?? "");
  await stagePaths(env, [...paths, ...big.filter(isLarge)], run.control, filterLimit(run));
  const heavy = big.filter((path) => !isLarge(path)).map((path) => tooBig(run.root, path));
  const { stdout } = await git({ args: ["write-tree"], env }, run.control);
  const nested = changes.nested.map((path) => skip(path, "nested-repository", 0));
  return { tree: stdout.trim(), skipped: [...left, ...heavy, ...nested] };
}

/**
 * Which files of the checkout a run's base will contain: of the given paths, those that git tracks; with changes, also
 * those that it does not ignore.
 */
export const heldFiles = (
  repository: Pick<Inspection, "gitDir" | "root">,
  paths: readonly string[],
  withChanges: boolean,
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  asResult(async () => {
    const others = withChanges ? ["-o", "--exclude-standard"] : [];
    const args = ["ls-files", "-z", "-c", ...others, "--", ...paths];
    const { stdout } = await git({ args, env: userView(repository), config: "user" }, control);
    return records(stdout).map(text);
  });

export interface CheckoutNow {
  /** Null if there is no commit yet. */
  readonly head: string | null;
  /** Null if HEAD is detached. */
  readonly branch: string | null;
  readonly headTree: string;
  readonly staged: string;
  /** The files as git would commit them, including untracked ones. */
  readonly files: string;
}

export async function checkoutNow(run: ActiveRun): Promise<CheckoutNow> {
  await awaitOrphans(layout(run.runDir).rawGit(CHECKOUT));
  const { head, operation, dirty } = await inspected(run.root, run.control);
  await refuseLocked(run, head.branch);
  if (operation !== null)
    refuse(
      "busy-repository",
      `a ${operation} is under way in ${run.root}: finish it (git ${operation} --continue) or end it (git ${operation} --abort) first`,
    );
  if (dirty.unmerged.length > 0)
    refuse("unmerged-files", "there are unmerged files", dirty.unmerged);
  const empty = await emptyTree(run);
  const { tree: files } = await cleanTreeOfCheckout(run, head.commit);
  return {
    head: head.commit,
    branch: head.branch,
    headTree: head.commit === null ? empty : await treeOf(run, head.commit),
    staged: (await stagedTree(run)) ?? empty,
    files,
  };
}

/** A lock may be stale; only a person can say whether a git is behind it. */
async function refuseLocked(run: Run, branch: string | null): Promise<void> {
  const locks = [
    join(run.gitDir, "index.lock"),
    join(run.gitDir, "HEAD.lock"),
    ...(branch === null ? [] : [join(run.commonDir, "refs", "heads", `${branch}.lock`)]),
  ];
  for (const lock of locks) {
    const found = await stat(lock).catch(() => null);
    if (found !== null)
      refuse(
        "locked",
        `${lock} is there (${age(Date.now() - found.mtimeMs)} old): another git is at work, or one was killed; if none runs, remove it`,
      );
  }
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
