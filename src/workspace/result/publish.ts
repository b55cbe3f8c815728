/**
 * Brings commits into the user's repository, and the result as branch `unstuck/<run>`: first LFS objects, then missing
 * objects as one pack, then the ref. Invariants: packed in our own folder, then copied under temporary names and
 * renamed, the pack before its index, so that git sees all or nothing; leftovers of a failed or killed call are
 * removed, and nothing else; no hook, gc or fetch runs there; a branch that moved or is checked out is refused.
 */
import { constants, existsSync, statSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { exists, syncPath } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { isAncestor, resultTip } from "../git/commits.ts";
import { sendLfsObject } from "../git/filters.ts";
import { missingLfsObjects, type LfsCopy } from "../git/lfs.ts";
import { cloneGit, quarantineView, userView } from "../git/git-dir.ts";
import { git } from "../git/git.ts";
import { branchesAround, isCheckedOut, refuseBranchInTheWay } from "../repository/user-refs.ts";
import { onDisk, requireDiskSpace, rethrowExplained, type SpaceNeed } from "./disk-space.ts";

interface Parcel {
  readonly folder: string;
  /** File names, the pack's index last. */
  readonly files: readonly string[];
  readonly lfs: readonly LfsCopy[];
  readonly needs: readonly SpaceNeed[];
}

/** Packs what `wanted` (commits, trees) needs and the user's repository lacks; the caller removes the folder. */
export async function packMissing(
  run: ActiveRun,
  wanted: readonly string[],
  known: readonly string[],
): Promise<Parcel> {
  const without = [...known, ...(run.pinned === null ? [] : [run.pinned])];
  const input = `${[...wanted, ...without.map((id) => `^${id}`)].join("\n")}\n`;
  const list = ["rev-list", "--objects", "--no-object-names", "--stdin"];
  const { stdout } = await cloneGit(run, list, { input });
  const ids = [...new Set(stdout.split("\n").filter((id) => id !== ""))];
  const lfs = await missingLfsObjects(run, ids);
  const missing = ids.length === 0 ? [] : await missingObjects(run, ids);
  const places = layout(run.runDir).private("_publish");
  for (const name of await readdir(places).catch(() => []))
    if (!isAlive(name)) await forceRemove(join(places, name));
  await mkdir(places, { recursive: true });
  const folder = await mkdtemp(join(places, `${process.pid}-`));
  try {
    if (missing.length > 0) {
      const args = ["pack-objects", "-q", "--non-empty", join(folder, "pack")];
      await mkdir(join(folder, "objects", "pack"), { recursive: true });
      const env = quarantineView(run, join(folder, "objects"));
      await git({ args, env, input: `${missing.join("\n")}\n` }, run.control);
    }
  } catch (error) {
    await forceRemove(folder);
    throw error;
  }
  const names = (await readdir(folder)).filter((name) => name.startsWith("pack-"));
  const files = names.sort((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")));
  const bytes = files.reduce((sum, name) => sum + onDisk(statSync(join(folder, name)).size), 0);
  const lfsBytes = lfs.reduce((sum, { size }) => sum + onDisk(size), 0);
  const needs = [{ path: run.objects, bytes: bytes + lfsBytes, files: files.length + lfs.length }];
  return { folder, files, lfs, needs };
}

async function missingObjects(run: ActiveRun, ids: readonly string[]): Promise<string[]> {
  const args = ["cat-file", "--batch-check=%(objectname)"];
  const env = userView(run);
  const { stdout } = await git({ args, env, input: `${ids.join("\n")}\n` }, run.control);
  return stdout.split("\n").flatMap((line) => /^([0-9a-f]+) missing$/.exec(line)?.[1] ?? []);
}

/** Puts the parcel into the user's repository; safe to repeat. */
export async function deliverParcel(run: Run, parcel: Parcel): Promise<void> {
  const to = join(run.objects, "pack");
  const written: string[] = [];
  try {
    for (const copy of parcel.lfs) await sendLfsObject(copy);
    if (parcel.files.length > 0) await mkdir(to, { recursive: true });
    await removeAsides(run, to);
    for (const name of parcel.files) {
      if (await exists(join(to, name))) continue;
      const aside = join(to, `${asideName(run)}${process.pid}${extname(name)}`);
      written.push(aside);
      await copyFile(join(parcel.folder, name), aside, constants.COPYFILE_FICLONE);
      await syncPath(aside);
      await rename(aside, join(to, name));
      written.push(join(to, name));
    }
    if (parcel.files.length > 0) await syncPath(to);
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    rethrowExplained(error, [run.objects]);
  }
}

/** Packs and delivers what is missing, if there is enough disk space. */
export async function sendMissing(
  run: ActiveRun,
  wanted: readonly string[],
  known: readonly string[],
): Promise<void> {
  const parcel = await packMissing(run, wanted, known);
  try {
    requireDiskSpace(parcel.needs);
    await deliverParcel(run, parcel);
  } finally {
    await forceRemove(parcel.folder);
  }
}

/** `git gc` removes files with this prefix as well. */
const asideName = (run: Run): string => `tmp_unstuck_${run.id}_`;

async function removeAsides(run: Run, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(asideName(run)) && !isAlive(name.slice(asideName(run).length)))
      await rm(join(folder, name), { force: true });
}

/** Whether the process whose id starts the name is alive; this process counts. */
function isAlive(name: string): boolean {
  const pid = Number(/^\d{1,10}/.exec(name)?.[0] ?? 0);
  if (pid === 0 || pid === process.pid) return pid === process.pid;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export async function publish(run: ActiveRun): Promise<{ branch: string; commit: string }> {
  const commit = await resultTip(run);
  const ref = refs.result(run.id);
  const branch = ref.slice("refs/heads/".length);
  if (!existsSync(run.gitDir)) refuse("repository-gone", `${run.root} is gone`);
  const there = await branchesAround(run, run.id, run.control);
  const present = there.find((each) => each.ref === ref)?.commit ?? null;
  if (present === commit) return { branch, commit };
  if (present !== null && !(await isAncestor(run, present, commit)))
    refuse("ref-moved", `${branch} holds commits that are not from this run`);
  if (await isCheckedOut(run, ref))
    refuse("branch-checked-out", `${ref} is checked out in the repository`);
  if (present === null) refuseBranchInTheWay(there, run.id);
  await sendMissing(run, [commit], present === null ? [] : [present]);
  await reachPoint(run.control, "publish:packed");
  const old = present ?? "0".repeat(commit.length);
  try {
    await git({ args: ["update-ref", ref, commit, old], env: userView(run) }, run.control);
  } catch (error) {
    rethrowExplained(error, [run.commonDir]);
  }
  return { branch, commit };
}
