/**
 * Snapshots: the whole tree byte for byte, as a commit under a hidden ref of the run's clone, with notes in the commit
 * message. Invariants: a label is used once, and a repeated call returns its snapshot; every object of a snapshot is in
 * the run's store or reachable from the pin; without filters and submodules it takes at most three git processes, and
 * one if nothing changed. Snapshots of older runs remain readable.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow } from "../base/files.ts";
import { type ActiveRun, reachPoint, treeOperation } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { CHECKOUT, refs, type Worktree } from "../base/run-folder.ts";
import { replaceSlotGit } from "../git/agent-git.ts";
import { createRef } from "../git/commits.ts";
import { writeCommit } from "../git/objects.ts";
import { rawView } from "../git/git-dir.ts";
import { git, text } from "../git/git.ts";
import { collapseSubmodules } from "../git/submodules.ts";
import {
  frozenRules,
  indexChecksum,
  requireRealFolder,
  requireWorktree,
  saveState,
} from "../git/worktree.ts";
import { loadState, type TreeState } from "../git/tree-state.ts";
import { readNotes } from "../git/index-notes.ts";
import { freeze, seedCheckoutIndex, stageChanges } from "./scan.ts";
import { listChanges } from "./list-changes.ts";
import { snapshotAt, loadSnapshot, type Snapshot } from "./read-snapshot.ts";

interface SnapshotPlan {
  readonly label: string;
  readonly at: number;
  /** The start of an attempt: the current ignore rules apply, and are frozen until the next start. */
  readonly start?: boolean;
  readonly maxFileBytes?: number;
}

export const snapshot = treeOperation(takeSnapshot);

export async function takeSnapshot(
  run: ActiveRun,
  worktree: Worktree,
  plan: SnapshotPlan,
): Promise<Snapshot> {
  const taken = await snapshotAt(run, refs.snapshot(plan.label));
  if (taken !== null) return taken;
  if (worktree.key !== CHECKOUT) await mkdir(worktree.path, { recursive: true });
  await requireWorktree(run, worktree);
  if (worktree.key === CHECKOUT) await seedCheckoutIndex(run);
  const state = await loadState(run, worktree);
  const live = plan.start === true;
  if (live && state.lease !== null && !existsSync(join(worktree.path, ".git", "HEAD")))
    await replaceSlotGit(run, worktree, state.lease);
  const skipped = await stageChanges(run, worktree, state, live, plan.maxFileBytes);
  await reachPoint(run.control, "snapshot:staged");
  const expanded = await treeOfIndex(run, worktree, state);
  const { tree, inside } = await collapseSubmodules(run, worktree, expanded);
  const { raw } = await readNotes(run, worktree.key);
  if (live) await freeze(run, worktree, state);
  await saveState(run, worktree.key, state);
  await reachPoint(run.control, "snapshot:tree");
  const message = messageOf(plan.label, worktree, state, { skipped, raw, inside });
  const commit = await writeCommit(run, { tree, parents: [], message, at: plan.at });
  await reachPoint(run.control, "snapshot:commit");
  const made = await createRef(run, refs.snapshot(plan.label), commit);
  if (!made) refuse("ref-moved", `another process took snapshot ${plan.label}`);
  return loadSnapshot(run, plan.label);
}

/** The tree that the index represents; git is asked only if the index has changed. */
async function treeOfIndex(run: ActiveRun, worktree: Worktree, state: TreeState): Promise<string> {
  const index = await indexChecksum(run, worktree.key);
  if (state.tree?.index === index) return state.tree.id;
  const env = rawView(run, worktree, "own");
  const call = { args: ["write-tree", "--missing-ok"], env, flush: "later" } as const;
  const id = (await git(call, run.control)).stdout.trim();
  state.tree = { index: await indexChecksum(run, worktree.key), id };
  return id;
}

/** Whether nothing changed between them. */
export const sameTree = (before: Snapshot, after: Snapshot): boolean =>
  before.tree === after.tree && apartFromTree(before) === apartFromTree(after);

const apartFromTree = ({ skipped, changedSubmodules }: Snapshot): string =>
  JSON.stringify([skipped, changedSubmodules]);

/** A hash for detecting changes between snapshots. One git and no writes, so it is safe while an agent works. */
export async function treeHash(run: ActiveRun, worktree: Worktree): Promise<string> {
  await requireRealFolder(run, worktree);
  const state = await loadState(run, worktree);
  const rules = { live: false, file: frozenRules(run, worktree.key), carry: state.carry };
  const changes = await listChanges(rawView(run, worktree, "own"), rules, run.control);
  const hash = createHash("sha256").update(state.tree?.id ?? "");
  for (const path of [...changes.others, ...changes.tracked, ...changes.nested].sort())
    hash.update(`\0${path}\0${contentMark(pathBelow(worktree.path, path))}`, "latin1");
  return hash.digest("hex");
}

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

function messageOf(
  label: string,
  worktree: Worktree,
  state: TreeState,
  { skipped, raw, inside }: Pick<Snapshot, "skipped" | "raw" | "inside">,
): string {
  const nested = state.nested.filter((path) =>
    existsSync(Buffer.concat([pathBelow(worktree.path, path), Buffer.from("/.git")])),
  );
  const { gitlinks, attributes } = state;
  const named = skipped.slice(0, 1000);
  const meta = { label, skipped: named, nested, gitlinks, attributes, raw, inside };
  return `snapshot\n\n${JSON.stringify(meta)}`;
}

/**
 * Submodules whose content changed between the two snapshots, not earlier by a set-up; the result keeps their recorded
 * commits.
 */
export function changedSubmodules(from: Snapshot, to: Snapshot): readonly string[] {
  const entryIn = ({ inside }: Snapshot, path: string): string | undefined =>
    inside.find((each) => each.path === path)?.entry;
  const paths = [...from.inside, ...to.inside].map(({ path }) => path);
  const changed = paths.filter((path) => entryIn(from, path) !== entryIn(to, path));
  return [...new Set(changed)].sort().map(text);
}
