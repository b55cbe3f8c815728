/**
 * What would be lost with a run, and removing it: its folder, its pin and its branch. Only the caller decides to lose
 * work; the decision is written down first and its mark removed last, so an interrupted clean-up is finished without
 * asking again; a branch with anyone else's commit stays. Only git decides whether work is in one of the user's
 * branches, and only with proof: the very commits, the same patches, or one commit that has every changed file as the
 * run made it. What cannot be proven in bounded work counts as lost.
 */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "../base/remove.ts";
import {
  type ActiveRun,
  type Control,
  withResult,
  operation,
  reachPoint,
} from "../base/operation.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { resultTip } from "../git/commits.ts";
import { cloneGit } from "../git/git-dir.ts";
import { idIn } from "../git/read-objects.ts";
import { changedEntries, type Entry } from "../git/changed-entries.ts";
import {
  type Branch,
  refsBelow,
  removeBranch,
  removePins,
  resultBranch,
} from "../repository/user-refs.ts";
import { listSnapshots, type Snapshot } from "../snapshots/read-snapshot.ts";

const markOf = (runDir: string): string => join(runDir, "removing");

/** Whether removal was decided on but interrupted. */
export const isBeingRemoved = (runDir: string): boolean => existsSync(markOf(runDir));

/** Returns the branch that stays, if any, and why. */
export const cleanUp = withResult(
  async (run: Run, control: Control = {}): Promise<Branch | null> => {
    const places = layout(run.runDir);
    await writeFile(markOf(run.runDir), "", { flush: true });
    await reachPoint(control, "clean:marked");
    await forceRemove(places.slots);
    await forceRemove(places.checks);
    await forceRemove(places.kept);
    await reachPoint(control, "clean:slots");
    const stays = existsSync(places.clone) ? await removeBranch({ ...run, control }) : null;
    await reachPoint(control, "clean:branch");
    await removePins(run.commonDir, run.id, control);
    await reachPoint(control, "clean:unpinned");
    await forceRemove(places.clone);
    await reachPoint(control, "clean:clone");
    await removeRunFolder(run.runDir);
    return stays;
  },
);

/** Removes the mark last, so that a partly removed folder is recognised. */
export async function removeRunFolder(runDir: string): Promise<void> {
  for (const name of await readdir(runDir).catch(() => []))
    if (name !== "removing") await forceRemove(join(runDir, name));
  await forceRemove(runDir);
}

/** Maximum number of object look-ups, over all commits and files. */
const MOST_LOOKED_UP = 100_000;
const MOST_COMMITS = 2000;
/** How many branches have their patches compared, newest first. */
const MOST_COMPARED = 20;

/** What exists only in the run; if its repository is gone, that is everything. */
export interface Loss {
  /** Commits of the result that none of the user's branches has. */
  readonly commits: number;
  /** The branch of the user's repository that has them, if they were published. */
  readonly branch: string | null;
  /** Attempts whose work is neither in the result nor in a branch. */
  readonly attempts: number;
  /** Other snapshots of such work. */
  readonly snapshots: number;
  /** Agents left files or commits that were moved aside. */
  readonly aside: boolean;
}

/** `done`: subtasks whose work is part of the result; their other attempts do not count as lost. */
export const lossOf = operation(
  async (run, { done }: { readonly done: readonly string[] }): Promise<Loss> => {
    if (isBeingRemoved(run.runDir))
      return { commits: 0, branch: null, attempts: 0, snapshots: 0, aside: false };
    const tips = await branchTips(run);
    const tip = await resultTip(run);
    const isThere = tip === run.base || (await isApplied(run, tip, tips));
    const lost = await lostSnapshots(run, { done, tip, tips });
    const attempts = lost.filter(({ label }) => label.endsWith("/after")).length;
    return {
      commits: isThere ? 0 : await countCommits(run, tip),
      branch: isThere ? null : ((await resultBranch(run))?.name ?? null),
      attempts,
      snapshots: lost.length - attempts,
      aside: tip === run.base && existsSync(layout(run.runDir).kept),
    };
  },
);

async function countCommits(run: ActiveRun, tip: string): Promise<number> {
  const args = ["rev-list", "--count", "--no-merges", tip, `^${run.base}`];
  const { stdout } = await cloneGit(run, args, { okCodes: [0, 128] });
  return Math.max(1, Number(stdout));
}

