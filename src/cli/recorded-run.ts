/** All that is recorded of a run: its state, its history and its events, for commands that only look. */
import { historyCollector } from "../core/history/run-history.ts";
import type { RunHistory } from "../core/history/run-history.ts";
import type { RunEvent } from "../core/run/decision.ts";
import { fold } from "../core/run/fold/fold.ts";
import { NEW_RUN } from "../core/run/new-run.ts";
import type { RunState } from "../core/run/state.ts";
import type { JournalReader } from "../journal/reader.ts";

const ROWS_AT_ONCE = 5000;

export async function* recordedEvents(
  journal: JournalReader,
  run: string,
): AsyncGenerator<{ readonly seq: number; readonly event: RunEvent }> {
  for (let from = 1; ;) {
    const rows = await journal.read(run, from, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    yield* rows;
    from += rows.length;
  }
}

export async function recordedRun(
  journal: JournalReader,
  run: string,
): Promise<{ readonly state: RunState; readonly history: RunHistory }> {
  const collector = historyCollector();
  let state = NEW_RUN;
  for await (const { event } of recordedEvents(journal, run)) {
    state = fold(state, event);
    collector.add(event);
  }
  return { state, history: collector.history() };
}
