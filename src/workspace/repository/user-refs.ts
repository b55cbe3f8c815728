/**
 * What a run has in the user's repository, its pins and its branch: finding them, removing them, and detecting early
 * that the branch could not be created. A ref is removed only if it still has the value that was read; a branch only if
 * all its commits are the run's and no checkout has it.
 */
import { existsSync } from "node:fs";
import { type ActiveRun, type Control } from "../base/operation.ts";
import { refusalOf, refuse, asResult, type Result } from "../base/refusal.ts";
import { refs, type Run } from "../base/run-folder.ts";
import { isAncestor, resultTip } from "../git/commits.ts";
import { refView } from "../git/git-dir.ts";
import { git, idOf, text } from "../git/git.ts";

const HEADS = "refs/heads/";
const PINS = "refs/unstuck/";

export interface Branch {
  readonly name: string;
  readonly commit: string;
  /** Why it stays. */
  readonly why: "foreign-commits" | "checked-out";
}

/** The branch `unstuck/<run>` in the user's repository and its commit, or null. */
export async function resultBranch(
  run: ActiveRun,
): Promise<Pick<Branch, "name" | "commit"> | null> {
  if (!existsSync(run.commonDir)) return null;
  const ref = refs.result(run.id);
  const commit = await idOf(refView(run), ref, run.control);
  return commit === null ? null : { name: ref.slice(HEADS.length), commit };
}

/** Returns the branch if it must stay, or null once there is none. */
export async function removeBranch(run: ActiveRun): Promise<Branch | null> {
  const branch = await resultBranch(run);
  if (branch === null) return null;
  if (!(await isOwn(run, branch.commit))) return { ...branch, why: "foreign-commits" };
  const ref = refs.result(run.id);
  if (await isCheckedOut(run, ref)) return { ...branch, why: "checked-out" };
  const args = ["update-ref", "-d", ref, branch.commit];
  await git({ args, env: refView(run) }, run.control);
  return null;
}

/** A commit that the run's clone does not know is not the run's. */
async function isOwn(run: ActiveRun, commit: string): Promise<boolean> {
  try {
    return await isAncestor(run, commit, await resultTip(run));
  } catch (error) {
    if (refusalOf(error)?.kind === "no-such-commit") return false;
    throw error;
  }
}

export async function isCheckedOut(run: ActiveRun, ref: string): Promise<boolean> {
  const args = ["worktree", "list", "--porcelain", "-z"];
  const { stdout } = await git({ args, env: refView(run) }, run.control);
  return text(stdout).split("\0").includes(`branch ${ref}`);
}

/** Removes everything under `refs/unstuck/<run>/`. */
export async function removePins(commonDir: string, id: string, control: Control): Promise<void> {
  if (!existsSync(commonDir)) return;
  const pins = await refsBelow(commonDir, [`${PINS}${id}/`], control);
  if (pins.length === 0) return;
  const input = pins.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join("");
  await git({ args: ["update-ref", "--stdin"], env: refView({ commonDir }), input }, control);
}

/** Runs that have a pin here, except `known` ones. `isLast`: only the pin keeps its commit alive. */
export const pinnedRuns = (
  commonDir: string,
  known: (id: string) => boolean,
  control: Control = {},
): Promise<Result<readonly { readonly id: string; readonly isLast: boolean }[]>> =>
  asResult(async () => {
    const found = new Map<string, boolean>();
    for (const { ref, commit } of await refsBelow(commonDir, [PINS], control)) {
      const id = text(ref).split("/")[2] ?? "";
      if (id === "" || known(id)) continue;
      const args = ["for-each-ref", "--count=1", `--contains=${commit}`];
      args.push("refs/heads", "refs/tags", "refs/remotes");
      const call = { args, env: refView({ commonDir }), okCodes: [0, 128, 129] };
      const isLast = (await git(call, control)).stdout === "";
      found.set(id, isLast || found.get(id) === true);
    }
    return [...found].map(([id, isLast]) => ({ id, isLast }));
  });

/** The name is latin1 bytes. */
interface UserRef {
  readonly ref: string;
  readonly commit: string;
}

/** Refs of the user's repository; `wanted` are arguments of `for-each-ref` (folders, sort order). */
export async function refsBelow(
  commonDir: string,
  wanted: readonly string[],
  control: Control,
): Promise<readonly UserRef[]> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...wanted];
  const { stdout } = await git({ args, env: refView({ commonDir }) }, control);
  return stdout.split("\n").flatMap((line) => {
    const [commit = "", ref] = line.split(" ");
    return ref === undefined ? [] : [{ commit, ref }];
  });
}

const parentOf = (ref: string): string => ref.slice(0, ref.lastIndexOf("/"));

/** The branch `unstuck/<run>` and others in that folder, or a branch that has the folder's name. */
export const branchesAround = (
  { commonDir }: Pick<Run, "commonDir">,
  id: string,
  control: Control,
): Promise<readonly UserRef[]> => refsBelow(commonDir, [parentOf(refs.result(id))], control);

/** Refuses if a branch's name conflicts with `unstuck/<run>`: git allows no branch below another. */
export function refuseBranchInTheWay(there: readonly UserRef[], id: string): void {
  const wanted = refs.result(id);
  const found = there.find(({ ref }) => ref === parentOf(wanted) || ref.startsWith(`${wanted}/`));
  if (found === undefined) return;
  const name = text(found.ref).slice(HEADS.length);
  const result = wanted.slice(HEADS.length);
  const rename = `git branch -m ${name} ${name.replaceAll("/", "-")}-mine`;
  refuse(
    "branch-in-the-way",
    `your branch ${name} is in the way of ${result}, the branch for the result; rename it` +
      (/^[\w./-]+$/.test(name) ? `: ${rename}` : ""),
  );
}
