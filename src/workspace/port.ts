/**
 * The runtime's Workspace port on git: every tree, snapshot and merge is named by run, subtask and attempt.
 * Imports the workspace's own operations and the port. Invariants: a label is taken once, so a repeated call gives what it
 * made before; nothing destructive without a snapshot; a refusal becomes a failure of origin workspace.
 */
import type { FailureKind } from "../core/failure.ts";
import { categoryOf } from "../core/failure.ts";
import { tameLine } from "../core/foreign-text.ts";
import { signatureOf } from "../core/classify/signature.ts";
import type { StartTree } from "../core/run/attempt.ts";
import type {
  FinishedTree,
  MergeAnswer,
  OpenTree,
  TreeAnswer,
  TreePlace,
  Workspace,
} from "../runtime/ports-workspace.ts";
import { changedFiles, lineStat } from "./diff.ts";
import { goodCommit } from "./good-commit.ts";
import { advance, merge, resultTip } from "./merge.ts";
import { publish } from "./publish.ts";
import { restore, rollback } from "./restore.ts";
import { leaseSlot, markReady } from "./slot.ts";
import { slotEnvironment } from "./slot-git.ts";
import { readSnapshot, snapshot, treeHash } from "./snapshot.ts";
import type { Control, Refusal, RefusalKind, Result, Run, Worktree } from "./types.ts";
import { slotWorktree } from "./view.ts";

export interface GitWorkspaceOptions {
  readonly run: Run;
  readonly carry: readonly string[];
  /** What every process in a tree is given beside the tree's own variables: the user's environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Runs the plan's setup commands in a new tree; a problem is why the tree cannot be used. */
  readonly setup: (tree: OpenTree) => Promise<string | undefined>;
  /** What `setup` amounts to: a tree that was made ready for the same is not set up again. */
  readonly setupMark: string;
  readonly isProtected: (path: string) => boolean;
  readonly control?: Control;
}

const MERGE_SLOT = "merge";

export function gitWorkspace(options: GitWorkspaceOptions): Workspace {
  return {
    begin: (place, tree) => answered(() => begin(options, place, tree)),
    open: async (place) => ({
      ok: true,
      value: openTree(options, slotWorktree(options.run, place.slot)),
    }),
    finish: (place) => answered(() => finish(options, place)),
    mark: async ({ slot }) => {
      const { run, control } = options;
      const hash = await treeHash(run, slotWorktree(run, slot), control);
      return hash.ok ? hash.value : "";
    },
    merge: (place, verify) => answered(() => merged(options, place, verify)),
    publish: () => answered(async () => valueOf(await publish(options.run, options.control))),
  };
}

const labelOf = ({ subtask, attempt }: TreePlace, when: "before" | "after"): string =>
  `${subtask}/${attempt}/${when}`;
const leaseOf = ({ subtask, branch }: TreePlace): string => `${subtask}/${branch ?? ""}`;

async function begin(
  options: GitWorkspaceOptions,
  place: TreePlace,
  tree: StartTree,
): Promise<OpenTree> {
  const { run, control, carry, now } = options;
  const commit = await resultTip(run);
  const id = leaseOf(place);
  const lease = valueOf(
    await leaseSlot(run, { slot: place.slot, commit, id, at: now(), carry }, control),
  );
  const { worktree } = lease;
  const opened = openTree(options, worktree);
  if (lease.ready !== options.setupMark) {
    const problem = await options.setup(opened);
    if (problem !== undefined) throw new Refused({ kind: "file-system", detail: problem });
    valueOf(await markReady(run, worktree, options.setupMark, control));
  }
  await bringTo(options, worktree, place, tree);
  valueOf(
    await snapshot(
      run,
      worktree,
      { label: labelOf(place, "before"), at: now(), start: true },
      control,
    ),
  );
  return opened;
}

async function bringTo(
  options: GitWorkspaceOptions,
  worktree: Worktree,
  place: TreePlace,
  tree: StartTree,
): Promise<void> {
  const { run, control, now } = options;
  const id = `${place.subtask}/${place.attempt}`;
  if (tree.kind === "good") {
    const tip = await resultTip(run);
    valueOf(await rollback(run, worktree, { id, at: now(), commit: tree.commit, tip }, control));
  } else if (tree.kind === "attempt") {
    const label = labelOf({ ...place, attempt: tree.attempt }, "after");
    valueOf(await restore(run, worktree, { id, at: now(), snapshot: label }, control));
  }
}

