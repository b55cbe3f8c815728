/**
 * A value derived from all events of a run: cached if a server keeps runs, otherwise computed. Invariant: both give the
 * same.
 */
import type { JournalReader } from "../../journal/reader.ts";
import { foldedInto } from "../follow/run-fold.ts";
import { keptRunsOf } from "../runs/shared-home.ts";
import { timedFold, type CreatedRun, type Derivation } from "./kept-runs.ts";

export async function derivedFromRun<T extends object>(
  journal: Pick<JournalReader, "read">,
  row: CreatedRun,
  making: Derivation<T>,
): Promise<T> {
  const kept = keptRunsOf(journal);
  if (kept !== undefined) return kept.made(row, making);
  return making.make(await foldedInto(timedFold(), journal, row.id));
}
