/**
 * Git objects exchanged between replicas: a bundle of what the others lack, or only commits if that is all they lack.
 * They are read into the run's own store and checked for missing objects before anything may depend on them.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { refs } from "../base/run-folder.ts";
import { cloneGit } from "../git/git-dir.ts";
import { commitContent, isAncestor, readRef } from "../git/commits.ts";
import { keepLoose, knownTree, takeCommit } from "../git/objects.ts";
import { treeOf } from "../git/read-objects.ts";
import type { Change, Known } from "./change.ts";

const COMMITS_BYTES = 64 * 1024;

/**
 * If the others lack only snapshots of trees they have, as at the start of an attempt: those commits by id, as latin1
 * bytes. Undefined if more is missing, or if it is unknown here whether they have a tree.
 */
export async function bareCommits(
  run: ActiveRun,
  { own, known, slots }: { own: Change["refs"]; known: Known; slots: Change["slots"] },
): Promise<Readonly<Record<string, string>> | undefined> {
  const had = new Set([run.base, ...Object.values(known.refs)]);
  const wanted = Object.entries(own).filter(([, id]) => id !== null && !had.has(id));
  if (!wanted.every(([ref]) => ref.startsWith(refs.snapshots))) return undefined;
  const result = known.refs[refs.result(run.id)] ?? run.base;
  const trees = new Set([await treeOf(run, result)]);
  for (const { commit } of Object.values(slots))
    if (await isAncestor(run, commit, result)) trees.add(await treeOf(run, commit));
  const commits: Record<string, string> = {};
  let bytes = 0;
  for (const id of new Set(wanted.map(([, id]) => id ?? ""))) {
    const content = await commitContent(run, id);
    const tree = knownTree(id);
    if (content === null || tree === undefined || !trees.has(tree)) return undefined;
    bytes += content.length;
    if (bytes > COMMITS_BYTES) return undefined;
    commits[id] = content.toString("latin1");
  }
  return commits;
}

/** Snapshots have no parents, so known objects are excluded by tree as well. */
export async function createBundle(
  run: ActiveRun,
  { own, known, folder }: { own: Change["refs"]; known: Known; folder: string },
): Promise<string | undefined> {
  const had = new Set([run.base, ...Object.values(known.refs)]);
  const wanted = Object.entries(own).filter(([, id]) => id !== null && !had.has(id));
  if (wanted.length === 0) return undefined;
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.bundle`);
  const without = theyHave(run, known).flatMap((id) => [`^${id}`, `^${id}^{tree}`]);
  const input = `${[...wanted.map(([ref]) => ref), ...without].join("\n")}\n`;
  const args = ["bundle", "create", "-q", file, "--ignore-missing", "--stdin"];
  const { code, stderr } = await cloneGit(run, args, { input, okCodes: [0, 128] });
  if (code === 0) return file;
  await rm(file, { force: true });
  if (/empty bundle/.test(stderr)) return undefined;
  return refuse("git-failed", `git bundle: ${stderr.trim()}`);
}

/**
 * How many of the newest refs are excluded from a bundle besides the result and the slots. Git reads every excluded tree
 * for every bundle, so excluding all refs would make bundles slower with the length of the run; what is sent twice
 * because an old ref is not excluded is small.
 */
const NEWEST = 32;

function theyHave(run: ActiveRun, known: Known): readonly string[] {
  const result = known.refs[refs.result(run.id)] ?? run.base;
  const slots = Object.values(known.slots).flatMap(({ commit, stands }) => {
    const snapshot = known.refs[refs.snapshot(stands)];
    return snapshot === undefined ? [commit] : [commit, snapshot];
  });
  return [...new Set([run.base, result, ...slots, ...Object.values(known.refs).slice(-NEWEST)])];
}

/** Below this size, objects are unpacked: many small packs would slow down every git more than loose files do. */
const UNPACKED_BYTES = 1024 * 1024;

export async function takeCommits(run: ActiveRun, { commits = {} }: Change): Promise<void> {
  for (const [id, content] of Object.entries(commits))
    if (!(await takeCommit(run, id, Buffer.from(content, "latin1"))))
      refuse("damaged-run", `the commit ${id} of the change is damaged`);
}

export async function takeObjects(run: ActiveRun, bundle: string): Promise<void> {
  const { size } = await stat(bundle);
  if (size > UNPACKED_BYTES) {
    await cloneGit(run, ["bundle", "unbundle", bundle]);
    return;
  }
  const content = await readFile(bundle);
  const header = content.indexOf("\n\nPACK");
  if (header < 0) refuse("damaged-run", "the bundle of git objects is damaged");
  await cloneGit(run, ["unpack-objects", "-q"], { input: content.subarray(header + 2) });
}

/** Requires everything that the change names, down to the last file; what the result here contains is complete. */
export async function requireObjects(run: ActiveRun, change: Change): Promise<void> {
  const leases = Object.values(change.slots).map(({ commit }) => commit);
  const ids = [...Object.values(change.refs), ...leases].filter((id) => id !== null);
  if (ids.length === 0) return;
  const complete = [run.base, (await readRef(run, refs.result(run.id))) ?? run.base];
  const without = complete.flatMap((id) => [`^${id}`, `^${id}^{tree}`]);
  const input = [...new Set([...ids, ...without])].map((line) => `${line}\n`).join("");
  const args = ["rev-list", "--objects", "--quiet", "--stdin"];
  const { code, stderr } = await cloneGit(run, args, { input, okCodes: [0, 1, 128] });
  if (code !== 0)
    refuse("objects-missing", `git objects are missing from the change: ${stderr.trim()}`);
  for (const [ref, id] of Object.entries(change.refs))
    if (id !== null && ref.startsWith(refs.snapshots)) await keepLoose(run, id);
}
