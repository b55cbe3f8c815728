/**
 * What waits to be decided: a serial mailbox, in which what is added within one turn of the event loop is handled
 * together, in order, one batch at a time, and the inbox that other processes post to. Invariant: an item is
 * handled once, unless the handler gives it back; then it stays first in line.
 */
import type { JournalReader, Posted } from "../journal/reader.ts";

interface Mailbox<T> {
  add(item: T): void;
  /** Goes on with items that were given back. */
  wake(): void;
  /** Drops some of the queued items and waits until the others are handled. */
  drain(isDropped: (item: T) => boolean): Promise<void>;
}

const ITEMS_AT_ONCE = 256;

/** The handler must not reject; it returns the items it could not handle now. */
export function mailbox<T>(handle: (items: readonly T[]) => Promise<readonly T[]>): Mailbox<T> {
  let queue: T[] = [];
  let running: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    try {
      while (queue.length > 0) {
        await new Promise((resolve) => setImmediate(resolve));
        const back = await handle(queue.splice(0, ITEMS_AT_ONCE));
        if (back.length === 0) continue;
        queue.unshift(...back);
        return;
      }
    } finally {
      running = undefined;
    }
  };
  const wake = (): void => {
    if (queue.length > 0) running ??= work();
  };

  return {
    add(item) {
      queue.push(item);
      wake();
    },
    wake,
    async drain(isDropped) {
      queue = queue.filter((item) => !isDropped(item));
      for (wake(); running !== undefined; wake()) await running;
    },
  };
}

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
