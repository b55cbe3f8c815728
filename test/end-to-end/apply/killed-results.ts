/**
 * `apply` and `undo` that are killed, and what must hold of them: repeated, they end in exactly one of two states, the checkout
 * before and the checkout with the result, and what the user has beside it stays. For the tests and `npm run kill-runs`.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tree } from "../../workspace/fixture.ts";
import type { Repository } from "../run/repository.ts";
import { finishedRun, type FinishedRun } from "./finished-run.ts";

export interface Ends {
  readonly before: unknown;
  readonly after: unknown;
}

/** A run that has ended, and changes of the user's beside it. */
export function endedRun(): FinishedRun {
  const files = { "a.txt": "a\n", "b.txt": "b\n", "gone.txt": "gone\n", "mine.txt": "mine\n" };
  const work = {
    write: { "a.txt": "by the agent\n", "made/new.txt": "new\n", "b.txt": "also\n" },
    remove: ["gone.txt"],
  };
  const finished = finishedRun(files, work);
  finished.write("mine.txt", "staged\n");
  finished.here.git("add", "mine.txt");
  writeFileSync(join(finished.here.path, "mine.txt"), "later\n");
  writeFileSync(join(finished.here.path, "untracked.txt"), "untracked\n");
  return finished;
}

export const stateOf = (here: Repository): unknown => ({
  files: tree(here.path),
  staged: here.git("ls-files", "-s"),
  head: here.git("rev-parse", "HEAD"),
  fsck: here.git("fsck", "--connectivity-only", "--no-dangling"),
});

/** What it looks like when nobody kills anything; the checkout ends as it began. */
export function endsOf({ here, run, done }: FinishedRun): Ends {
  const before = stateOf(here);
  done("apply", run);
  const after = stateOf(here);
  done("undo", run);
  assert.deepEqual(stateOf(here), before);
  return { before, after };
}

/** The command, killed and then given again until it has nothing left to do. */
export function assertFinished(
  { here, run }: FinishedRun,
  again: "apply" | "undo",
  ends: Ends,
): void {
  const { code, err } = here.unstuck(again, run);
  const isIdle = again === "undo" && /nothing of it was applied/.test(err);
  assert.ok(code === 0 || isIdle, err);
  assert.deepEqual(stateOf(here), again === "apply" ? ends.after : ends.before);
}
