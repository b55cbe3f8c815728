/**
 * The list of runs, cached for a server that is asked for it repeatedly: a run's row is kept until the run changes.
 * Invariants: it equals the uncached list; an unchanged run's row is the same object as before; what no event reports
 * (a missing folder, an applied result) is checked again after some seconds, and after every change made by this
 * server; the death of a process shows a moment later.
 */
import type { RunRow } from "../../journal/reader.ts";
import { recordStamp } from "../../workspace/result/apply-record.ts";
import { operation, type InputOf } from "../operation.ts";
import { workspaceFolder, type OpenHome } from "../runs/open-run.ts";
import * as status from "../runs/status.ts";
import { ownRepository } from "./own-repository.ts";
import { turns } from "./turns.ts";

export interface KeptList {
  readonly list: typeof status.listRuns;
  /** Finds out which runs have changed; folders are not inspected. */
  readonly look: () => Promise<void>;
  /** As of the last look. */
  readonly listed: (run: string) => status.ListedRun | undefined;
  readonly all: () => Iterable<status.ListedRun>;
  /** The time of the newest event. */
  readonly newest: () => number;
  /** Calls the listener with the runs that are listed differently, or no longer. */
  readonly onChange: (listener: (ids: readonly string[]) => void) => void;
  /** Something was done that no event may report. */
  readonly lookAgain: () => void;
}

interface Known extends status.StandingRow {
  /** The journal's row and inbox of the run, as text. */
  readonly key: string;
  readonly isHere: boolean;
  readonly name: string;
  readonly facts: status.FolderFacts;
  /** The folder's stamp when the facts were read. */
  readonly stamp: string;
  readonly listed: status.ListedRun;
}

/** Another process may write an earlier time a little later. */
const OVERLAP_MS = 10_000;
const LOOK_MS = 5000;
/** Checking a process is slow on some systems, and a run that continues shows it by its events. */
const OWNERS_MS = 250;

export function keptList(open: OpenHome, cwd: string): KeptList {
  const { journal, home } = open;
  /** Newest first. A run's entry is updated in place. */
  let known = new Map<string, Known>();
  let [own, others]: [readonly Known[], readonly Known[]] = [[], []];
  let newest = 0;
  let ownersLooked = 0;
  const folders = turns(LOOK_MS);
  const repository = ownRepository(cwd, LOOK_MS);
  const listeners: ((ids: readonly string[]) => void)[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const update = async (dueFolders: readonly string[]): Promise<void> => {
    const areOwnersDue = Date.now() - ownersLooked >= OWNERS_MS;
    if (areOwnersDue) ownersLooked = Date.now();
    const { rows: lately, total, waiting } = await journal.runsSince(newest - OVERLAP_MS);
    const hasMoved = await repository.learn(lately);
    const isSameSet = !hasMoved && total === known.size && lately.every(({ id }) => known.has(id));
    const rows = isSameSet ? lately : await journal.runs();
    if (!isSameSet) await repository.learn(rows);
    for (const { changed, created } of rows) newest = Math.max(newest, changed ?? created);
    const names = isSameSet ? undefined : status.shortNames(rows.map(({ id }) => id));
    const whatOf = (row: RunRow): Pick<Known, "key" | "name" | "isHere"> => ({
      key: `${rowKey(row)} ${waiting.get(row.id) ?? 0}`,
      name: names?.(row.id) ?? known.get(row.id)?.name ?? row.id,
      isHere: repository.isOwn(row.repo),
    });
    const isSame = (row: RunRow): boolean => {
      const one = known.get(row.id);
      const { key, name, isHere } = whatOf(row);
      if (one?.key !== key || one.name !== name || one.isHere !== isHere) return false;
      return !areOwnersDue || one.alive === status.isWorkedOn(row);
    };
    const anew = new Map(rows.flatMap((row) => (isSame(row) ? [] : [[row.id, row]])));
    for (const id of dueFolders) {
      const one = known.get(id);
      if (one !== undefined && one.stamp !== stampOf(id) && !anew.has(id)) anew.set(id, one.row);
    }
    const found = await Promise.all([...anew.values()].map((row) => lookAt(row, whatOf(row))));
    const removed = isSameSet ? [] : put(rows, found);
    if (isSameSet) for (const one of found) Object.assign(known.get(one.row.id) ?? {}, one);
    const changed = [...removed, ...anew.keys()];
    if (changed.length > 0) for (const listener of listeners) listener(changed);
  };
  const stampOf = (id: string): string => recordStamp(workspaceFolder(home, id));
  const lookAt = async (
    row: RunRow,
    what: Pick<Known, "key" | "name" | "isHere">,
  ): Promise<Known> => {
    const one = await status.standingRow(journal, row);
    const before = known.get(row.id);
    const stamp = stampOf(row.id);
    const isSameFolder =
      before?.stamp === stamp &&
      before.standing.state === one.standing.state &&
      before.row.seq > 0 === row.seq > 0;
    const facts = isSameFolder ? before.facts : await status.folderFacts(open, one);
    const listed = status.listedWith(facts, one, what.isHere, what.name);
    return { ...one, ...what, facts, stamp, listed };
  };
  /** Runs were added or removed: rebuilds the list in order. Returns the removed ones. */
  const put = (rows: readonly RunRow[], found: readonly Known[]): readonly string[] => {
    const before = known;
    const anew = new Map(found.map((one) => [one.row.id, one]));
    const all = rows.flatMap(({ id }) => anew.get(id) ?? before.get(id) ?? []);
    known = new Map(all.map((one) => [one.row.id, one]));
    own = all.filter(({ isHere }) => isHere);
    others = all.filter(({ isHere }) => !isHere);
    return [...before.keys()].filter((id) => !known.has(id));
  };
  /** Serialized; each look begins after its request. */
  const inTurn = (foldersToo: boolean): Promise<void> => {
    const mine = turn.then(() => update(foldersToo ? folders.next(known, Date.now()) : []));
    turn = mine.catch(() => undefined);
    return mine;
  };
  const list = operation({
    ...{ name: status.listRuns.name, schemas: status.listRuns.schemas },
    async run(_, input: InputOf<typeof status.listRuns>) {
      await inTurn(true);
      const isInside = repository.isInside();
      const found = { isInside, own, others: input.here === true ? [] : others };
      const shown = status.shownRuns(input, found);
      const runs = [shown.own, shown.others].flatMap((of) => of.map(({ listed }) => listed));
      return { runs, ...shown.said };
    },
  });
  return {
    list: {
      ...status.listRuns,
      run: (context, input) =>
        context.cwd === cwd ? list.run(context, input) : status.listRuns.run(context, input),
    },
    look: () => inTurn(false),
    listed: (run) => known.get(run)?.listed,
    *all() {
      for (const { listed } of known.values()) yield listed;
    },
    newest: () => newest,
    onChange: (listener) => void listeners.push(listener),
    lookAgain() {
      folders.everybody();
      ownersLooked = 0;
    },
  };
}

const rowKey = ({ seq, phase, outcome, title, repo, owner }: RunRow): string =>
  [seq, phase, outcome, title, repo, owner?.pid].join(" ");