async function finish(options: GitWorkspaceOptions, place: TreePlace): Promise<FinishedTree> {
  const { run, control, now } = options;
  const worktree = slotWorktree(run, place.slot);
  const after = valueOf(
    await snapshot(run, worktree, { label: labelOf(place, "after"), at: now() }, control),
  );
  const found = await readSnapshot(run, labelOf(place, "before"));
  const before = found.ok ? found.value : after;
  const range = { from: before.tree, to: after.tree };
  const stat = valueOf(await lineStat(run, range, control));
  const files = range.from === range.to ? [] : valueOf(await changedFiles(run, range, control));
  return {
    treeBefore: before.tree,
    treeAfter: after.tree,
    changedLines: stat.added + stat.removed,
    protectedFiles: files.filter(options.isProtected),
  };
}

async function merged(
  options: GitWorkspaceOptions,
  place: TreePlace,
  verify: Parameters<Workspace["merge"]>[1],
): Promise<MergeAnswer> {
  const { run, control, now } = options;
  const tip = await resultTip(run);
  const at = now();
  const message = `${place.subtask}: attempt ${place.attempt}`;
  const parent = await startOf(options, place);
  const good = valueOf(
    await goodCommit(
      run,
      { subtask: leaseOf(place), snapshot: labelOf(place, "after"), parent, message, at },
      control,
    ),
  );
  const joined = valueOf(
    await merge(run, { into: tip, commit: good.commit, message: `Merge ${message}`, at }, control),
  );
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  if (joined.commit !== good.commit && joined.commit !== tip) {
    const red = await redTogether(options, place, joined.commit, verify);
    if (red !== undefined) return red;
  }
  valueOf(await advance(run, { commit: joined.commit, expected: tip }, control));
  return { kind: "merged", commit: joined.commit };
}

/** Two that are green alone may be red together: the merged tree is checked before the result moves. */
async function redTogether(
  options: GitWorkspaceOptions,
  place: TreePlace,
  commit: string,
  verify: Parameters<Workspace["merge"]>[1],
): Promise<MergeAnswer | undefined> {
  const { run, control, carry, now } = options;
  const id = `merge/${place.subtask}/${place.attempt}`;
  const lease = valueOf(
    await leaseSlot(run, { slot: MERGE_SLOT, commit, id, at: now(), carry }, control),
  );
  const opened = openTree(options, lease.worktree);
  if (lease.ready !== options.setupMark) {
    const problem = await options.setup(opened);
    if (problem !== undefined) throw new Refused({ kind: "file-system", detail: problem });
    valueOf(await markReady(run, lease.worktree, options.setupMark, control));
  }
  const result = await verify(opened);
  return result.kind === "passed" ? undefined : { kind: "red", result };
}

/** The commit the subtask's tree was leased at: what its work is to be merged from. */
async function startOf(options: GitWorkspaceOptions, place: TreePlace): Promise<string> {
  const { run, control, now } = options;
  const { slot } = place;
  const tip = await resultTip(run);
  const plan = { slot, commit: tip, id: leaseOf(place), at: now() };
  return valueOf(await leaseSlot(run, plan, control)).commit;
}

const openTree = ({ run, environment }: GitWorkspaceOptions, worktree: Worktree): OpenTree => ({
  cwd: worktree.path,
  env: { ...environment, ...slotEnvironment(run, worktree) },
});

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Refused(result.refusal);
}

async function answered<T>(work: () => Promise<T>): Promise<TreeAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { kind, detail } = error.refusal;
    const failure = KIND_OF[kind] ?? "unknown";
    const because = tameLine(`${kind}: ${detail}`, 300);
    return {
      ok: false,
      failure: {
        kind: failure,
        category: categoryOf(failure, "workspace"),
        origin: "workspace",
        confidence: 1,
        because: [because],
        signature: signatureOf(because),
      },
    };
  }
}

const KIND_OF: { readonly [kind in RefusalKind]?: FailureKind } = {
  "disk-full": "disk_full",
  "repository-gone": "file_not_found",
  conflict: "merge_conflict",
  aborted: "interrupted",
};
