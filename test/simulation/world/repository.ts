/**
 * The run's repository on the simulated disk: working trees by slot, snapshots, commits, the result. Outlives
 * every process. Invariant: a snapshot's label is taken once, whatever it is asked for again.
 */
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import { changedFiles, EMPTY_TREE, joined, treeHash, type Tree } from "./tree.ts";

export interface Slot {
  lease: string | undefined;
  tree: Tree;
  /** The commit it was leased at. */
  base: string;
  /** There is no folder of it: `tree` is what its snapshot keeps. */
  isGivenBack: boolean;
}

export interface Commit {
  readonly tree: Tree;
  /** Attempts whose work it holds. */
  readonly holds: ReadonlySet<string>;
}

export interface Repository {
  slot(name: string): Slot;
  /** Names of slots that have a folder. */
  standing(): readonly string[];
  /** Changes one file of the tree in a slot, as an agent or a person does. */
  write(slot: string, name: string, text: string): void;
  snapshot(label: string, tree: Tree): Tree;
  snapshotOf(label: string): Tree | undefined;
  /** Puts another tree into a slot; what stands there has to be saved before. */
  replace(slot: string, tree: Tree): void;
  commit(id: string): Commit | undefined;
  tip(): string;
  /** The work of an attempt on top of the result, not yet part of it. */
  join(work: Work): Join;
  advance(work: Work, to: string): void;
  publish(): string;
  published(): string | undefined;
}

export interface Work {
  readonly attemptId: string;
  readonly tree: Tree;
  readonly base: string;
  readonly by: string;
}

export type Join =
  | { readonly kind: "there"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | {
      readonly kind: "made";
      readonly commit: string;
      readonly tree: Tree;
      readonly alone: boolean;
    };

export const BASE = "base";

export function repository(record: (happening: Happening) => void, chance: Chance): Repository {
  const slots = new Map<string, Slot>();
  const snapshots = new Map<string, Tree>();
  const baseTree: Tree = { shared: "as it was", readme: String(chance.between(1, 9)) };
  const commits = new Map<string, Commit>([[BASE, { tree: baseTree, holds: new Set() }]]);
  let tip = BASE;
  let published: string | undefined;
  const commitOf = (id: string): Commit =>
    commits.get(id) ?? { tree: EMPTY_TREE, holds: new Set() };
  const slotOf = (name: string): Slot => {
    const known = slots.get(name) ?? {
      ...{ lease: undefined, tree: EMPTY_TREE, base: BASE, isGivenBack: true },
    };
    slots.set(name, known);
    return known;
  };
  const snapshot = (label: string, tree: Tree): Tree => {
    const known = snapshots.get(label);
    if (known !== undefined) return known;
    snapshots.set(label, tree);
    record({ kind: "snapshot-taken", label, tree: treeHash(tree) });
    return tree;
  };
  return {
    slot: slotOf,
    standing: () => [...slots].flatMap(([name, { isGivenBack }]) => (isGivenBack ? [] : [name])),
    write(name, file, text) {
      const slot = slotOf(name);
      slot.tree = { ...slot.tree, [file]: text };
    },
    snapshot,
    snapshotOf: (label) => snapshots.get(label),
    replace(name, tree) {
      const slot = slotOf(name);
      record({ kind: "tree-replaced", slot: name, tree: treeHash(slot.tree) });
      slot.tree = tree;
    },
    commit: (id) => commits.get(id),
    tip: () => tip,
    join({ attemptId, tree, base }) {
      const before = commitOf(tip);
      if (before.holds.has(attemptId)) return { kind: "there", commit: tip };
      const result = joined(commitOf(base).tree, before.tree, tree);
      if (!result.clean) return { kind: "conflict", files: result.conflicts };
      const commit = `${tip === base ? "good" : "merge"}-${attemptId}`;
      commits.set(commit, { tree: result.tree, holds: new Set([...before.holds, attemptId]) });
      return { kind: "made", commit, tree: result.tree, alone: tip === base };
    },
    advance({ attemptId, by }, to) {
      const tree = treeHash(commitOf(to).tree);
      record({ kind: "result-moved", attemptId, by, from: tip, to, tree });
      tip = to;
    },
    publish() {
      published = tip;
      record({ kind: "published", commit: tip, tip });
      return tip;
    },
    published: () => published,
  };
}

export const linesChanged = (from: Tree, to: Tree): number => changedFiles(from, to).length * 7;
