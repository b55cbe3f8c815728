/**
 * The states of runs in short; whether a process works on a run, and who paused it. Invariants: a list reads no events
 * of a run whose row is sufficient, so that thousands stay fast; a run without a process counts as paused by the last
 * request, even if that is still in its inbox.
 */
import { existsSync } from "node:fs";
import type { z } from "zod";
import type { RunInput } from "../../core/run/input.ts";
import { runSummary, type RunSummary } from "../../core/run/run-summary.ts";
import { systemProcesses } from "../../engines/system.ts";
import type { Processes } from "../../journal/owners.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { hasApplied } from "../../workspace/result/apply.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { defined, operation } from "../operation.ts";
import { nextCommands } from "../status/next-commands.ts";
import { isAskingFor, standingOf, type Standing } from "../status/run-state.ts";
import { withHome, workspaceFolder, type OpenHome } from "./open-run.ts";
import { elsewhereText, runsByPlace } from "./find-run.ts";
import type { listRuns as listSchemas } from "./reading-schemas.ts";
import { recordedRun } from "./recorded.ts";

/** How many open runs of other repositories are listed with this one's. */
const OTHERS_SHOWN = 5;

type ListInput = z.infer<typeof listSchemas.input>;

export const listRuns = operation({
  name: "list",
  schemas: async () => (await import("./reading-schemas.ts")).listRuns,
  run: (context, input) =>
    withHome(async (open) => {
      const { here, own, others } = await runsByPlace(context, open.journal);
      const standing = (rows: readonly RunRow[]): Promise<readonly StandingRow[]> =>
        Promise.all(rows.map((row) => standingRow(open.journal, row)));
      const shown = shownRuns(input, {
        isInside: here !== undefined,
        own: await standing(own),
        others: input.here === true ? [] : await standing(others),
      });
      const nameOf = shortNames([...own, ...others].map(({ id }) => id));
      const described = (isHere: boolean) => (one: StandingRow) =>
        listed(open, one, isHere, nameOf(one.row.id));
      const asked = [...shown.own.map(described(true)), ...shown.others.map(described(false))];
      return { runs: await Promise.all(asked), ...shown.said };
    }),
});

interface Found<One extends StandingRow> {
  /** The caller is in a repository. */
  readonly isInside: boolean;
  /** Runs of that repository, newest first. */
  readonly own: readonly One[];
  readonly others: readonly One[];
}

/** The runs that a list shows, those that wait for a person first, and what it says about the rest. */
export function shownRuns<One extends StandingRow>(
  { all = false, here: onlyHere = false, limit = Infinity }: ListInput,
  { isInside, own, others }: Found<One>,
) {
  const theirs = onlyHere ? [] : all || !isInside ? others : others.filter(isOpen);
  const first = (rows: readonly One[], most: number): readonly One[] =>
    all ? askingFirst(rows) : askingFirst(rows).slice(0, most);
  const shownOwn = first(own, limit);
  const shownTheirs = first(theirs, isInside ? OTHERS_SHOWN : limit);
  const shown = new Set(all ? [] : shownTheirs);
  const left = all || onlyHere || !isInside ? [] : others.filter((one) => !shown.has(one));
  return {
    own: shownOwn,
    others: shownTheirs,
    said: {
      all: all || !isInside,
      inside: isInside,
      older: own.length - shownOwn.length + (isInside ? 0 : theirs.length - shownTheirs.length),
      elsewhere: elsewhereText(left.map(({ row }) => row)),
    },
  };
}

const isOpen = ({ row: { phase, outcome, repo } }: StandingRow): boolean =>
  phase !== "ended" && outcome === undefined && repo !== "";

export interface StandingRow {
  readonly row: RunRow;
  /** A process works on it. */
  readonly alive: boolean;
  readonly standing: Standing;
  readonly summary: Partial<RunSummary>;
}

function askingFirst<One extends StandingRow>(rows: readonly One[]): readonly One[] {
  const isAsking = ({ standing: { state }, summary: { questions = 0 } }: One): boolean =>
    isAskingFor(state, questions);
  const asking = rows.filter(isAsking);
  return asking.length === 0 ? rows : [...asking, ...rows.filter((one) => !isAsking(one))];
}

export async function standingRow(journal: JournalReader, row: RunRow): Promise<StandingRow> {
  const { id, repo: repository, seq, phase, outcome } = row;
  const alive = isWorkedOn(row);
  const isLeft = phase !== "ended" && outcome === undefined && !alive && seq > 0;
  // Its process may have ended the run since the row was read: then it was not left unfinished.
  const now = isLeft ? await journal.run(id) : undefined;
  if (now !== undefined && now.seq > seq) return standingRow(journal, now);
  const told = isLeft ? await inboxInputs(journal, id) : [];
  const isUnknown = row.summary === undefined && phase !== "ended" && seq > 0 && repository !== "";
  const summary = isUnknown
    ? runSummary((await recordedRun(journal, id)).state)
    : (row.summary ?? {});
  const known = { repository, seq, phase, outcome, alive, summary, told };
  return { row, alive, standing: standingOf(known), summary };
}

