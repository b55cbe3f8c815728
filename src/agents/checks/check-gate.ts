/**
 * Lets checks run beside each other, and one that cannot share the machine alone. Invariants: whoever is alone has
 * nobody beside it; who asked first goes first, so nobody waits for ever.
 */

export interface CheckGate {
  /** Runs `work` beside others, or alone. */
  enter<T>(alone: boolean, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly alone: boolean;
  readonly go: () => void;
}

export function checkGate(): CheckGate {
  const waiting: Waiting[] = [];
  let inside = 0;
  let taken = false;
  const admit = (): void => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (taken || (next.alone && inside > 0)) return;
      waiting.shift();
      inside += 1;
      taken = next.alone;
      next.go();
    }
  };
  return {
    async enter(alone, work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ alone, go: resolve });
      admit();
      await promise;
      try {
        return await work();
      } finally {
        inside -= 1;
        if (alone) taken = false;
        admit();
      }
    },
  };
}
