/**
 * What checks said of trees, so that a tree that was checked is not checked again. Lives as long as the run's
 * owner: set-up and carried content are the same for all of it, and what set-up reads is part of the tree.
 * Invariants: a check that could not run is never remembered, nor a pass that came after a failure on the same
 * tree.
 */
import type { CheckRun } from "../../runtime/ports-workspace.ts";

interface Remembered {
  readonly run: CheckRun;
  /** It ran without a cache. */
  readonly cold: boolean;
}

export interface CheckMemory {
  recall(tree: string, check: string, cold: boolean): CheckRun | undefined;
  keep(tree: string, check: string, ran: Remembered): void;
}

const MOST = 500;
/** Output of a failing check that is told again; a pass needs none. */
const MOST_CHARS = 40_000;

export function checkMemory(): CheckMemory {
  const known = new Map<string, Remembered>();
  const failures = new Map<string, number>();
  return {
    recall(tree, check, cold) {
      const found = known.get(`${tree} ${check}`);
      return found === undefined || (cold && !found.cold) ? undefined : found.run;
    },
    keep(tree, check, { run, cold }) {
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
      const confirmed = failed && times > 0 ? { confirmed: true } : {};
      known.set(key, {
        run: { ...shortened(run), ...confirmed },
        cold: cold || (before?.cold ?? false),
      });
    },
  };
}

const shortened = (run: CheckRun): CheckRun => ({
  ...run,
  stdout: run.stdout.slice(-MOST_CHARS),
  stderr: run.stderr.slice(-MOST_CHARS),
});
