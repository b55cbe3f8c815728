/**
 * Whether what a run made is in the user's branches: asked of git alone, never of a record. Invariant: a yes is
 * proof (the very commits, the same patches, or one commit that has every changed file as it was made); what
 * cannot be proven in bounded work is a no.
 */
import { existsSync } from "node:fs";
import type { Control, Run } from "../base/types.ts";
import { changedEntries, type Entry } from "../git/diff.ts";
import { cloneView, refs } from "../git/git-dir.ts";
import { git } from "../git/git.ts";

/** Objects looked up, over all commits and files. */
const MOST_LOOKED_UP = 100_000;
const MOST_COMMITS = 2000;
/** Branches whose patches are compared, the newest first. */
const MOST_COMPARED = 20;

/** The refs of the user's repository, whichever checkout of it the run was started in. */
export const refView = ({ commonDir }: Pick<Run, "commonDir">): Record<string, string> => ({
  GIT_DIR: commonDir,
});

/** Where the user's branches stand, local and remote, the newest first; the run's own does not count. */
export async function branchTips(run: Run, control: Control): Promise<readonly string[]> {
  if (!existsSync(run.commonDir)) return [];
  const args = ["for-each-ref", "--sort=-committerdate", "--format=%(objectname) %(refname)"];
  args.push("refs/heads", "refs/remotes");
  const { stdout } = await git({ args, env: refView(run) }, control);
  const tips = stdout
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(` ${refs.result(run.id)}`))
    .map((line) => line.slice(0, line.indexOf(" ")));
  return [...new Set(tips)];
}

/** The commits from the run's base up to `tip`, or what they change, are in one of these. */
export async function isApplied(
  run: Run,
  tip: string,
  tips: readonly string[],
  control: Control,
): Promise<boolean> {
  if (tips.length === 0) return false;
  const only = { args: ["rev-list", "-n", "1", tip, "--stdin"], env: cloneView(run) };
  const input = tips.map((each) => `^${each}\n`).join("");
  if ((await git({ ...only, input }, control)).stdout === "") return true;
  if (await holdsChanges(run, tip, tips, control)) return true;
  for (const each of tips.slice(0, MOST_COMPARED))
    if (await hasSamePatches(run, tip, each, control)) return true;
  return false;
}

/** Each commit of the run has one of the same patch there. */
async function hasSamePatches(
  run: Run,
  tip: string,
  branch: string,
  control: Control,
): Promise<boolean> {
  const args = ["rev-list", "-n", "1", "--cherry-pick", "--right-only", "--no-merges"];
  args.push(`${branch}...${tip}`, `^${run.base}`);
  return (await git({ args, env: cloneView(run) }, control)).stdout === "";
}

/** One commit that the branches have beyond the base holds every file that `tree` changes as it is there. */
export async function holdsChanges(
  run: Run,
  tree: string,
  tips: readonly string[],
  control: Control,
): Promise<boolean> {
  if (tips.length === 0) return false;
  const entries = await changedEntries(run, { from: run.base, to: tree }, control);
  if (entries.length === 0) return true;
  if (entries.some(isUnprovable)) return false;
  const most = Math.min(MOST_COMMITS, Math.floor(MOST_LOOKED_UP / entries.length));
  const without = run.pinned === null ? [] : [`^${run.pinned}`];
  const list = { args: ["rev-list", "-n", String(most), "--stdin"], env: cloneView(run) };
  const input = [...tips, ...without, ""].join("\n");
  const commits = (await git({ ...list, input }, control)).stdout.split("\n").slice(0, -1);
  const asked = commits.flatMap((commit) => entries.map(({ path }) => `${commit}:${path}\n`));
  const look = { args: ["cat-file", "--batch-check=%(objectname)"], env: cloneView(run) };
  const found = (
    await git({ ...look, input: Buffer.from(asked.join(""), "latin1") }, control)
  ).stdout.split("\n");
  return commits.some((_, index) =>
    entries.every((entry, at) => isAsMade(entry, found[index * entries.length + at] ?? "")),
  );
}

const isAsMade = ({ after }: Entry, found: string): boolean =>
  after === "" ? found.endsWith(" missing") : found === after.slice(after.indexOf(" ") + 1);

/** The same content with other rights, or a name that does not fit on a line. */
const isUnprovable = ({ path, before, after }: Entry): boolean =>
  path.includes("\n") || before.slice(before.indexOf(" ")) === after.slice(after.indexOf(" "));
