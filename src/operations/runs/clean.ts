/**
 * Removing ended runs wholly, unless something would be lost with them. Invariants: it keeps to this repository
 * unless told otherwise; work that is nowhere else goes only by a person's word; where it cannot be told what would
 * be lost, that is a reason to keep it too.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import { hasCode } from "../../journal/error.ts";
import type { RunRow } from "../../journal/reader.ts";
import { lossOf } from "../../workspace/result/clean-up.ts";
import type { Branch } from "../../workspace/repository/user-refs.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";
import { findRun, runsByPlace, withHome, workspaceFolder } from "./open-run.ts";
import type { OpenRun, RunsByPlace } from "./open-run.ts";
import { recordedRun } from "./recorded.ts";
import { isPastUse, lossWords, removeLeftBehind, removeRun } from "./removal.ts";
import { hasLivingOwner } from "./standing.ts";
import { startedWith } from "./started-with.ts";

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
      return { runs, ...(left === undefined ? {} : { left }) };
    });
  },
});

/** Imported history is nobody's leftover: it goes only by name. */
const ofPlaces = ({ here, own, others }: RunsByPlace, all: boolean): readonly RunRow[] =>
  (all || here === undefined ? [...own, ...others] : own).filter(({ repo }) => repo !== "");

/** It ended or never began, long enough ago; or its removal was cut off. */
function isOver({ home, row }: Pick<OpenRun, "home" | "row">, before: number): boolean {
  if (hasLivingOwner(row)) return false;
  if (isPastUse(home, row)) return true;
  return (row.phase === "ended" || row.seq === 0) && (row.changed ?? row.created) <= before;
}

interface Cleaned {
  readonly removed: boolean;
  readonly why?: string;
  readonly wouldLose?: string;
}

async function cleanRun(open: OpenRun, force: boolean, isNamed: boolean): Promise<Cleaned> {
  const obstacle = await obstacleOf(open);
  if (obstacle !== undefined) {
    const { why, next, final, unfinished } = obstacle;
    const kept = { removed: false, why: `${why}; ${next}` };
    if (final === true || (unfinished === true && !(isNamed && force))) return kept;
    if (!force) return { ...kept, wouldLose: why };
  }
  try {
    const stays = await removeRun(open);
    return { removed: true, ...(stays === null ? {} : { why: staysWords(stays) }) };
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.code !== "machine"))
      if (!hasCode(error, "run-owned")) throw error;
    return { removed: false, why: (error as Error).message };
  }
}

interface Obstacle {
  readonly why: string;
  /** What to do about it. */
  readonly next: string;
  /** Nobody can agree to it: a living process is in the way. */
  readonly final?: boolean;
  /** It has not ended: its removal has to be asked for by name and by force. */
  readonly unfinished?: boolean;
}

async function obstacleOf({ home, journal, row }: OpenRun): Promise<Obstacle | undefined> {
  const cancel = `cancel it first: unstuck cancel ${row.id}`;
  if (hasLivingOwner(row)) return { why: "it is being worked on", next: cancel, final: true };
  if (row.seq === 0 || isPastUse(home, row)) return undefined;
  const { state } = await recordedRun(journal, row.id);
  if (row.phase !== "ended")
    return { why: unfinishedWords(row, state), next: cancel, unfinished: true };
  if ((await startedWith(journal, row.id)).inPlace === true) return undefined;
  const force = `unstuck clean ${row.id} --force`;
  const loaded = await loadRun(workspaceFolder(home, row.id));
  const loss = loaded.ok ? await lossOf(loaded.value, { done: doneOf(state) }) : loaded;
  if (!loss.ok) return { why: cleanLine(loss.refusal.detail, 300), next: force };
  const why = lossWords(loss.value);
  if (why === "") return undefined;
  return { why, next: loss.value.commits > 0 ? `unstuck apply ${row.id}, or ${force}` : force };
}

function unfinishedWords({ phase }: RunRow, state: RunState): string {
  if (phase === "paused") return "it is paused";
  return needsPerson(state) ? "it waits for you" : "it has not ended";
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

const staysWords = ({ name, why }: Branch): string => `branch ${name} stays: ${STAYS[why]}`;
