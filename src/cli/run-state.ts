/** The state of a run as its journal tells it, for commands that only look. */
import { foldAll } from "../core/run/fold/fold.ts";
import { NEW_RUN } from "../core/run/new-run.ts";
import type { RunState } from "../core/run/state.ts";
import type { JournalReader } from "../journal/reader.ts";

const ROWS_AT_ONCE = 5000;

export async function recordedState(journal: JournalReader, run: string): Promise<RunState> {
  let state = NEW_RUN;
  for (let from = 1; ;) {
    const rows = await journal.read(run, from, ROWS_AT_ONCE);
    if (rows.length === 0) return state;
    state = foldAll(
      state,
      rows.map(({ event }) => event),
    );
    from += rows.length;
  }
}
