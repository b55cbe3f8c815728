/**
 * The run a command is about: named in full, by a unique part of its id, or the latest of this repository.
 * Imports journal types. A name that fits none or several is told with those it might mean.
 */
import type { JournalReader, RunRow } from "../journal/reader.ts";
import { tameLine } from "../core/foreign-text.ts";
import { UsageError } from "./io.ts";

export async function findRun(journal: JournalReader, asked: string | undefined): Promise<RunRow> {
  const runs = await journal.runs();
  if (asked === undefined) {
    // Imported history belongs to no repository; it is meant only where it is named.
    const latest = runs.find(({ repo }) => repo !== "") ?? runs[0];
    if (latest === undefined)
      throw new UsageError("there are no runs yet: start one with unstuck run");
    return latest;
  }
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
