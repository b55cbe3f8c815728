/**
 * Removes runs completely, and leftovers the journal does not know, unless something would be lost. Invariants: without
 * a name it affects only this repository unless told otherwise; work that is, or may be, nowhere else is removed only
 * with a person's consent; a run is claimed first, so that no process resumes it meanwhile, and its row is removed
 * last, so the next removal finishes an interrupted one; folders are listed before the journal, so a run that starts
 * meanwhile is known.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { count } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import { hasCode } from "../../journal/error.ts";
import type { Claim } from "../../journal/owners.ts";
import type { RunRow } from "../../journal/reader.ts";
import { forceRemove } from "../../workspace/base/remove.ts";
import { repositoryAt } from "../../workspace/repository/find-repository.ts";
import {
  cleanUp,
  isBeingRemoved,
  lossOf,
  removeRunFolder,
  type Loss,
} from "../../workspace/result/clean-up.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { pinnedRuns, removePins, type Branch } from "../../workspace/repository/user-refs.ts";
import { CRASH_POINTS, crashPoint } from "../crash-point.ts";
import type { Home } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { accepted, withHome, workspaceFolder, type OpenHome, type OpenRun } from "./open-run.ts";
import { findRun, isOf, runsByPlace, type RunsByPlace } from "./find-run.ts";
import { recordedRun } from "./recorded.ts";
import { startedWith } from "./started-with.ts";
import { hasLivingOwner } from "./status.ts";

const DAY_MS = 24 * 3_600_000;

export const cleanRuns = operation({
  name: "clean",
  schemas: async () => (await import("./schemas.ts")).cleanRuns,
  run: (context, input) => {
    refuseInsideAttempt("clean");
    return withHome(async (open) => {
      const { home, journal } = open;
      const { runs: names, all = false, force = false } = input;
      const isNamed = names.length > 0;
      const before = Date.now() - input.olderThanDays * DAY_MS;
      const places = await runsByPlace(context, journal);
      const { here } = places;
      if (here === undefined && !isNamed && force && !all)
        throw new ProblemError(
          "bad-input",
          "--force outside of a repository: name the runs, or say --all for every repository",
        );
      const rows: RunRow[] = [];
      for (const name of names) rows.push(await findRun(context, journal, name));
      if (!isNamed)
        rows.push(...ofPlaces(places, all).filter((row) => isOver({ home, row }, before)));
      const runs = [];
      for (const row of rows) {
        const elsewhere = row.repo !== "" && row.repo !== here?.root;
        const cleaned = await cleanRun({ ...open, row }, force, isNamed);
        runs.push({ run: row.id, repository: row.repo, ...cleaned, elsewhere });
      }
      const left = isNamed ? undefined : await removeLeftBehind(open, { before, all, force, here });
      await journal.shrink();
      return { runs, ...defined({ left }) };
    });
  },
});

/** Imported history is never a leftover: it is removed only by name. */
const ofPlaces = ({ here, own, others }: RunsByPlace, all: boolean): readonly RunRow[] =>
  (all || here === undefined ? [...own, ...others] : own).filter(({ repo }) => repo !== "");

/** It ended or never began, long enough ago; or its removal was interrupted. */
function isOver({ home, row }: Pick<OpenRun, "home" | "row">, before: number): boolean {
  if (hasLivingOwner(row)) return false;
  if (isPastUse(home, row)) return true;
  return (row.phase === "ended" || row.seq === 0) && (row.changed ?? row.created) <= before;
}

async function cleanRun(open: OpenRun, force: boolean, isNamed: boolean) {
  const obstacle = await obstacleOf(open);
  if (obstacle !== undefined) {
    const { why, next, final, unfinished } = obstacle;
    const kept = { removed: false, why: `${why}; ${next}` };
    if (final === true || (unfinished === true && !(isNamed && force))) return kept;
    if (!force) return { ...kept, wouldLose: why };
  }
  try {
    const stays = await removeRun(open);
    return { removed: true, ...(stays === null ? {} : { why: staysText(stays) }) };
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.code !== "machine"))
      if (!hasCode(error, "run-owned")) throw error;
    return { removed: false, why: (error as Error).message };
  }
}

interface Obstacle {
  readonly why: string;
  readonly next: string;
  /** Consent does not help: a living process is in the way. */
  readonly final?: boolean;
  /** It has not ended: it is removed only by name and with force. */
  readonly unfinished?: boolean;
}

async function obstacleOf({ home, journal, row }: OpenRun): Promise<Obstacle | undefined> {
  const cancel = `cancel it first: unstuck cancel ${row.id}`;
  if (hasLivingOwner(row)) return { why: "it is running", next: cancel, final: true };
  if (row.seq === 0 || isPastUse(home, row)) return undefined;
  const { state } = await recordedRun(journal, row.id);
  if (row.phase !== "ended")
    return { why: unfinishedText(row, state), next: cancel, unfinished: true };
  if ((await startedWith(journal, row.id)).inPlace === true) return undefined;
  const force = `unstuck clean ${row.id} --force`;
  const loaded = await loadRun(workspaceFolder(home, row.id));
  const loss = loaded.ok ? await lossOf(loaded.value, { done: doneOf(state) }) : loaded;
  if (!loss.ok) return { why: cleanLine(loss.refusal.detail, 300), next: force };
  const why = lossText(loss.value);
  if (why === "") return undefined;
  return { why, next: loss.value.commits > 0 ? `unstuck apply ${row.id}, or ${force}` : force };
}

