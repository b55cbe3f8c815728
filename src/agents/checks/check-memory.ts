/**
 * Remembers the results of checks by tree, so that no tree is checked twice in the life of the run's owner: carried
 * content does not change, and set-up reads only the tree. Invariant: a check that could not run is never remembered,
 * nor is a pass after a failure on the same tree.
 */
import type { CheckRun } from "../../runtime/ports-workspace.ts";

interface Remembered {
  readonly run: CheckRun;
  /** It ran without a cache. */
  readonly cold: boolean;
}

const MOST = 500;
/** How much output of a failing check is kept; a pass needs none. */
const MOST_CHARS = 40_000;

export function checkMemory() {
  const known = new Map<string, Remembered>();
  const failures = new Map<string, number>();
  return {
    recall(tree: string, check: string, cold: boolean): CheckRun | undefined {
      const found = known.get(`${tree} ${check}`);
      return found === undefined || (cold && !found.cold) ? undefined : found.run;
    },
    keep(tree: string, check: string, { run, cold }: Remembered): void {
      const key = `${tree} ${check}`;
      const before = known.get(key);
      known.delete(key);
      if (run.outcome.kind === "could-not-run") return;
      const failed = run.outcome.kind !== "passed";
      const times = failures.get(key) ?? 0;
      if (!failed && times > 0) return;
      if (failed) failures.set(key, times + 1);
      const [oldest] = known.keys();
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
      const stdout = run.stdout.slice(-MOST_CHARS);
      const stderr = run.stderr.slice(-MOST_CHARS);
      const confirmed = failed && times > 0 ? { confirmed: true } : {};
      known.set(key, {
        run: { ...run, stdout, stderr, ...confirmed },
        cold: cold || (before?.cold ?? false),
      });
    },
  };
}
