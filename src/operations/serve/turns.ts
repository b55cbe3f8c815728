/**
 * Who is looked at next, of many that change without a word. Invariants: everybody's turn comes at least once in the
 * given time, however often it is asked; the work is spread evenly over those who ask; after a pause it is all at once.
 */
interface Turns {
  readonly next: (all: ReadonlyMap<string, unknown>, now: number) => readonly string[];
  /** All of them, the next time. */
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
