/**
 * The Workspace and StandingTrees ports of one simulated process on the shared repository, with the refusals a
 * disk can give. Invariants: as the port's: repeating an operation goes on from what is there; whoever works in a
 * tree with living processes of an attempt is written down.
 */
import type { StartTree } from "../../../src/core/run/attempt.ts";
import type {
  AttemptTree,
  OpenTree,
  StandingTrees,
  Workspace,
} from "../../../src/runtime/ports-workspace.ts";
import { attempted, type Disk } from "./disk.ts";
import type { SimulatedProcess } from "./process.ts";
import { linesChanged, type Repository } from "./repository.ts";
import { changedFiles, treeHash, type Tree } from "./tree.ts";

export const folderOf = (slot: string): string => `slots/${slot}`;
export const labelOf = ({ subtask, attempt }: AttemptTree, when: string): string =>
  `${subtask}/${attempt}/${when}`;

export function simulatedWorkspace(disk: Disk, process: SimulatedProcess): Workspace {
  const { repository } = disk;
  const open = (cwd: string): OpenTree => ({ cwd, env: {} });
  const { step, answered } = attempted(disk, process);
  const work = <T>(what: string, { slot }: AttemptTree, apply: () => T): Promise<T> =>
    step(what, () => {
      const living = disk.living(folderOf(slot));
      if (living.length > 0)
        disk.record({ kind: "tree-disturbed", slot, by: process.name, living });
      return apply();
    });
  return {
    begin: (place, tree) =>
      answered(async () => {
        await work("lease", place, () => lease(disk, place, process.name));
        await work("bring", place, () => bring(disk, place, tree));
        const { slot } = place;
        const now = (): Tree => repository.slot(slot).tree;
        await work("snapshot", place, () => repository.snapshot(labelOf(place, "before"), now()));
        return open(folderOf(slot));
      }),
    finish: (place) =>
      answered(() =>
        work("finish", place, () => {
          makeAnew(disk, place.slot, process.name);
          return finish(repository, place);
        }),
      ),
    mark: ({ slot }) =>
      process.effect("workspace mark", () => treeHash(repository.slot(slot).tree)),
    publish: () =>
      answered(async () => {
        const commit = await step("publish", () => repository.publish());
        return { branch: `unstuck/${disk.run}`, commit };
      }),
  };
}

export function simulatedStandingTrees(disk: Disk, process: SimulatedProcess): StandingTrees {
  const { repository } = disk;
  const { step, answered } = attempted(disk, process);
  const release = (slot: string): void => {
    const living = disk.living(folderOf(slot));
    if (living.length > 0) disk.record({ kind: "tree-disturbed", slot, by: process.name, living });
    const known = repository.slot(slot);
    repository.snapshot(`rescue/${treeHash(known.tree)}`, known.tree);
    disk.record({ kind: "tree-replaced", slot, tree: treeHash(known.tree) });
    known.isGivenBack = true;
  };
  return {
    slots: () => process.effect("standing trees", () => repository.standing()),
    async release(slot) {
      const given = await answered(() => step("give back", () => release(slot)));
      if (!given.ok) disk.record({ kind: "tree-stays", slot });
      return given;
    },
    releaseAll: () =>
      answered(() =>
        step("give all back", () => {
          for (const slot of repository.standing()) release(slot);
          disk.record({ kind: "trees-gone", standing: repository.standing() });
        }),
      ),
  };
}

/** The folder stands, with what it held when it was given back. */
export function makeAnew(
  { repository, record }: Pick<Disk, "repository" | "record">,
  slot: string,
  by: string,
): void {
  const known = repository.slot(slot);
  if (!known.isGivenBack) return;
  known.isGivenBack = false;
  record({ kind: "tree-made", slot, by, standing: repository.standing() });
}

function lease(disk: Disk, { subtask, branch, slot }: AttemptTree, by: string): void {
  const { repository } = disk;
  const id = `${subtask}/${branch ?? ""}`;
  makeAnew(disk, slot, by);
  const known = repository.slot(slot);
  if (known.lease === id) return;
  const tip = repository.tip();
  replace(repository, slot, repository.commit(tip)?.tree ?? {});
  known.lease = id;
  known.base = tip;
}

function bring({ repository, record, refusal }: Disk, place: AttemptTree, tree: StartTree): void {
  if (tree.kind === "rebased") return rebase(repository, place, tree.attempt);
  const target =
    tree.kind === "good"
      ? repository.commit(tree.commit)?.tree
      : tree.kind === "keep"
        ? undefined
        : repository.snapshotOf(
            labelOf(
              { ...place, attempt: tree.attempt },
              tree.kind === "start" ? "before" : "after",
            ),
          );
  if (target !== undefined) replace(repository, place.slot, target);
  else if (tree.kind !== "keep") {
    const what = `${labelOf(place, "begin")} from ${JSON.stringify(tree)}`;
    record({ kind: "asked-in-vain", what });
    throw refusal("unknown", "no such commit or snapshot");
  }
}

/** Both sides, the attempt's own where they do not fit; from then on the slot stands on the tip. */
function rebase(repository: Repository, place: AttemptTree, attempt: number): void {
  const slot = repository.slot(place.slot);
  const work = repository.snapshotOf(labelOf({ ...place, attempt }, "after")) ?? slot.tree;
  const tip = repository.tip();
  const from = repository.commit(slot.base)?.tree ?? {};
  const theirs = repository.commit(tip)?.tree ?? {};
  const own = changedFiles(from, work).map((name): [string, string] => [name, work[name] ?? ""]);
  replace(repository, place.slot, { ...theirs, ...Object.fromEntries(own) });
  slot.base = tip;
}

/** Nothing goes without a snapshot; the label names what it holds. */
function replace(repository: Repository, slot: string, tree: Tree): void {
  const before = repository.slot(slot).tree;
  repository.snapshot(`rescue/${treeHash(before)}`, before);
  repository.replace(slot, tree);
}

function finish(repository: Repository, place: AttemptTree) {
  const after = repository.snapshot(labelOf(place, "after"), repository.slot(place.slot).tree);
  const before = repository.snapshotOf(labelOf(place, "before")) ?? after;
  if (place.discard === true) replace(repository, place.slot, before);
  return {
    treeBefore: treeHash(before),
    treeAfter: treeHash(after),
    changedLines: linesChanged(before, after),
    files: [],
    protectedFiles: [],
  };
}
