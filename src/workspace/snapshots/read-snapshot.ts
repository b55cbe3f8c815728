/** Reads existing snapshots: finds them by their refs, with the notes in their commit messages. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { operation } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, refs, type Run, type Skipped } from "../base/run-folder.ts";
import { readCommit, readRef } from "../git/commits.ts";
import { text } from "../git/git.ts";
import type { ChangedSubmodule } from "../git/index-notes.ts";

export interface Snapshot {
  readonly label: string;
  readonly commit: string;
  readonly tree: string;
  readonly at: number;
  readonly skipped: readonly Skipped[];
  /** Repositories inside the tree whose files are stored as plain files (their `.git` is not). */
  readonly nested: readonly string[];
  /** The same, as latin1 bytes. */
  readonly inner: readonly string[];
  /** Submodules whose files differ from their recorded commit: kept in the snapshot, never committed. */
  readonly changedSubmodules: readonly string[];
  /** The content of those (paths are latin1 bytes); the tree has their gitlinks. */
  readonly inside: readonly ChangedSubmodule[];
  /** The tree has attribute files. */
  readonly attributes: boolean;
  /** Files with a filter that are stored as raw bytes (paths are latin1 bytes). */
  readonly raw: readonly string[];
}

/** What the commit message records about a snapshot. */
type Meta = Pick<Snapshot, "label" | "skipped" | "nested" | "attributes"> &
  Partial<Pick<Snapshot, "raw" | "inside">>;

export async function loadSnapshot(run: Run, label: string): Promise<Snapshot> {
  const found = await snapshotAt(run, refs.snapshot(label));
  return found ?? refuse("no-such-snapshot", `there is no snapshot ${label}`);
}

export const readSnapshot = operation(loadSnapshot);

export async function listSnapshots(run: Run): Promise<Snapshot[]> {
  const names = await readdir(join(layout(run.runDir).clone, refs.snapshots)).catch(() => []);
  const found: Snapshot[] = [];
  for (const name of names) {
    const each = await snapshotAt(run, refs.snapshots + name);
    if (each !== null) found.push(each);
  }
  return found.sort((a, b) => a.at - b.at);
}

export async function snapshotAt(run: Run, ref: string): Promise<Snapshot | null> {
  const commit = await readRef(run, ref);
  if (commit === null) return null;
  const found = await readCommit(run, commit);
  if (found === null) refuse("damaged-run", `${ref} has lost its commit`);
  const meta = JSON.parse(found.message.slice(found.message.indexOf("\n\n") + 2)) as Meta;
  const { tree, at } = found;
  const { label, skipped, attributes, nested: inner, raw = [], inside = [] } = meta;
  return {
    ...{ label, commit, tree, at, skipped, inner, attributes, raw, inside },
    nested: inner.map(text),
    changedSubmodules: inside.map(({ path }) => text(path)),
  };
}
