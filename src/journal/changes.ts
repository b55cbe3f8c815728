/** Notices that the journal changed, by this process or another. It polls only while there are listeners. */
import type { DatabaseSync } from "node:sqlite";

export type Change =
  | { readonly kind: "events" | "inbox"; readonly run: string }
  /** Another connection has written something. */
  | { readonly kind: "foreign" };

export interface Changes {
  readonly tell: (change: Change) => void;
  /** Returns a function that stops watching. While anything watches, the process stays alive. */
  watch(listener: (change: Change) => void): () => void;
  close(): void;
}

export function changes(database: DatabaseSync): Changes {
  const version = database.prepare("PRAGMA data_version");
  const listeners = new Set<(change: Change) => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen: number | undefined;

  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const look = (): void => {
    const now = current();
    if (now === undefined || now === seen) return;
    seen = now;
    tell({ kind: "foreign" });
  };
  const current = (): number | undefined => {
    try {
      return (version.get() as { data_version: number }).data_version;
    } catch {
      // Locked just now, or worse: the next poll, or the read that follows, will report it.
      return undefined;
    }
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    tell,
    watch(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        seen = current();
        timer = setInterval(look, 120);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}
