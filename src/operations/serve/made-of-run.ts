/**
 * What is worked out of all events of a run: kept where a server keeps runs, else anew. Invariant: both say the same.
 */
import type { JournalReader } from "../../journal/reader.ts";
import { foldedInto } from "../follow/run-fold.ts";
import { keptRunsOf } from "../runs/shared-home.ts";
import { timedFold, type CreatedRun, type Making } from "./kept-runs.ts";

export async function madeOfRun<T extends object>(
  journal: Pick<JournalReader, "read">,
  row: CreatedRun,
  making: Making<T>,
): Promise<T> {
  const kept = keptRunsOf(journal);
  if (kept !== undefined) return kept.made(row, making);
  return making.make(await foldedInto(timedFold(), journal, row.id));
}
