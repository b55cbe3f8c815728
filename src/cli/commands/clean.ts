/**
 * `unstuck clean`: removes ended runs wholly, and asks before anything is lost. Invariants: it keeps to this
 * repository unless told otherwise; work that is nowhere else goes only by a person's word.
 */
import { Command } from "commander";
import { count } from "../../core/amounts.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { hasCode } from "../../journal/error.ts";
import type { RunRow } from "../../journal/reader.ts";
import type { Branch } from "../../workspace/repository/user-refs.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { findRun } from "../find-run.ts";
import { openHome } from "../home.ts";
import { UsageError, write, writeJson } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { removeLeftBehind } from "../left-behind.ts";
import { hasLivingOwner } from "../lifetime.ts";
import { isPastUse, removeRun } from "../removal.ts";
import type { About } from "../run-command.ts";
import { runsByPlace } from "../this-repository.ts";
import type { RunsByPlace } from "../this-repository.ts";
import { obstacleOf } from "../would-lose.ts";
import { canAsk, isAgreed } from "../yes-no.ts";

const DAY_MS = 24 * 3_600_000;

interface Flags {
  readonly olderThan: string;
  readonly all?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("clean")
    .summary("remove ended runs wholly; asks for what is not applied")
    .description(
      "Removes runs of this repository with everything of theirs: folder, transcripts, refs, events, and their branch once it is " +
        "applied. What is in no branch of yours is asked for, or kept where nobody can be asked.",
    )
    .argument("[runs...]", "ids or parts of them, whatever their age; default: all that ended")
    .option("--older-than <days>", "only runs that ended longer ago", "7")
    .option("--all", "runs of all repositories")
    .option("--force", "also what is not applied, without asking")
    .option("--json", "as JSON")
    .action(async (asked: readonly string[], flags: Flags) => {
      refuseBelowAttempt("clean");
      const days = Number(flags.olderThan);
      if (!(days >= 0))
        throw new UsageError(`--older-than: expected a number of days, got ${flags.olderThan}`);
      await clean(asked, flags, Date.now() - days * DAY_MS);
    });
}

async function clean(names: readonly string[], flags: Flags, before: number): Promise<void> {
  const home = openHome();
  const journal = await openUserJournal(home);
  try {
    const places = await runsByPlace(journal);
    if (
      places.here === undefined &&
      names.length === 0 &&
      flags.force === true &&
      flags.all !== true
    )
      throw new UsageError(
        "--force outside of a repository: name the runs, or say --all for every repository",
      );
    const rows: RunRow[] = [];
    for (const name of names) rows.push(await findRun(journal, name));
    if (names.length === 0)
      rows.push(...ended(places, flags, (row) => isOver({ home, row }, before)));
    let said = rows.length;
    for (const row of rows) {
      const result = await cleanOne({ home, journal, row }, flags, names.length > 0);
      const elsewhere =
        row.repo === "" || row.repo === places.here?.root ? "" : ` (${tameLine(row.repo, 200)})`;
      if (flags.json === true) writeJson({ run: row.id, repository: row.repo, ...result });
      else write(`${row.id}: ${result.removed ? "removed" : "kept"}${elsewhere}${colon(result)}`);
    }
    if (names.length === 0) {
      const [all, force] = [flags.all === true, flags.force === true];
      const asked = { before, all, force, here: places.here };
      const left = await removeLeftBehind(home, journal, asked);
      said += left.folders + left.pins + left.pinsKept + left.kept.length;
      tellLeft(left, flags);
    }
    await journal.shrink();
    if (said === 0 && flags.json !== true) write("nothing to clean");
  } finally {
    await journal.close();
  }
}

/** Imported history is nobody's leftover: it goes only by name. */
const ended = (
  { here, own, others }: RunsByPlace,
  { all }: Flags,
  isSo: (row: RunRow) => boolean,
): readonly RunRow[] =>
  (all === true || here === undefined ? [...own, ...others] : own)
    .filter(({ repo }) => repo !== "")
    .filter(isSo);

/** It ended or never began, long enough ago; or its removal was cut off. */
function isOver({ home, row }: Pick<About, "home" | "row">, before: number): boolean {
  if (hasLivingOwner(row)) return false;
  if (isPastUse(home, row)) return true;
  return (row.phase === "ended" || row.seq === 0) && (row.changed ?? row.created) <= before;
}

interface Cleaned {
  readonly removed: boolean;
  readonly why?: string;
}

const colon = ({ why }: Cleaned): string => (why === undefined ? "" : `: ${why}`);

async function cleanOne(about: About, flags: Flags, isNamed: boolean): Promise<Cleaned> {
  const obstacle = await obstacleOf(about);
  if (obstacle !== undefined) {
    const { why, next, final, open } = obstacle;
    const kept = { removed: false, why: `${why}; ${next}` };
    if (final === true || (open === true && !(isNamed && flags.force === true))) return kept;
    if (flags.force !== true && !(await isGivenUp(about.row, why, flags))) return kept;
  }
  try {
    const stays = await removeRun(about);
    return { removed: true, ...(stays === null ? {} : { why: staysWords(stays) }) };
  } catch (error) {
    if (!(error instanceof UsageError) && !hasCode(error, "run-owned")) throw error;
    return { removed: false, why: (error as Error).message };
  }
}

async function isGivenUp({ id, repo }: RunRow, why: string, { json }: Flags): Promise<boolean> {
  if (json === true || !canAsk()) return false;
  return isAgreed(`${id} of ${tameLine(repo, 200)}: ${why}.\nRemove it all the same?`);
}

const WHY: { readonly [why in Branch["why"]]: string } = {
  "foreign-commits": "it holds commits that are not from the run",
  "checked-out": "it is checked out",
};

const staysWords = ({ name, why }: Branch): string => `branch ${name} stays: ${WHY[why]}`;

function tellLeft(
  { folders, pins, pinsKept, kept }: Awaited<ReturnType<typeof removeLeftBehind>>,
  { json }: Flags,
): void {
  if (json === true) {
    for (const { id, why } of kept) writeJson({ run: id, removed: false, why });
    if (folders + pins + pinsKept > 0) writeJson({ folders, pins, pinsKept });
    return;
  }
  for (const { id, why } of kept)
    write(
      `${tameLine(id, 60)}: kept: ${tameLine(why, 300)}; the journal has no such run: unstuck clean --force`,
    );
  if (folders > 0) write(`removed ${count(folders, "folder")} of runs that are gone`);
  if (pins > 0) write(`removed ${count(pins, "pin")} of runs that are gone`);
  if (pinsKept > 0)
    write(
      `kept ${count(pinsKept, "pin")} of commits that nothing else holds: unstuck clean --force`,
    );
}
