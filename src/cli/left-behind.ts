/**
 * What runs left that the journal knows nothing of: folders without a run, and pins in this repository without
 * one. Invariants: folders are listed before the journal is read, so a run that starts meanwhile is known; a
 * folder that holds work, or that somebody touched lately, stays.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JournalReader } from "../journal/reader.ts";
import { isBeingRemoved } from "../workspace/result/clean-up.ts";
import { lossOf } from "../workspace/result/unapplied-work.ts";
import { loadRun } from "../workspace/repository/open-run.ts";
import { pinnedRuns, removePins } from "../workspace/repository/user-refs.ts";
import type { Home } from "./home.ts";
import { removeFiles, workspaceFolder } from "./removal.ts";
import { isOf } from "./this-repository.ts";
import type { ThisRepository } from "./this-repository.ts";
import { lossWords } from "./would-lose.ts";

export interface LeftBehind {
  readonly folders: number;
  readonly pins: number;
  /** Pins that stay: nothing else holds their commits. */
  readonly pinsKept: number;
  /** Ids of folders that stay, with what they hold. */
  readonly kept: readonly { readonly id: string; readonly why: string }[];
}

interface Asked {
  /** What was touched since is left alone. */
  readonly before: number;
  readonly force: boolean;
  readonly all: boolean;
  readonly here: ThisRepository | undefined;
}

export async function removeLeftBehind(
  home: Home,
  journal: JournalReader,
  asked: Asked,
): Promise<LeftBehind> {
  const names = await readdir(home.runs).catch(() => []);
  const known = new Set((await journal.runs()).map(({ id }) => id));
  const kept: { id: string; why: string }[] = [];
  let folders = 0;
  for (const id of names.filter((name) => !known.has(name))) {
    const found = await stat(home.runDir(id)).catch(() => undefined);
    if (found === undefined || found.mtimeMs > asked.before) continue;
    const why = await heldBy(workspaceFolder(home, id), asked);
    if (why === undefined) continue;
    if (why !== "" && !asked.force) kept.push({ id, why });
    else {
      await removeFiles(home, { id, repo: "" });
      folders += 1;
    }
  }
  const isKnown = (id: string): boolean => known.has(id) || existsSync(home.runDir(id));
  return { folders, kept, ...(await removeLostPins(asked, isKnown)) };
}

/** The work that a folder holds, in words; undefined where it is another repository's. */
async function heldBy(workspace: string, { all, here }: Asked): Promise<string | undefined> {
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
  { here, force }: Asked,
  isKnown: (id: string) => boolean,
): Promise<Pick<LeftBehind, "pins" | "pinsKept">> {
  if (here === undefined) return { pins: 0, pinsKept: 0 };
  const found = await pinnedRuns(here.commonDir, isKnown);
  const lost = found.ok ? found.value : [];
  const toRemove = lost.filter(({ isLast }) => force || !isLast);
  for (const { id } of toRemove) await removePins(here.commonDir, id, {});
  return { pins: toRemove.length, pinsKept: lost.length - toRemove.length };
}
