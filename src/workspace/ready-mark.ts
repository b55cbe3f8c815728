/**
 * What set-up amounts to for a commit: its commands, the carried content, and what it reads. Invariant: equal
 * marks mean that set-up would make the same, so it need not run again.
 */
import { createHash } from "node:crypto";
import { treeEntries } from "./blob-reader.ts";
import type { Control, Run } from "./types.ts";

export interface ReadyPlan {
  readonly setup: readonly string[];
  /** Changes when the carried content does. */
  readonly carried: string;
  /** Whether set-up reads this path. */
  readonly isInput: (path: string) => boolean;
}

/** By commit or tree; what a tree's mark is never changes. */
export function readyMarks(
  run: Run,
  plan: ReadyPlan,
  control: Control = {},
): (commit: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (commit) => {
    const mark = known.get(commit) ?? markOf(run, plan, commit, control);
    known.set(commit, mark);
    mark.catch(() => known.delete(commit));
    return mark;
  };
}

async function markOf(
  run: Run,
  { setup, carried, isInput }: ReadyPlan,
  commit: string,
  control: Control,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([setup, carried]));
  if (setup.length === 0) return hash.digest("hex");
  for (const [path, { mode, blob }] of await treeEntries(run, commit, control))
    if (isInput(path)) hash.update(`\0${path} ${mode} ${blob}`);
  return hash.digest("hex");
}