function unfinishedText({ phase }: RunRow, state: RunState): string {
  if (phase === "paused") return "it is paused";
  return needsPerson(state) ? "it needs you" : "it has not ended";
}

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered"]);

/** Subtasks whose work is part of the result. */
const doneOf = ({ plan, subtasks }: RunState): readonly string[] =>
  vectorItems(subtasks).flatMap(({ phase }, index) =>
    DONE.has(phase) ? [plan.subtasks[index]?.id ?? ""] : [],
  );

const STAYS: { readonly [why in Branch["why"]]: string } = {
  "foreign-commits": "it holds commits that are not from the run",
  "checked-out": "it is checked out",
};

const staysText = ({ name, why }: Branch): string => `branch ${name} stays: ${STAYS[why]}`;

interface Removable extends OpenHome {
  readonly row: Pick<RunRow, "id" | "repo">;
}

/** It began, but cannot be used any more: its removal was interrupted, or its folder is gone. */
function isPastUse(home: Home, { id, seq }: Pick<RunRow, "id" | "seq">): boolean {
  const workspace = workspaceFolder(home, id);
  return isBeingRemoved(workspace) || (seq > 0 && !existsSync(workspace));
}

/**
 * Returns the branch that stays because it is not the run's alone. Rejects with `run-owned` while a process works on
 * the run.
 */
async function removeRun(removable: Removable): Promise<Branch | null> {
  const { journal, row } = removable;
  const claim = await journal.claim(row.id, Date.now());
  try {
    return await removeClaimed(removable, claim);
  } catch (error) {
    await journal.release(claim);
    throw error;
  }
}

/** Removes its workspace with branch and pins, its folder with transcripts and log, then its events and its row. */
export async function removeClaimed(
  { home, journal, row }: Removable,
  claim: Claim,
): Promise<Branch | null> {
  const stays = await removeFiles(home, row);
  crashPoint("clean:folder");
  await journal.remove(claim);
  return stays;
}

/** Removes everything of a run but its row. */
async function removeFiles(home: Home, { id, repo }: Removable["row"]): Promise<Branch | null> {
  const workspace = workspaceFolder(home, id);
  const loaded = await loadRun(workspace);
  const stays = loaded.ok ? accepted(id, await cleanUp(loaded.value, CRASH_POINTS)) : null;
  if (!loaded.ok) {
    // A run whose workspace was never completed has a pin at most.
    const found = repo === "" ? undefined : await repositoryAt(repo);
    if (found?.ok === true) await removePins(found.value.commonDir, id, CRASH_POINTS);
    await removeRunFolder(workspace);
  }
  await forceRemove(home.runDir(id));
  return stays;
}

interface Wanted {
  /** Anything modified since then is kept. */
  readonly before: number;
  readonly force: boolean;
  readonly all: boolean;
  readonly here: RunsByPlace["here"];
}

/** Removes folders without a run, and pins in this repository without one. */
async function removeLeftBehind({ home, journal }: OpenHome, wanted: Wanted) {
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

/** Describes the work in a folder; undefined if the folder belongs to another repository. */
async function heldBy(workspace: string, { all, here }: Wanted): Promise<string | undefined> {
  const loaded = await loadRun(workspace);
  if (!loaded.ok) return (await hasWorked(workspace)) ? "its folder is damaged" : "";
  if (!all && here !== undefined && !(await isOf(here, loaded.value.root))) return undefined;
  const loss = await lossOf(loaded.value, { done: [] });
  return loss.ok ? lossText(loss.value) : loss.refusal.detail;
}

/** An agent was given one of its trees; a run whose removal has begun has nothing left to ask about. */
const hasWorked = async (workspace: string): Promise<boolean> =>
  !isBeingRemoved(workspace) &&
  (await readdir(join(workspace, "slots")).catch(() => [])).length > 0;

/** Pins whose run has neither a row nor a folder here. A run of another home may still need its pin. */
async function removeLostPins({ here, force }: Wanted, isKnown: (id: string) => boolean) {
  if (here === undefined) return { pins: 0, pinsKept: 0 };
  const found = await pinnedRuns(here.commonDir, isKnown);
  const lost = found.ok ? found.value : [];
  const toRemove = lost.filter(({ isLast }) => force || !isLast);
  for (const { id } of toRemove) await removePins(here.commonDir, id, {});
  return { pins: toRemove.length, pinsKept: lost.length - toRemove.length };
}

const lossText = ({ commits, branch, attempts, snapshots, aside }: Loss): string =>
  [
    commits > 0 &&
      `${count(commits, "commit")} not applied${branch === null ? "" : ` on ${branch}`}`,
    attempts > 0 &&
      `${count(attempts, "attempt")} of subtasks that did not make it into the result`,
    snapshots > 0 && `${count(snapshots, "snapshot")} of work that exists nowhere else`,
    aside && "files or commits that agents left",
  ]
    .filter((part) => part !== false)
    .join("; ");
