/**
 * Takes what other processes posted for one owned run, in order. Invariant: a row is handed over once per
 * ownership; it leaves the table only with the append it led to.
 */
import type { JournalReader, Posted } from "../journal/reader.ts";

const ROWS_AT_ONCE = 256;

/** Returns the function that looks into the inbox; while it looks, another call makes it look once more. */
export function inbox(
  journal: JournalReader,
  run: string,
  onPosted: (posted: Posted) => void,
): () => Promise<void> {
  let seen = 0;
  let looking: Promise<void> | undefined;
  let again = false;

  const look = async (): Promise<void> => {
    try {
      do {
        again = false;
        const rows = await journal.posted(run, seen, ROWS_AT_ONCE);
        for (const row of rows) {
          seen = row.id;
          onPosted(row);
        }
        again ||= rows.length === ROWS_AT_ONCE;
      } while (again);
    } finally {
      looking = undefined;
    }
  };

  return () => {
    again = true;
    return (looking ??= look());
  };
}
