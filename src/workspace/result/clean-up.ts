/**
 * How much room a run takes, and removing it: its folder, its pin and its branch. Nothing here decides to lose work,
 * the caller does; the decision is written down first and that mark goes last, so a clean-up that was cut off is
 * finished and never argued again; a branch that holds anybody else's commit stays.
 */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diskBytes, forceRemove } from "../base/files.ts";
import { pass, runOperation } from "../base/operation.ts";
import { layout } from "../base/run-folder.ts";
import { type Branch, removeBranch, removePins } from "../repository/user-refs.ts";

export interface DiskUse {
  readonly bytes: number;
  readonly slots: number;
  readonly checks: number;
  readonly store: number;
  readonly kept: number;
}

export async function diskUse(runDir: string): Promise<DiskUse> {
  const places = layout(runDir);
  return {
    bytes: await diskBytes(runDir),
    slots: await diskBytes(places.slots),
    checks: await diskBytes(places.checks),
    store: await diskBytes(places.store),
    kept: await diskBytes(places.kept),
  };
}

const markOf = (runDir: string): string => join(runDir, "removing");

/** A clean-up of it was decided on and cut off. */
export const isBeingRemoved = (runDir: string): boolean => existsSync(markOf(runDir));

/** Says which branch stays, and why. */
export const cleanUp = runOperation(async (run): Promise<Branch | null> => {
  const { control } = run;
  const places = layout(run.runDir);
  await writeFile(markOf(run.runDir), "", { flush: true });
  await pass(control, "clean:marked");
  await forceRemove(places.slots);
  await forceRemove(places.checks);
  await forceRemove(places.kept);
  await pass(control, "clean:slots");
  const stays = existsSync(places.clone) ? await removeBranch(run) : null;
  await pass(control, "clean:branch");
  await removePins(run.commonDir, run.id, control);
  await pass(control, "clean:unpinned");
  await forceRemove(places.clone);
  await pass(control, "clean:clone");
  await removeRunFolder(run.runDir);
  return stays;
});

/** The mark goes last, so that what is left of a folder is known for what it is. */
export async function removeRunFolder(runDir: string): Promise<void> {
  for (const name of await readdir(runDir).catch(() => []))
    if (name !== "removing") await forceRemove(join(runDir, name));
  await forceRemove(runDir);
}
