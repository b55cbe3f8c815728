/**
 * Removes a run's folder and its pin. Imports `publish`, `merge`, `snapshot`, `files`, `git`.
 * Invariants: work that is nowhere else is not removed unless forced; the decision is written down
 * first, so a clean-up that was cut off is finished and never argued again; the pin goes before the
 * clone that leans on it only once that clone is given up.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diskBytes, forceRemove } from "./files.ts";
import { git } from "./git.ts";
import { cloneView, layout, refs, userView } from "./git-dir.ts";
import { isAncestor, resultTip } from "./merge.ts";
import { publishedTip } from "./publish.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { listSnapshots } from "./snapshot.ts";
import type { Control, Result, Run, Snapshot } from "./types.ts";

export interface DiskUse {
  readonly bytes: number;
  readonly slots: number;
  readonly checks: number;
  readonly store: number;
  readonly kept: number;
}

export async function diskUse(runDir: string): Promise<DiskUse> {
  const places = layout(runDir);
  const [bytes, slots, checks, store, kept] = [
    await diskBytes(runDir),
    await diskBytes(places.slots),
    await diskBytes(places.checks),
    await diskBytes(places.store),
    await diskBytes(places.kept),
  ];
  return { bytes, slots, checks, store, kept };
}

export const cleanUp = (
  run: Run,
  { force = false }: { readonly force?: boolean } = {},
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const places = layout(run.runDir);
    const decided = join(run.runDir, "removing");
    if (!force && !existsSync(decided)) await refuseUnpublished(run, control);
    await writeFile(decided, "", { flush: true });
    await pass(control, "clean:marked");
    await forceRemove(places.slots);
    await forceRemove(places.checks);
    await forceRemove(places.kept);
    await pass(control, "clean:slots");
    await unpin(run, control);
    await pass(control, "clean:unpinned");
    await forceRemove(places.clone);
    await pass(control, "clean:clone");
    await forceRemove(run.runDir);
  });

/** Work: a result, or any snapshot, with another tree than the base, while nothing was published. */
async function refuseUnpublished(run: Run, control: Control): Promise<void> {
  const tip = await resultTip(run);
  const published = existsSync(run.gitDir) ? await publishedTip(run, control) : null;
  if (published !== null && (await isAncestor(run, tip, published, control))) return;
  if (tip !== run.base) refuse("unpublished-work", `the result of run ${run.id} is not published`);
  if (existsSync(layout(run.runDir).kept))
    refuse("unpublished-work", `run ${run.id} keeps files or commits that agents left`);
  const args = ["rev-parse", "-q", "--verify", `${run.base}^{tree}`];
  const base = await git({ args, env: cloneView(run), okCodes: [0, 1, 128] }, control);
  const taken = await listSnapshots(run);
  const isWork = ({ tree, changedSubmodules }: Snapshot): boolean =>
    tree !== base.stdout.trim() || changedSubmodules.length > 0;
  if (taken.some(isWork))
    refuse("unpublished-work", `snapshots of run ${run.id} hold unpublished work`);
}

async function unpin(run: Run, control: Control): Promise<void> {
  if (!existsSync(run.gitDir)) return;
  const args = ["update-ref", "-d", refs.pin(run.id)];
  await git({ args, env: userView(run) }, control);
}
