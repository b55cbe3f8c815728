/**
 * Removes a run wholly: its workspace with branch and pins, its folder with transcripts and log, then its events
 * and its row. Invariants: it is claimed first, so nobody takes it up meanwhile; the row goes last, so a removal
 * that was cut off is found and finished by the next; nothing here asks whether something would be lost.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StoredJournal } from "../journal/journal.ts";
import type { Claim } from "../journal/owners.ts";
import type { RunRow } from "../journal/reader.ts";
import { cleanUp, isBeingRemoved, removeRunFolder } from "../workspace/result/clean-up.ts";
import { forceRemove } from "../workspace/base/files.ts";
import { repositoryAt } from "../workspace/repository/inspect.ts";
import { loadRun } from "../workspace/repository/open-run.ts";
import { removePins, type Branch } from "../workspace/repository/user-refs.ts";
import { crashPoint } from "./crash-point.ts";
import type { Home } from "./home.ts";
import { accepted } from "./run-command.ts";

export interface Removable {
  readonly home: Home;
  readonly journal: StoredJournal;
  readonly row: Pick<RunRow, "id" | "repo">;
}

const CONTROL = { onPoint: crashPoint };

export const workspaceFolder = (home: Home, run: string): string =>
  join(home.runDir(run), "workspace");

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
export async function removeFiles(
  home: Home,
  { id, repo }: Removable["row"],
): Promise<Branch | null> {
  const workspace = workspaceFolder(home, id);
  const loaded = await loadRun(workspace);
  const stays = loaded.ok ? accepted(id, await cleanUp(loaded.value, CONTROL)) : null;
  if (!loaded.ok) await removeUnopened(workspace, id, repo);
  await forceRemove(home.runDir(id));
  return stays;
}

/** A run that was never opened whole has a pin at most. */
async function removeUnopened(workspace: string, id: string, repo: string): Promise<void> {
  const found = repo === "" ? undefined : await repositoryAt(repo);
  if (found?.ok === true) await removePins(found.value.commonDir, id, CONTROL);
  await removeRunFolder(workspace);
}
