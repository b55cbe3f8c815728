/**
 * Where runs stand, in short; who works on a run, and who paused it. Invariants: a list reads no events of a run whose row says enough, so that thousands stay quick; a run
 * nobody works on is paused by whoever said so last, also where that still waits in its inbox.
 */
import { existsSync } from "node:fs";
import type { RunInput } from "../../core/run/input.ts";
import { runSummary, type RunSummary } from "../../core/run/run-summary.ts";
import { systemProcesses } from "../../engines/system.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { hasApplied } from "../../workspace/result/apply.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { defined, operation } from "../operation.ts";
import { nextCommands } from "../status/next-commands.ts";
import { isAskingFor, standingOf, type Standing } from "../status/run-state.ts";
import { withHome, workspaceFolder, type OpenHome } from "./open-run.ts";
import { elsewhereText, runsByPlace } from "./find-run.ts";
import { recordedRun } from "./recorded.ts";

/** Open runs of other repositories that are listed beside this one's. */
const OTHERS_SHOWN = 5;

export const listRuns = operation({
  name: "list",
  schemas: async () => (await import("./reading-schemas.ts")).listRuns,
  run: (context, { all = false, here: onlyHere = false, limit = Infinity }) =>
    withHome(async (open) => {
      const { here, own, others } = await runsByPlace(context, open.journal);
      const isInside = here !== undefined;
      const mine = await standing(open, own);
      const theirs = onlyHere
        ? []
        : await standing(open, all || !isInside ? others : unended(others));
      const shownOwn = mine.slice(0, all ? Infinity : limit);
      const shownTheirs = theirs.slice(0, all ? Infinity : isInside ? OTHERS_SHOWN : limit);
      const ids = [...own, ...others].map(({ id }) => id).join("\n");
      const describe = (isHere: boolean) => (one: StandingRow) =>
        listed(open, one, isHere, shortName(one.row.id, ids));
      const runs = await Promise.all([
        ...shownOwn.map(describe(true)),
        ...shownTheirs.map(describe(false)),
      ]);
      const shown = new Set(shownTheirs.map(({ row }) => row));
      const left = isInside ? others.filter((row) => !shown.has(row)) : [];
      const older =
        mine.length - shownOwn.length + (isInside ? 0 : theirs.length - shownTheirs.length);
      return {
        runs,
        all: all || !isInside,
        inside: isInside,
        older,
        elsewhere: onlyHere ? "" : elsewhereText(left),
      };
    }),
});

/** Their rows are looked at more closely: whether one of them waits for a person. */
const unended = (rows: readonly RunRow[]): readonly RunRow[] =>
  rows.filter(
    ({ phase, outcome, repo }) => phase !== "ended" && outcome === undefined && repo !== "",
  );

interface StandingRow {
  readonly row: RunRow;
  readonly standing: Standing;
  readonly summary: Partial<RunSummary>;
}

/** Those that wait for a person first, then the newest. */
async function standing({ journal }: OpenHome, rows: readonly RunRow[]): Promise<StandingRow[]> {
  const known: StandingRow[] = [];
  for (const row of rows) known.push(await standingRow(journal, row));
  const rank = ({ standing: { state }, summary: { questions = 0 } }: StandingRow): number =>
    isAskingFor(state, questions) ? 0 : 1;
  return known.toSorted((a, b) => rank(a) - rank(b));
}

export async function standingRow(journal: JournalReader, row: RunRow): Promise<StandingRow> {
  const { id, repo: repository, seq, phase, outcome } = row;
  const alive = isWorkedOn(row);
  const isLeft = phase !== "ended" && outcome === undefined && !alive && seq > 0;
  const told = isLeft ? await toldTo(journal, id) : [];
  const isUnknown = row.summary === undefined && phase !== "ended" && seq > 0 && repository !== "";
  const summary = isUnknown
    ? runSummary((await recordedRun(journal, id)).state)
    : (row.summary ?? {});
  const known = { repository, seq, phase, outcome, alive, summary, told };
  return { row, standing: standingOf(known), summary };
}

/** The shortest name that no other of all ids, one a line, could be meant by: the end of its own, or all of it. */
function shortName(id: string, ids: string): string {
  const end = id.slice(id.lastIndexOf("-") + 1);
  return ids.indexOf(end) === ids.lastIndexOf(end) ? end : id;
}

/** A row as it is listed. */
export async function listed(
  { home }: OpenHome,
  { row: { repo, outcome, summary: _, ...row }, standing, summary }: StandingRow,
  here: boolean,
  name: string,
) {
  const workspace = workspaceFolder(home, row.id);
  const loaded = await loadRun(workspace);
  const branch = loaded.ok ? loaded.value.branch : null;
  const { state, waitsUntil, pausedBy } = standing;
  const { questions = 0, cost } = summary;
  const applied = state === "verified" && loaded.ok && (await hasApplied(loaded.value));
  // Imported history never had one.
  const folderIsGone = repo !== "" && row.seq > 0 && !existsSync(workspace);
  return {
    ...row,
    ...{ name, here, state, questions, applied },
    ...defined({
      waitsUntil: waitsUntil === undefined ? undefined : new Date(waitsUntil).toISOString(),
      pausedBy,
      cost,
    }),
    ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
    repository: repo,
    ...(branch === null ? {} : { branch }),
    alive: isWorkedOn(row),
    folderIsGone,
    next: nextCommands({ id: row.id, state, questions, applied, folderIsGone }),
  };
}

/** Also of one that has ended: its owner may still publish. */
export const hasLivingOwner = ({ owner }: Pick<RunRow, "owner">): boolean =>
  owner !== undefined && !systemProcesses().isDead(owner);

export const isWorkedOn = (row: Pick<RunRow, "owner" | "phase">): boolean =>
  row.phase !== "ended" && hasLivingOwner(row);

const INBOX_ROWS = 1000;

/** What was told to a run that nobody works on. */
export async function toldTo(journal: JournalReader, run: string): Promise<readonly RunInput[]> {
  const rows = await journal.posted(run, 0, INBOX_ROWS);
  return rows.flatMap((row) => ("input" in row ? [row.input] : []));
}

/** A run that nobody works on was stopped by a person; a crash is the system's doing. */
export async function isStoppedByPerson(journal: JournalReader, run: string): Promise<boolean> {
  const told = (await toldTo(journal, run)).findLast((input) => input.kind === "pause-requested");
  const { by } = told ?? (await recordedRun(journal, run)).state.paused ?? {};
  return by === "user";
}

/** The number of the last pause, also of one that nobody has taken note of yet. */
export async function lastPause(journal: JournalReader, run: string): Promise<number> {
  const { pauses } = (await recordedRun(journal, run)).state;
  const told = await toldTo(journal, run);
  return Math.max(
    pauses,
    ...told.map((input) => (input.kind === "pause-requested" ? input.pause : 0)),
  );
}
