/**
 * Snapshots: the whole tree byte for byte as a commit under a hidden ref of the run's clone. Invariants: a label
 * is taken once, a repeated call gives what it holds; every object of a snapshot lies in the run's store or is
 * reachable from the pin; without filters and submodules at most three git processes, one when nothing changed.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { seedCheckoutIndex } from "./checkout.ts";
import { fold } from "./fold.ts";
import { loadForms } from "./forms.ts";
import { git } from "./git.ts";
import { layout, rawView, refs } from "./git-dir.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { absorb, freeze, listChanges } from "./scan.ts";
import { replaceSlotGit } from "./slot-git.ts";
import { messageOf, snapshotAt, type FullSnapshot } from "./snapshot-record.ts";
import { createRef, writeCommit } from "./store.ts";
import type { Control, Result, Run, Snapshot, Worktree } from "./types.ts";
import {
  CHECKOUT,
  below,
  ensureRawGit,
  frozenRules,
  indexChecksum,
  loadState,
  requireRealFolder,
  saveState,
  type ViewState,
} from "./view.ts";

export interface SnapshotPlan {
  readonly label: string;
  readonly at: number;
  /** The start of an attempt: the present ignore rules hold, and are frozen until the next start. */
  readonly start?: boolean;
  readonly maxFileBytes?: number;
}

export const snapshot = (
  run: Run,
  worktree: Worktree,
  plan: SnapshotPlan,
  control: Control = {},
): Promise<Result<Snapshot>> => settled(() => takeSnapshot(run, worktree, plan, control));

export async function takeSnapshot(
  run: Run,
  worktree: Worktree,
  plan: SnapshotPlan,
  control: Control,
): Promise<FullSnapshot> {
  const taken = await findSnapshot(run, plan.label);
  if (taken !== null) return taken;
  if (worktree.key !== CHECKOUT) await mkdir(worktree.path, { recursive: true });
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
  if (worktree.key === CHECKOUT) await seedCheckoutIndex(run, control);
  const state = await loadState(run, worktree, control);
  const live = plan.start === true;
  if (live && state.lease !== null && !existsSync(join(worktree.path, ".git", "HEAD")))
    await replaceSlotGit(run, worktree, state.lease, control);
  const limit = plan.maxFileBytes === undefined ? {} : { maxFileBytes: plan.maxFileBytes };
  const scanned = await absorb(run, worktree, state, { live, ...limit }, control);
  await pass(control, "snapshot:scanned");
  const skipped = await scanned.stage();
  await pass(control, "snapshot:staged");
  const unfolded = await treeOfIndex(run, worktree, state, control);
  const { tree, inside } = await fold(run, worktree, unfolded, control);
  const { raw } = await loadForms(run, worktree.key);
  if (live) await freeze(run, worktree, state);
  await saveState(run, worktree.key, state);
  await pass(control, "snapshot:tree");
  const commit = await writeCommit(run, {
    tree,
    parents: [],
    message: messageOf(plan.label, worktree, state, { skipped, raw, inside }),
    at: plan.at,
  });
  await pass(control, "snapshot:commit");
  const made = await createRef(run, refs.snapshot(plan.label), commit);
  if (!made) refuse("ref-moved", `another process took snapshot ${plan.label}`);
  return loadSnapshot(run, plan.label);
}

/** The tree the index stands for; asked of git only when the index changed since. */
async function treeOfIndex(
  run: Run,
  worktree: Worktree,
  state: ViewState,
  control: Control,
): Promise<string> {
  const index = await indexChecksum(run, worktree.key);
  if (state.tree?.index === index) return state.tree.id;
  const env = rawView(run, worktree, "own");
  const call = { args: ["write-tree", "--missing-ok"], env, flush: "later" } as const;
  const { stdout } = await git(call, control);
  const id = stdout.trim();
  state.tree = { index: await indexChecksum(run, worktree.key), id };
  return id;
}

const findSnapshot = (run: Run, label: string): Promise<FullSnapshot | null> =>
  snapshotAt(run, refs.snapshot(label));

export const loadSnapshot = async (run: Run, label: string): Promise<FullSnapshot> =>
  (await findSnapshot(run, label)) ?? refuse("no-such-snapshot", `there is no snapshot ${label}`);

export const readSnapshot = (run: Run, label: string): Promise<Result<Snapshot>> =>
  settled(() => loadSnapshot(run, label));

/** All snapshots of the run, oldest first. */
export const snapshots = (run: Run): Promise<Result<readonly Snapshot[]>> =>
  settled(() => listSnapshots(run));

export async function listSnapshots(run: Run): Promise<Snapshot[]> {
  const names = await readdir(join(layout(run.runDir).clone, refs.snapshots)).catch(() => []);
  const found: Snapshot[] = [];
  for (const name of names) {
    const each = await snapshotAt(run, refs.snapshots + name);
    if (each !== null) found.push(each);
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Nothing was changed between them. */
export const sameTree = (before: Snapshot, after: Snapshot): boolean =>
  before.tree === after.tree && apartFromTree(before) === apartFromTree(after);

const apartFromTree = ({ skipped, changedSubmodules }: Snapshot): string =>
  JSON.stringify([skipped, changedSubmodules]);

/**
 * A hash that changes when a file does; comparable between two snapshots only. One git process and
 * nothing written, so it may be asked while an agent works.
 */
export const treeHash = (
  run: Run,
  worktree: Worktree,
  control: Control = {},
): Promise<Result<string>> =>
  settled(async () => {
    await requireRealFolder(run, worktree);
    const state = await loadState(run, worktree, control);
    const rules = { live: false, file: frozenRules(run, worktree.key), carry: state.carry };
    const changes = await listChanges(rawView(run, worktree, "own"), rules, control);
    const hash = createHash("sha256").update(state.tree?.id ?? "");
    for (const path of [...changes.others, ...changes.tracked, ...changes.nested].sort())
      hash.update(`\0${path}\0${contentMark(below(worktree.path, path))}`, "latin1");
    return hash.digest("hex");
  });

function contentMark(path: Buffer): string {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return `link ${readlinkSync(path, "latin1")}`;
    if (!found.isFile()) return "other";
    const mode = found.mode & 0o100 ? "x" : "-";
    if (found.size > 4_000_000) return `${mode} ${found.size} ${found.mtimeMs}`;
    return `${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  } catch {
    return "gone";
  }
}
