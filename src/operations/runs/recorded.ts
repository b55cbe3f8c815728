/** Everything recorded of a run: the only way to read its events and to fold them into its state and history. */
import { vectorItems } from "../../core/persistent-collections.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { RunState } from "../../core/run/state.ts";
import { follow } from "../../engines/follow.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { Recorded } from "../../runtime/ports.ts";
import { foldedInto, recordedRows, runFold, type RecordedRun } from "../follow/run-fold.ts";
import { keptRunsOf } from "./shared-home.ts";

export type { RecordedRun };

/**
 * In order; with a signal it follows until the run ends or the signal aborts, including everything recorded by then.
 */
export async function* recordedEvents(
  journal: JournalReader,
  run: string,
  { from = 1, until }: { readonly from?: number; readonly until?: AbortSignal } = {},
): AsyncGenerator<Recorded> {
  let next = from;
  if (until !== undefined)
    for await (const recorded of follow(journal, run, next, until)) {
      next = recorded.seq + 1;
      yield recorded;
    }
  for await (const rows of recordedRows(journal, run, next)) yield* rows;
}

export async function recordedRun(journal: JournalReader, run: string): Promise<RecordedRun> {
  const kept = keptRunsOf(journal);
  if (kept !== undefined) return kept.recorded(run);
  const { state, history } = await foldedInto(runFold(), journal, run);
  return { state: state(), history: history() };
}

export function openCheckpoints(state: RunState): readonly Checkpoint[] {
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return state.checkpoint === undefined ? own : [state.checkpoint, ...own];
}