/** Snapshots of the user's own checkout, taken by apply, undo and in-place runs. */
const OF_CHECKOUT = /^(?:start$|apply[./]|apply$|undo-)/;

async function lostSnapshots(
  run: ActiveRun,
  known: Readonly<{ done: readonly string[]; tip: string; tips: readonly string[] }>,
): Promise<readonly Snapshot[]> {
  const args = ["rev-parse", `${run.base}^{tree}`, `${known.tip}^{tree}`];
  const { stdout } = await cloneGit(run, args, { okCodes: [0, 128] });
  const seen = new Set(stdout.split("\n"));
  const lost: Snapshot[] = [];
  const ranked = (await listSnapshots(run)).toSorted(
    (a, b) => Number(b.label.endsWith("/after")) - Number(a.label.endsWith("/after")),
  );
  for (const each of ranked) {
    const { label, tree, changedSubmodules } = each;
    if (label.endsWith("/before") || known.done.some((id) => label.startsWith(`${id}/`))) continue;
    if (OF_CHECKOUT.test(label) && !label.endsWith("/after")) continue;
    const isKnown = seen.has(tree) || (await holdsChanges(run, tree, known.tips));
    seen.add(tree);
    if (!isKnown || changedSubmodules.length > 0) lost.push(each);
  }
  return lost;
}

/** The tips of the user's local and remote branches, newest first, without the run's own. */
async function branchTips(run: ActiveRun): Promise<readonly string[]> {
  if (!existsSync(run.commonDir)) return [];
  const wanted = ["--sort=-committerdate", "refs/heads", "refs/remotes"];
  const all = await refsBelow(run.commonDir, wanted, run.control);
  const others = all.filter(({ ref }) => ref !== refs.result(run.id));
  return [...new Set(others.map(({ commit }) => commit))];
}

/** Whether the commits from the run's base to `tip`, or their changes, are in one of the branches. */
async function isApplied(run: ActiveRun, tip: string, tips: readonly string[]): Promise<boolean> {
  if (tips.length === 0) return false;
  const input = tips.map((each) => `^${each}\n`).join("");
  const only = await cloneGit(run, ["rev-list", "-n", "1", tip, "--stdin"], { input });
  if (only.stdout === "") return true;
  if (await holdsChanges(run, tip, tips)) return true;
  for (const each of tips.slice(0, MOST_COMPARED))
    if (await hasSamePatches(run, tip, each)) return true;
  return false;
}

/** Whether each commit of the run has one with the same patch there. */
async function hasSamePatches(run: ActiveRun, tip: string, branch: string): Promise<boolean> {
  const args = ["rev-list", "-n", "1", "--cherry-pick", "--right-only", "--no-merges"];
  args.push(`${branch}...${tip}`, `^${run.base}`);
  return (await cloneGit(run, args)).stdout === "";
}

/** Whether one commit beyond the base in the branches has every file that `tree` changes in the same state. */
async function holdsChanges(
  run: ActiveRun,
  tree: string,
  tips: readonly string[],
): Promise<boolean> {
  if (tips.length === 0) return false;
  const entries = await changedEntries(run, { from: run.base, to: tree });
  if (entries.length === 0) return true;
  if (entries.some(isUnprovable)) return false;
  const most = Math.min(MOST_COMMITS, Math.floor(MOST_LOOKED_UP / entries.length));
  const without = run.pinned === null ? [] : [`^${run.pinned}`];
  const list = await cloneGit(run, ["rev-list", "-n", String(most), "--stdin"], {
    input: [...tips, ...without, ""].join("\n"),
  });
  const commits = list.stdout.split("\n").slice(0, -1);
  const asked = commits.flatMap((commit) => entries.map(({ path }) => `${commit}:${path}\n`));
  const input = Buffer.from(asked.join(""), "latin1");
  const { stdout } = await cloneGit(run, ["cat-file", "--batch-check=%(objectname)"], { input });
  const found = stdout.split("\n");
  return commits.some((_, index) =>
    entries.every((entry, at) => isAsMade(entry, found[index * entries.length + at] ?? "")),
  );
}

const isAsMade = ({ after }: Entry, found: string): boolean =>
  after === "" ? found.endsWith(" missing") : found === idIn(after);

/** The same content with other permissions, or a name with a line break. */
const isUnprovable = ({ path, before, after }: Entry): boolean =>
  path.includes("\n") || idIn(before) === idIn(after);
