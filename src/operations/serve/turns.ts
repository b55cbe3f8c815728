/**
 * Chooses which entries to check next, among many that change without notice. Invariants: every entry's turn comes at
 * least once in the given time, however often `next` is called; the work is spread evenly over the calls; after a long
 * pause all entries are due at once.
 */
interface Turns {
  readonly next: (all: ReadonlyMap<string, unknown>, now: number) => readonly string[];
  /** Makes all entries due at the next call. */
  readonly everybody: () => void;
}

export function turns(everyMs: number): Turns {
  let waiting: readonly string[] = [];
  let asked = 0;
  return {
    next(all, now) {
      const share = Math.min(1, Math.max(0, now - asked) / everyMs);
      const count = Math.ceil(all.size * share);
      asked = now;
      if (waiting.length < count) waiting = [...waiting, ...all.keys()];
      const taken = waiting.slice(0, count);
      waiting = waiting.slice(count);
      return taken;
    },
    everybody() {
      asked = 0;
    },
  };
}
