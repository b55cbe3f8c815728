/**
 * Worktrees pooled by slot: made once, reset between subtasks, at the same path as long as the run lives. A slot is
 * snapshotted before it is reset; carried paths and what the setup made stay; a lease that was cut off is finished by
 * the same call; one whose tree was given back is made anew at the commit it was leased at.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { below, forceRemove, makeWritable } from "../base/files.ts";
import { type ActiveRun, operation, pass, treeOperation } from "../base/operation.ts";
import { refusalOf, valueOf } from "../base/refusal.ts";
import { layout, type Worktree } from "../base/run-folder.ts";
import { keepCarried, layCarried } from "../carry/carried.ts";
import { replaceSlotGit } from "../git/agent-git.ts";
import { rawView } from "../git/git-dir.ts";
import { bytes, git, text } from "../git/git.ts";
import { anchored } from "../git/ignore-rules.ts";
import {
  ensureRawGit,
  ignoredPaths,
  loadState,
  requireRealFolder,
  saveState,
  slotWorktree,
  surveyIndex,
  type TreeState,
} from "../git/worktree.ts";
import { freeze, tooDeepIn } from "../snapshots/scan.ts";
import { writeTarget } from "./fill-tree.ts";
import { clearSlot, givenBackAs, putAgentGitAway } from "./released-slots.ts";
import { moveAside, takeRescue } from "./restore.ts";

export interface LeasePlan {
  readonly slot: string;
  readonly commit: string;
  readonly id: string;
  readonly at: number;
  /** Paths of the user's checkout, as the run keeps them: ignored ones such as `node_modules` or `.env`. */
  readonly carry?: readonly string[];
}

export interface Lease {
  readonly worktree: Worktree;
  /** The commit it was leased at; a repeated lease keeps the first one's. */
  readonly commit: string;
  /** What `markReady` was last told; the caller runs its setup when it is not what it expects. */
  readonly ready: string | null;
  readonly carried: readonly string[];
  /** Paths asked for that the user's checkout had not, or that git tracks. */
  readonly notCarried: readonly string[];
}

export const leaseSlot = operation(leased);

async function leased(run: ActiveRun, plan: LeasePlan): Promise<Lease> {
  const worktree = slotWorktree(run, plan.slot);
  const back = await givenBackAs(run, plan.slot);
  if (back !== undefined) await clearSlot(run, worktree);
  const known = existsSync(layout(run.runDir).rawGit(plan.slot));
  await mkdir(worktree.path, { recursive: true });
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, plan.slot);
  let state = await loadState(run, worktree);
  const own = state.lease?.id === plan.id ? state.lease : null;
  if (own !== null && back === undefined) return leaseOf(worktree, state, own);
  if (known) {
    const rescue = await takeRescue(run, worktree, plan);
    await moveAside(run, worktree, plan.id, rescue.skipped);
    state = await loadState(run, worktree);
  }
  await pass(run.control, "lease:rescued");
  await cleanAround(run, worktree, [...state.carry, ...state.keep]);
  await pass(run.control, "lease:cleaned");
  const { id, carry: asked = [] } = plan;
  const commit = own?.commit ?? plan.commit;
  await writeTarget(run, worktree, { tree: commit });
  await pass(run.control, "lease:written");
  const carried = await carry(run, worktree, asked);
  const notCarried = asked.filter((path) => !carried.includes(path));
  Object.assign(state, await surveyIndex(run, worktree), { nested: [], tree: null });
  state.carry = [...new Set([...state.carry, ...carried.map(bytes)])];
  await saveState(run, plan.slot, state);
  await replaceSlotGit(run, worktree, { id, commit });
  await freeze(run, worktree, state);
  if (own === null) {
    await putAgentGitAway(run, worktree, back ?? id);
    delete state.givenBack;
  }
  const lease = { id, commit, carried, notCarried };
  await saveState(run, plan.slot, { ...state, lease });
  return leaseOf(worktree, state, lease);
}

const leaseOf = (
  worktree: Worktree,
  { ready }: TreeState,
  { commit, carried, notCarried }: NonNullable<TreeState["lease"]>,
): Lease => ({ worktree, commit, ready, carried, notCarried });

/** Remembers that the slot's setup ran, and keeps the ignored files it made through later leases. */
export const markReady = treeOperation(async (run, worktree, ready: string): Promise<void> => {
  const state = await loadState(run, worktree);
  state.keep = (await ignoredPaths(run, worktree)).map((path) => path.replace(/\/$/, ""));
  state.ready = ready;
  await freeze(run, worktree, state);
  await saveState(run, worktree.key, state);
});

/** Removes everything the index does not hold, ignored or not, but these paths (latin1 bytes). */
export async function cleanAround(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<void> {
  const stay = paths.flatMap((path) => ["-e", text(anchored(path))]);
  const call = { args: ["clean", "-ffdxq", ...stay], env: rawView(run, worktree, "own") };
  try {
    await git(call, run.control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.kind !== "git-failed") throw error;
    for (const path of tooDeepIn(refusal.detail)) await forceRemove(below(worktree.path, path));
    await makeWritable(worktree.path);
    await git(call, run.control);
  }
}

/** Lays the run's copies; what is there already stays. Gives those that are there and not the repository's own. */
async function carry(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const carried = valueOf(await keepCarried(run, paths, run.control));
  valueOf(await layCarried(run, carried, worktree, run.control));
  const there: string[] = [];
  for (const path of carried.kept) {
    const call = { args: ["ls-files", "-z", "--", path], env: rawView(run, worktree, "own") };
    const { stdout } = await git({ ...call, cwd: worktree.path }, run.control);
    if (stdout === "") there.push(path);
  }
  return there;
}