/** The shortest unambiguous name of a run: the last part of its id, or all of it. `ids`: all ids, one per line. */
export function shortName(id: string, ids: string): string {
  const end = id.slice(id.lastIndexOf("-") + 1);
  return ids.indexOf(end) === ids.lastIndexOf(end) ? end : id;
}

/** The same for all of these ids in one pass. */
export function shortNames(ids: readonly string[]): (id: string) => string {
  const endOf = (id: string): string => id.slice(id.lastIndexOf("-") + 1);
  const times = new Map(ids.map((id) => [endOf(id), 0]));
  const lengths = new Set([...times.keys()].map((end) => end.length));
  for (const length of lengths)
    for (const id of ids)
      for (let from = 0; from + length <= id.length; from += 1) {
        const part = id.slice(from, from + length);
        const known = times.get(part);
        if (known !== undefined) times.set(part, known + 1);
      }
  return (id) => (times.get(endOf(id)) === 1 ? endOf(id) : id);
}

/** What a run's folder shows. */
export interface FolderFacts {
  readonly branch?: string;
  readonly applied: boolean;
  readonly folderIsGone: boolean;
}

export async function folderFacts(
  { home }: OpenHome,
  { row, standing: { state } }: StandingRow,
): Promise<FolderFacts> {
  const workspace = workspaceFolder(home, row.id);
  // Imported history never had a folder, and a fleet's run has it on its workers.
  if (!existsSync(workspace))
    return { applied: false, folderIsGone: row.repo !== "" && row.fleet !== true && row.seq > 0 };
  const loaded = await loadRun(workspace);
  return {
    ...(loaded.ok && loaded.value.branch !== null ? { branch: loaded.value.branch } : {}),
    applied: state === "verified" && loaded.ok && (await hasApplied(loaded.value)),
    folderIsGone: false,
  };
}

export type ListedRun = ReturnType<typeof listedWith>;

/** A row in its listed form. */
export const listed = async (
  open: OpenHome,
  one: StandingRow,
  here: boolean,
  name: string,
): Promise<ListedRun> => listedWith(await folderFacts(open, one), one, here, name);

export function listedWith(
  { branch, applied, folderIsGone }: FolderFacts,
  { row: { repo, outcome, summary: _, fleet: __, ...row }, alive, standing, summary }: StandingRow,
  here: boolean,
  name: string,
) {
  const { state, waitsUntil, pausedBy } = standing;
  const { questions = 0, cost, progress } = summary;
  return {
    ...row,
    ...{ name, here, state, questions, applied },
    ...defined({
      waitsUntil: waitsUntil === undefined ? undefined : new Date(waitsUntil).toISOString(),
      pausedBy,
      cost,
      progress,
    }),
    ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
    repository: repo,
    ...defined({ branch }),
    alive,
    folderIsGone,
    next: nextCommands({ id: row.id, state, questions, applied, folderIsGone }),
  };
}

/** True for an ended run too: its owner may still be publishing. */
export const hasLivingOwner = ({ owner }: Pick<RunRow, "owner">): boolean =>
  owner !== undefined && !(processes ??= systemProcesses()).isDead(owner);

let processes: Processes | undefined;

export const isWorkedOn = (row: Pick<RunRow, "owner" | "phase" | "fleet">): boolean =>
  row.phase !== "ended" && (row.fleet === true ? row.phase !== "paused" : hasLivingOwner(row));

const INBOX_ROWS = 1000;

/** The inputs in the inbox of a run that no process works on. */
export async function inboxInputs(
  journal: JournalReader,
  run: string,
): Promise<readonly RunInput[]> {
  const rows = await journal.posted(run, 0, INBOX_ROWS);
  return rows.flatMap((row) => ("input" in row ? [row.input] : []));
}

/** Whether a person stopped a run that no process works on; a crash is the system's doing. */
export async function isStoppedByPerson(journal: JournalReader, run: string): Promise<boolean> {
  const told = (await inboxInputs(journal, run)).findLast(
    (input) => input.kind === "pause-requested",
  );
  const { by } = told ?? (await recordedRun(journal, run)).state.paused ?? {};
  return by === "user";
}

/** The number of the last pause, including one that is still in the inbox. */
export async function lastPause(journal: JournalReader, run: string): Promise<number> {
  const { pauses } = (await recordedRun(journal, run)).state;
  const told = await inboxInputs(journal, run);
  return Math.max(
    pauses,
    ...told.map((input) => (input.kind === "pause-requested" ? input.pause : 0)),
  );
}
