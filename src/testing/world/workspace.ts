/**
 * The Workspace port of one simulated process on the shared repository, with the refusals a disk can give.
 * Imports the port, repository and tree. Invariants: as the port's: repeating an operation goes on from what is there;
 * whoever works in a tree with living processes of an attempt is written down.
 */
import { signatureOf } from "../../core/classify/signature.ts";
import { categoryOf } from "../../core/failure.ts";
import type { Failure, FailureKind } from "../../core/failure.ts";
import type { StartTree } from "../../core/run/attempt.ts";
import type { OpenTree, TreeAnswer, TreePlace, Workspace } from "../../runtime/ports-workspace.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { SimulatedProcess } from "./process.ts";
import { linesChanged } from "./repository.ts";
import type { Repository, Work } from "./repository.ts";
import { changedFiles, treeHash } from "./tree.ts";
import type { Tree } from "./tree.ts";

export interface Disk {
  readonly run: string;
  readonly repository: Repository;
  readonly record: (happening: Happening) => void;
  readonly chance: Chance;
  /** How often an operation is refused. */
  readonly refusalRate: number;
  /** Attempts with living, working processes in this folder. */
  readonly living: (cwd: string) => readonly string[];
  /** Trees that stand in folders beside the slots, by folder. */
  readonly folders: Map<string, Tree>;
}

class Refused extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

export const folderOf = (slot: string): string => `slots/${slot}`;
const MERGE_FOLDER = "slots/merge";
const labelOf = ({ subtask, attempt }: TreePlace, when: string): string =>
  `${subtask}/${attempt}/${when}`;

export function simulatedWorkspace(disk: Disk, process: SimulatedProcess): Workspace {
  const { repository } = disk;
  const open = (cwd: string): OpenTree => ({ cwd, env: {} });
  const step = <T>(what: string, apply: () => T): Promise<T> =>
    process.effect(`workspace ${what}`, () => {
      if (disk.chance.happens(disk.refusalRate))
        throw disk.chance.happens(0.7)
          ? new Refused("disk_full", "no space left on the simulated disk")
          : new Refused("unknown", "the simulated disk gave an error");
      return apply();
    });
  const work = <T>(what: string, { slot }: TreePlace, apply: () => T): Promise<T> =>
    step(what, () => {
      const living = disk.living(folderOf(slot));
      if (living.length > 0)
        disk.record({ kind: "tree-disturbed", slot, by: process.name, living });
      return apply();
    });
  return {
    begin: (place, tree) =>
      answered(async () => {
        await work("lease", place, () => lease(repository, place));
        await work("bring", place, () => bring(disk, place, tree));
        const { slot } = place;
        const now = (): Tree => repository.slot(slot).tree;
        await work("snapshot", place, () => repository.snapshot(labelOf(place, "before"), now()));
        return open(folderOf(slot));
      }),
    open: async ({ slot }) => ({ ok: true, value: open(folderOf(slot)) }),
    finish: (place) => answered(() => work("finish", place, () => finish(repository, place))),
    mark: ({ slot }) =>
      process.effect("workspace mark", () => treeHash(repository.slot(slot).tree)),
    merge: (place, verify) =>
      answered(async () => {
        const of = await step("commit", () => workOf(disk, process, place));
        const join = await step("join", () => repository.join(of));
        if (join.kind === "there") return { kind: "merged", commit: join.commit };
        if (join.kind === "conflict") return join;
        if (!join.alone) {
          await step("merge tree", () => disk.folders.set(MERGE_FOLDER, join.tree));
          const result = await verify(open(MERGE_FOLDER));
          if (result.kind !== "passed") return { kind: "red", result };
        }
        await step("advance", () => repository.advance(of, join.commit));
        return { kind: "merged", commit: join.commit };
      }),
    publish: () =>
      answered(async () => {
        const commit = await step("publish", () => repository.publish());
        return { branch: `unstuck/${disk.run}`, commit };
      }),
  };
}

function lease(repository: Repository, { subtask, branch, slot }: TreePlace): void {
  const id = `${subtask}/${branch ?? ""}`;
  const known = repository.slot(slot);
  if (known.lease === id) return;
  const tip = repository.tip();
  replace(repository, slot, repository.commit(tip)?.tree ?? {});
  known.lease = id;
  known.base = tip;
}

function bring({ repository, record }: Disk, place: TreePlace, tree: StartTree): void {
  if (tree.kind === "rebased") return rebase(repository, place, tree.attempt);
  const target =
    tree.kind === "good"
      ? repository.commit(tree.commit)?.tree
      : tree.kind === "attempt"
        ? repository.snapshotOf(labelOf({ ...place, attempt: tree.attempt }, "after"))
        : undefined;
  if (target !== undefined) replace(repository, place.slot, target);
  else if (tree.kind !== "keep") {
    const what = `${labelOf(place, "begin")} from ${JSON.stringify(tree)}`;
    record({ kind: "asked-in-vain", what });
    throw new Refused("unknown", "no such commit or snapshot");
  }
}

/** Both sides, the attempt's own where they do not fit; from then on the slot stands on the tip. */
function rebase(repository: Repository, place: TreePlace, attempt: number): void {
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

function finish(repository: Repository, place: TreePlace) {
  const after = repository.snapshot(labelOf(place, "after"), repository.slot(place.slot).tree);
  const before = repository.snapshotOf(labelOf(place, "before")) ?? after;
  if (place.discard === true) replace(repository, place.slot, before);
  return {
    treeBefore: treeHash(before),
    treeAfter: treeHash(after),
    changedLines: linesChanged(before, after),
    files: [],
    protectedFiles: [],
    judges: [],
  };
}

function workOf(disk: Disk, process: SimulatedProcess, place: TreePlace): Work {
  const { repository, run, record } = disk;
  const label = labelOf(place, "after");
  const tree = repository.snapshotOf(label);
  if (tree === undefined) {
    record({ kind: "asked-in-vain", what: `the merge of ${label}` });
    throw new Refused("unknown", `no snapshot ${label}`);
  }
  const attemptId = `${run}/${place.subtask}/${place.attempt}`;
  return { attemptId, tree, base: repository.slot(place.slot).base, by: process.name };
}

async function answered<T>(work: () => Promise<T>): Promise<TreeAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, failure: failureOf(error) };
    throw error;
  }
}

function failureOf({ kind, message }: Refused): Failure {
  return {
    kind,
    category: categoryOf(kind, "workspace"),
    origin: "workspace",
    confidence: 1,
    because: [message],
    signature: signatureOf(message),
  };
}
