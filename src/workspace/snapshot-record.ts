/**
 * What a snapshot says of itself beside its tree: written into the message of its commit, read from there.
 * Invariant: snapshots of older runs can be read.
 */
import { existsSync } from "node:fs";
import type { Inside } from "./forms.ts";
import { text } from "./git.ts";
import { refuse } from "./refusal.ts";
import { readCommit, readRef } from "./store.ts";
import type { Run, Skipped, Snapshot, Worktree } from "./types.ts";
import { below, type ViewState } from "./view.ts";

interface Meta {
  readonly label: string;
  readonly skipped: readonly Skipped[];
  readonly skippedMore?: number;
  readonly nested: readonly string[];
  readonly gitlinks: readonly string[];
  readonly attributes: boolean;
  readonly raw?: readonly string[];
  readonly inside?: readonly Inside[];
}

/** A snapshot with what commits and restores need to know; these paths are latin1 bytes. */
export interface FullSnapshot extends Snapshot {
  readonly inner: readonly string[];
  readonly gitlinks: readonly string[];
  readonly attributes: boolean;
  /** Files with a filter that are stored as their bytes. */
  readonly raw: readonly string[];
  /** What stands in submodules that are not as recorded; the tree has their gitlinks. */
  readonly inside: readonly Inside[];
}

const MOST_SKIPPED = 1000;

export function messageOf(
  label: string,
  worktree: Worktree,
  state: ViewState,
  { skipped, raw, inside }: Pick<FullSnapshot, "skipped" | "raw" | "inside">,
): string {
  const nested = state.nested.filter((path) =>
    existsSync(Buffer.concat([below(worktree.path, path), Buffer.from("/.git")])),
  );
  const more = skipped.length - MOST_SKIPPED;
  const meta: Meta = {
    label,
    skipped: skipped.slice(0, MOST_SKIPPED),
    ...(more > 0 ? { skippedMore: more } : {}),
    nested,
    gitlinks: state.gitlinks,
    attributes: state.attributes,
    ...(raw.length > 0 ? { raw } : {}),
    ...(inside.length > 0 ? { inside } : {}),
  };
  return `snapshot\n\n${JSON.stringify(meta)}`;
}

export async function snapshotAt(run: Run, ref: string): Promise<FullSnapshot | null> {
  const commit = await readRef(run, ref);
  if (commit === null) return null;
  const found = await readCommit(run, commit);
  if (found === null) refuse("damaged-run", `${ref} has lost its commit`);
  const meta = JSON.parse(found.message.slice(found.message.indexOf("\n\n") + 2)) as Meta;
  const { tree, at } = found;
  const { label, skipped, gitlinks, attributes, nested: inner, raw = [], inside = [] } = meta;
  const named = {
    nested: inner.map(text),
    changedSubmodules: inside.map(({ path }) => text(path)),
  };
  return { label, commit, tree, at, skipped, ...named, inner, gitlinks, attributes, raw, inside };
}
