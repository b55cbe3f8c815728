/**
 * Worktrees pooled by slot: made once, reset between subtasks, at the same path as long as the run lives.
 * Invariants: a slot is snapshotted before it is reset; carried paths and what the setup made stay; a lease that
 * was cut off is finished by the same call; one that was given back is made anew at the commit it was leased at.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { keepCarried } from "./carried.ts";
import { forceRemove, makeWritable } from "./files.ts";
import { clearSlot, givenBackAs, putAgentGitAway } from "./given-back.ts";
import { bytes, git, records, text } from "./git.ts";
import { layout, rawView } from "./git-dir.ts";
import { anchored } from "./ignore.ts";
import { layCarried } from "./lay.ts";
import { pass, refusalOf, settled, valueOf } from "./refusal.ts";
import { moveAside, takeRescue, writeTree } from "./restore.ts";
import { freeze } from "./scan.ts";
import { replaceSlotGit } from "./slot-git.ts";
import { tooDeepIn } from "./too-deep.ts";
import type { Control, Result, Run, Worktree } from "./types.ts";
import {
  below,
  ensureRawGit,
  loadState,
  requireRealFolder,
  saveState,
  slotWorktree,
  surveyIndex,
  type ViewState,
} from "./view.ts";

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

export const leaseSlot = (
  run: Run,
  plan: LeasePlan,
  control: Control = {},
): Promise<Result<Lease>> => settled(() => leased(run, plan, control));

async function leased(run: Run, plan: LeasePlan, control: Control): Promise<Lease> {
  const worktree = slotWorktree(run, plan.slot);
  const back = await givenBackAs(run, plan.slot);
  if (back !== undefined) await clearSlot(run, worktree);
  const known = existsSync(layout(run.runDir).rawGit(plan.slot));
  await mkdir(worktree.path, { recursive: true });
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, plan.slot);
  let state = await loadState(run, worktree, control);
  const own = state.lease?.id === plan.id ? state.lease : null;
  if (own !== null && back === undefined) return leaseOf(worktree, state, own);
  if (known) {
    const rescue = await takeRescue(run, worktree, plan, control);
    await moveAside(run, worktree, plan.id, rescue.skipped);
    state = await loadState(run, worktree, control);
  }
  await pass(control, "lease:rescued");
  await cleanAround(run, worktree, [...state.carry, ...state.keep], control);
  await pass(control, "lease:cleaned");
  const { id, carry: asked = [] } = plan;
  const commit = own?.commit ?? plan.commit;
  await writeTree(run, worktree, commit, control);
  await pass(control, "lease:written");
  const carried = await carry(run, worktree, asked, control);
  const notCarried = asked.filter((path) => !carried.includes(path));
  Object.assign(state, await surveyIndex(run, worktree, control), { nested: [], tree: null });
  state.carry = [...new Set([...state.carry, ...carried.map(bytes)])];
  await saveState(run, plan.slot, state);
  await replaceSlotGit(run, worktree, { id, commit }, control);
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
  { ready }: ViewState,
  { commit, carried, notCarried }: NonNullable<ViewState["lease"]>,
): Lease => ({ worktree, commit, ready, carried, notCarried });

/** Remembers that the slot's setup ran, and keeps the ignored files it made through later leases. */
export const markReady = (
  run: Run,
  worktree: Worktree,
  ready: string,
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const state = await loadState(run, worktree, control);
    const args = ["ls-files", "-o", "-i", "--directory", "-z"];
    args.push(`--exclude-from=${layout(run.runDir).outsideRules}`);
    args.push("--exclude-per-directory=.gitignore");
    const { stdout } = await git({ args, env: rawView(run, worktree, "own") }, control);
    state.keep = records(stdout).map((path) => path.replace(/\/$/, ""));
    state.ready = ready;
    await freeze(run, worktree, state);
    await saveState(run, worktree.key, state);
  });

/** Removes everything the index does not hold, ignored or not, but these paths (latin1 bytes). */
export async function cleanAround(
  run: Run,
  worktree: Worktree,
  paths: readonly string[],
  control: Control,
): Promise<void> {
  const stay = paths.flatMap((path) => ["-e", text(anchored(path))]);
  const call = { args: ["clean", "-ffdxq", ...stay], env: rawView(run, worktree, "own") };
  try {
    await git(call, control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.kind !== "git-failed") throw error;
    for (const path of tooDeepIn(refusal.detail)) await forceRemove(below(worktree.path, path));
    await makeWritable(worktree.path);
    await git(call, control);
  }
}

/** Lays the run's copies; what is there already stays. Gives those that are there and not the repository's own. */
async function carry(
  run: Run,
  worktree: Worktree,
  paths: readonly string[],
  control: Control,
): Promise<string[]> {
  if (paths.length === 0) return [];
  const carried = valueOf(await keepCarried(run, paths, control));
  valueOf(await layCarried(run, carried, worktree, control));
  const there: string[] = [];
  for (const path of carried.kept)
    if (!(await tracked(run, worktree, path, control))) there.push(path);
  return there;
}

async function tracked(
  run: Run,
  worktree: Worktree,
  path: string,
  control: Control,
): Promise<boolean> {
  const call = { args: ["ls-files", "-z", "--", path], env: rawView(run, worktree, "own") };
  return (await git({ ...call, cwd: worktree.path }, control)).stdout !== "";
}
