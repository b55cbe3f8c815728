/**
 * The run a command is about: named in full, by a unique part of its id, or the latest of this repository.
 * Invariants: without a name no other repository is touched; a name that fits none or several is told with those
 * it might mean.
 */
import { count } from "../core/amounts.ts";
import { tameLine } from "../core/foreign-text.ts";
import type { JournalReader, RunRow } from "../journal/reader.ts";
import { tell, UsageError } from "./io.ts";
import { runsByPlace } from "./this-repository.ts";

export const findRun = async (
  journal: JournalReader,
  asked: string | undefined,
): Promise<RunRow> =>
  asked === undefined ? latestHere(journal) : named(await journal.runs(), asked);

async function latestHere(journal: JournalReader): Promise<RunRow> {
  const { here, own, others } = await runsByPlace(journal);
  const [latest] = own;
  if (latest === undefined || here === undefined) throw noRunHere(here !== undefined, others);
  if (latest.repo !== here.root)
    tell(`run ${latest.id} is of the main checkout ${tameLine(latest.repo, 200)}`);
  return latest;
}

export function noRunHere(isRepository: boolean, others: readonly RunRow[]): UsageError {
  const elsewhere = elsewhereWords(others);
  if (elsewhere === "") return new UsageError("there are no runs yet: start one with unstuck run");
  return isRepository
    ? new UsageError(`there is no run in this repository; ${elsewhere}: unstuck status --all`)
    : new UsageError(
        `this folder is not in a git repository; name a run, or go to its repository (${elsewhere}: unstuck status --all)`,
      );
}

/** `2 runs of other repositories`; nothing where there is none. Imported history is no repository's. */
export function elsewhereWords(others: readonly RunRow[]): string {
  const number = others.filter(({ repo }) => repo !== "").length;
  return number === 0 ? "" : `${count(number, "run")} of other repositories`;
}

function named(runs: readonly RunRow[], asked: string): RunRow {
  const fitting = runs.filter(({ id }) => id === asked || id.includes(asked));
  const exact =
    fitting.find(({ id }) => id === asked) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (exact !== undefined) return exact;
  const names = (fitting.length > 0 ? fitting : runs).slice(0, 5).map(({ id }) => id);
  const hint = names.length === 0 ? "" : `; there are ${names.join(", ")}`;
  throw new UsageError(
    `${fitting.length > 0 ? "several runs" : "no run"} named ${tameLine(asked, 60)}${hint}`,
  );
}
