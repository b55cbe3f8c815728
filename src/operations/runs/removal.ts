/**
 * Removes what is left of runs: a run wholly, or what the journal knows nothing of. Invariants: a run is claimed
 * first, so nobody takes it up meanwhile; its row goes last, so a removal that was cut off is found and finished by
 * the next; folders are listed before the journal is read, so a run that starts meanwhile is known; a folder without
 * a run that holds work, or that somebody touched lately, stays.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { count } from "../../core/amounts.ts";
import type { Claim } from "../../journal/owners.ts";
import type { RunRow } from "../../journal/reader.ts";
import {
  cleanUp,
  isBeingRemoved,
  lossOf,
  removeRunFolder,
} from "../../workspace/result/clean-up.ts";
import type { Loss } from "../../workspace/result/clean-up.ts";
import { forceRemove } from "../../workspace/base/files.ts";
import { repositoryAt } from "../../workspace/repository/inspect.ts";
import { pinnedRuns, removePins } from "../../workspace/repository/user-refs.ts";
import type { Branch } from "../../workspace/repository/user-refs.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { crashPoint } from "../crash-point.ts";
import type { Home } from "../home.ts";
import { accepted, isOf, workspaceFolder } from "./open-run.ts";
import type { OpenHome, ThisRepository } from "./open-run.ts";

export interface Removable extends OpenHome {
  readonly row: Pick<RunRow, "id" | "repo">;
}

const CONTROL = { onPoint: crashPoint };

/** It began, and nothing of it can be used any more: its removal was cut off, or its folder is gone. */
export function isPastUse(home: Home, { id, seq }: Pick<RunRow, "id" | "seq">): boolean {
  const workspace = workspaceFolder(home, id);
  return isBeingRemoved(workspace) || (seq > 0 && !existsSync(workspace));
}

/** Gives the branch that stays because it is not the run's alone. Rejects with `run-owned` while somebody works on the run. */
export async function removeRun(removable: Removable): Promise<Branch | null> {
  const { journal, row } = removable;
  const claim = await journal.claim(row.id, Date.now());
  try {
    return await removeClaimed(removable, claim);
  } catch (error) {
    await journal.release(claim);
    throw error;
  }
}

/** Its workspace with branch and pins, its folder with transcripts and log, then its events and its row. */
export async function removeClaimed(
  { home, journal, row }: Removable,
  claim: Claim,
): Promise<Branch | null> {
  const stays = await removeFiles(home, row);
  crashPoint("clean:folder");
  await journal.remove(claim);
  return stays;
}

/** All of a run but its row. */
async function removeFiles(home: Home, { id, repo }: Removable["row"]): Promise<Branch | null> {
  const workspace = workspaceFolder(home, id);
  const loaded = await loadRun(workspace);
  const stays = loaded.ok ? accepted(id, await cleanUp(loaded.value, CONTROL)) : null;
  if (!loaded.ok) {
    // A run that was never opened whole has a pin at most.
    const found = repo === "" ? undefined : await repositoryAt(repo);
    if (found?.ok === true) await removePins(found.value.commonDir, id, CONTROL);
    await removeRunFolder(workspace);
  }
  await forceRemove(home.runDir(id));
  return stays;
}

export interface LeftBehind {
  readonly folders: number;
  readonly pins: number;
  /** Pins that stay: nothing else holds their commits. */
  readonly pinsKept: number;
  /** Ids of folders that stay, with what they hold. */
  readonly kept: readonly { readonly id: string; readonly why: string }[];
}

interface Wanted {
  /** What was touched since is left alone. */
  readonly before: number;
  readonly force: boolean;
  readonly all: boolean;
  readonly here: ThisRepository | undefined;
}

/** Folders without a run, and pins in this repository without one. */
export async function removeLeftBehind(
  { home, journal }: OpenHome,
  wanted: Wanted,
): Promise<LeftBehind> {
  const names = await readdir(home.runs).catch(() => []);
  const known = new Set((await journal.runs()).map(({ id }) => id));
  const kept: { id: string; why: string }[] = [];
  let folders = 0;
  for (const id of names.filter((name) => !known.has(name))) {
    const found = await stat(home.runDir(id)).catch(() => undefined);
    if (found === undefined || found.mtimeMs > wanted.before) continue;
    const why = await heldBy(workspaceFolder(home, id), wanted);
    if (why === undefined) continue;
    if (why !== "" && !wanted.force) kept.push({ id, why });
    else {
      await removeFiles(home, { id, repo: "" });
      folders += 1;
    }
  }
  const isKnown = (id: string): boolean => known.has(id) || existsSync(home.runDir(id));
  return { folders, kept, ...(await removeLostPins(wanted, isKnown)) };
}

/** The work that a folder holds, in words; undefined where it is another repository's. */
async function heldBy(workspace: string, { all, here }: Wanted): Promise<string | undefined> {
  const loaded = await loadRun(workspace);
  if (!loaded.ok) return (await hasWorked(workspace)) ? "its folder is damaged" : "";
  if (!all && here !== undefined && !(await isOf(here, loaded.value.root))) return undefined;
  const loss = await lossOf(loaded.value, { done: [] });
  return loss.ok ? lossWords(loss.value) : loss.refusal.detail;
}

/** An agent was given a tree of it; one that was being removed has nothing left to ask about. */
const hasWorked = async (workspace: string): Promise<boolean> =>
  !isBeingRemoved(workspace) &&
  (await readdir(join(workspace, "slots")).catch(() => [])).length > 0;

/** A run that has neither a row nor a folder leans on nothing any more; one of another home may. */
async function removeLostPins(
  { here, force }: Wanted,
  isKnown: (id: string) => boolean,
): Promise<Pick<LeftBehind, "pins" | "pinsKept">> {
  if (here === undefined) return { pins: 0, pinsKept: 0 };
  const found = await pinnedRuns(here.commonDir, isKnown);
  const lost = found.ok ? found.value : [];
  const toRemove = lost.filter(({ isLast }) => force || !isLast);
  for (const { id } of toRemove) await removePins(here.commonDir, id, {});
  return { pins: toRemove.length, pinsKept: lost.length - toRemove.length };
}

/** What would be lost; nothing where nothing would. */
export const lossWords = ({ commits, branch, attempts, snapshots, aside }: Loss): string =>
  [
    ...(commits === 0
      ? []
      : [`${count(commits, "commit")} not applied${branch === null ? "" : ` on ${branch}`}`]),
    ...(attempts === 0
      ? []
      : [`${count(attempts, "attempt")} of subtasks that are not part of the result`]),
    ...(snapshots === 0 ? [] : [`${count(snapshots, "snapshot")} of work that is nowhere else`]),
    ...(aside ? ["files or commits that agents left"] : []),
  ].join("; ");
