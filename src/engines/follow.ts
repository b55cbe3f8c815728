/**
 * Follows a run's events as they are recorded, by this process or another. Invariants: every event exactly once and in
 * order, none missed between a read and the next notification; ends with the run or the signal.
 */
import type { JournalReader } from "../journal/reader.ts";
import type { Recorded } from "../runtime/ports.ts";

export async function* follow(
  journal: JournalReader,
  run: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Recorded, void, undefined> {
  let next = Math.max(1, from);
  let changed = true;
  let ring = (): void => {};
  const notice = (): void => {
    changed = true;
    ring();
  };
  const unwatch = journal.watch((change) => {
    if (change.kind === "foreign" || (change.kind === "events" && change.run === run)) notice();
  });
  signal.addEventListener("abort", notice);
  try {
    while (!signal.aborted) {
      if (!changed) await new Promise<void>((resolve) => (ring = resolve));
      changed = false;
      for (let more = true; more && !signal.aborted;) {
        const rows = await journal.read(run, next, 500);
        more = rows.length > 0;
        for (const { seq, event } of rows) {
          if (signal.aborted) return;
          next = seq + 1;
          yield { seq, event };
          if (event.kind === "run-ended") return;
        }
      }
      const row = await journal.run(run);
      if (row?.phase === "ended" && row.seq < next) return;
    }
  } finally {
    unwatch();
    signal.removeEventListener("abort", notice);
  }
}
