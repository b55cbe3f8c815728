/**
 * What an apply would change and where that meets the user's own uncommitted files.
 * Imports `checkout`, `diff`, `git`, `git-dir`, `refusal`, `types`, `view`. Invariant: reads only; a file
 * of the user's that is neither committed nor as the run knew it is never offered for overwriting.
 */
import { cleanTreeOfCheckout } from "./checkout.ts";
import { changedEntries, type Entry } from "./diff.ts";
import { git, text } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import { refuse } from "./refusal.ts";
import type { Control, Run } from "./types.ts";
import { lookAt } from "./view.ts";

export const changesOf = async (
  run: Run,
  aim: { readonly head: string | null; readonly next: string },
  control: Control,
): Promise<Entry[]> =>
  changedEntries(run, { from: aim.head ?? (await emptyTree(run, control)), to: aim.next }, control);

export async function emptyTree(run: Run, control: Control): Promise<string> {
  const call = { args: ["mktree"], env: cloneView(run, "own"), input: "" };
  return (await git(call, control)).stdout.trim();
}

/**
 * The user's dirty files that the result also changes. Fine are those that already are as the result
 * has them, or as the run took them over at its start; any other one is a refusal. A resumed apply has
 * passed this once and finds its own half-written files.
 */
export async function overlapping(
  run: Run,
  head: string | null,
  changes: readonly Entry[],
  resumed: boolean,
  control: Control,
): Promise<Entry[]> {
  const from = head ?? (await emptyTree(run, control));
  const { tree } = await cleanTreeOfCheckout(run, head, control);
  const theirs = await byPath(run, from, tree, control);
  const dirty = changes.flatMap(({ path }) => theirs.get(path) ?? []);
  if (resumed) return dirty;
  const moved = run.withChanges ? await byPath(run, run.base, tree, control) : theirs;
  const results = new Map(changes.map((entry) => [entry.path, entry.after]));
  const lost = dirty
    .filter(({ path, after }) => after !== results.get(path) && moved.has(path))
    .map(({ path }) => path);
  const files = [...lost, ...hiddenInTheWay(run, changes, theirs)];
  if (files.length > 0)
    refuse("overlap", "the result changes files that are not committed", files.map(text));
  return dirty;
}

async function byPath(
  run: Run,
  from: string,
  to: string,
  control: Control,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = await changedEntries(run, { from, to }, control);
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** Files git ignores, which no snapshot holds, and files where the result needs a folder. */
function hiddenInTheWay(
  run: Run,
  changes: readonly Entry[],
  theirs: ReadonlyMap<string, Entry>,
): string[] {
  const changed = new Set(changes.map(({ path }) => path));
  const added = changes.filter(({ path, before }) => before === "" && !theirs.has(path));
  return added.flatMap(({ path }) => [
    ...(lookAt(run.root, path) === undefined ? [] : [path]),
    ...foldersOf(path).filter(
      (part) => !changed.has(part) && lookAt(run.root, part)?.isDirectory() === false,
    ),
  ]);
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
