/**
 * Exports what this replica of a run made and imports what others made: refs of the run's clone with their objects, and
 * slots. Invariants: nothing moves before all its objects are here; all refs move in one step or none do; the result
 * moves only from its expected commit, any other ref to the latest value; a repeated import changes nothing; a replica
 * that is behind exports nothing that would revert work; names and ids in a change are foreign and validated first.
 */
import { defined } from "../../core/defined.ts";
import { type ActiveRun, type Control, withResult } from "../base/operation.ts";
import { refuse, asResult } from "../base/refusal.ts";
import { refs, type Run } from "../base/run-folder.ts";
import { isAncestor, readRef } from "../git/commits.ts";
import { cloneGit } from "../git/git-dir.ts";
import { bytes } from "../git/git.ts";
import { bareCommits, createBundle, requireObjects, takeCommits, takeObjects } from "./bundles.ts";
import type { Change, Known } from "./change.ts";
import { refsToExport, listRefs, SIDES } from "./exported-refs.ts";
import { allSlotFacts, sameSlot, takeSlotOver } from "./slot-facts.ts";

export interface Exported {
  readonly change: Change;
  /** A git bundle, to be removed by the caller; absent if no replica lacks an object. */
  readonly bundle?: string;
}

/** `known`: what this replica had in common with the others; everything made since is exported. */
export const exportChanges = withResult(
  (run: Run, known: Known, folder: string, control: Control = {}): Promise<Exported> =>
    oneAtATime(run, () => exported({ ...run, control }, known, folder)),
);

const turns = new Map<string, Promise<unknown>>();

/** Several commands on one machine may end at the same time; each replica handles one change at a time. */
async function oneAtATime<T>({ runDir }: Run, work: () => Promise<T>): Promise<T> {
  const before = turns.get(runDir) ?? Promise.resolve();
  const turn = before.then(work, work);
  turns.set(runDir, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(runDir) === turn) turns.delete(runDir);
  }
}

async function exported(run: ActiveRun, known: Known, folder: string): Promise<Exported> {
  const slots = await allSlotFacts(run);
  const there = await listRefs(run);
  const own = await refsToExport(run, { known, slots, there });
  const told = Object.entries(slots).filter(([slot, facts]) => {
    const before = known.slots[slot];
    const isNews = before === undefined || there.has(refs.snapshot(before.stands));
    return isNews && !sameSlot(before, facts);
  });
  const result = refs.result(run.id);
  if (own[result] !== undefined) await requireForward(run, known.refs[result], own[result]);
  const commits = await bareCommits(run, { own, known, slots: Object.fromEntries(told) });
  const bundle =
    commits === undefined ? await createBundle(run, { own, known, folder }) : undefined;
  const change: Change = {
    ...{ version: 1, run: run.id, base: run.base, refs: own, slots: Object.fromEntries(told) },
    ...(own[result] === undefined ? {} : { resultFrom: known.refs[result] ?? run.base }),
    ...defined({ commits }),
    hasBundle: bundle !== undefined,
  };
  return { change, ...(bundle === undefined ? {} : { bundle }) };
}

/** A replica that lacks the others' work would revert it. */
async function requireForward(
  run: ActiveRun,
  known: string | undefined,
  id: string | null,
): Promise<void> {
  const from = known ?? run.base;
  const isForward = await asResult(() => isAncestor(run, from, id ?? run.base));
  if (id !== null && isForward.ok && isForward.value) return;
  refuse(
    "ref-moved",
    `the result is at ${from} on other machines, and the one here does not build on it: import their changes first`,
  );
}

export interface Imported {
  /** Refs that moved here. */
  readonly moved: readonly string[];
  /** Slots whose tree is recreated at the next use. */
  readonly slots: readonly string[];
}

export interface ImportPlan {
  /** The file that came with the change, or the files of all changes, in order, if several were combined. */
  readonly bundle?: string | readonly string[];
  /** The timestamp for snapshots of what this replica must keep first. */
  readonly at: number;
}

export const importChanges = withResult(
  (run: Run, change: Change, plan: ImportPlan, control: Control = {}): Promise<Imported> =>
    oneAtATime(run, () => imported({ ...run, control }, change, plan)),
);

async function imported(
  run: ActiveRun,
  change: Change,
  { bundle = [], at }: ImportPlan,
): Promise<Imported> {
  validateChange(run, change);
  for (const file of typeof bundle === "string" ? [bundle] : bundle) await takeObjects(run, file);
  await takeCommits(run, change);
  await requireObjects(run, change);
  const moved = await moveRefs(run, change);
  const slots: string[] = [];
  for (const [slot, facts] of Object.entries(change.slots))
    if (await takeSlotOver(run, slot, facts, at)) slots.push(slot);
  return { moved, slots };
}

const OWN_REF =
  /^refs\/unstuck\/(?:base|(?:subtask|snap|inside)\/[\w%-]{1,250}|side\/[\w-]{1,120}\/(?:result|work))$/;

const SLOT = /^[A-Za-z0-9][\w-]{0,60}$/;

function validateChange(run: Run, change: Change): void {
  if (change.run !== run.id || change.base !== run.base)
    refuse(
      "damaged-run",
      `this change is from run ${change.run} on ${change.base}, not from this run`,
    );
  const isOwn = (ref: string): boolean => ref === refs.result(run.id) || OWN_REF.test(ref);
  const isId = (id: string | null): boolean => id === null || /^[0-9a-f]{40,64}$/.test(id);
  const isFit =
    Object.entries(change.refs).every(([ref, id]) => isOwn(ref) && isId(id)) &&
    Object.keys(change.commits ?? {}).every(isId) &&
    Object.entries(change.slots).every(([slot, { commit }]) => SLOT.test(slot) && isId(commit));
  if (!isFit) refuse("damaged-run", "the change names refs, ids or slots that no run has");
}

async function moveRefs(run: ActiveRun, change: Change): Promise<readonly string[]> {
  const lines: string[] = [];
  const moved: string[] = [];
  for (const [ref, id] of Object.entries(change.refs)) {
    const present = await readRef(run, ref);
    if (present === id || (ref.startsWith(SIDES) && present !== null)) continue;
    const from = ref === refs.result(run.id) ? await resultMoves(run, change, present, id) : "";
    if (from === null) continue;
    lines.push(id === null ? `delete ${ref}\n` : `update ${ref} ${id}${from}\n`);
    moved.push(ref);
  }
  if (lines.length > 0)
    await cloneGit(run, ["update-ref", "--stdin"], { input: bytes(lines.join("")) });
  return moved;
}

/** Some of several combined changes may already have been imported. */
const isOnTheWay = async (
  run: ActiveRun,
  from: string,
  stands: string,
  to: string,
): Promise<boolean> => (await isAncestor(run, from, stands)) && (await isAncestor(run, stands, to));

/**
 * For a machine that resumes work on the run after a crash. Merges made here but never exported are not part of the
 * run, and others have merged since. Resets the result to the run's base until their changes are imported.
 */
export const forgetResult = withResult((run: Run, control: Control = {}): Promise<void> =>
  oneAtATime(run, async () => {
    await cloneGit({ ...run, control }, ["update-ref", refs.result(run.id), run.base]);
  }),
);

/** The old value for git to check; null if the result here already contains all of it. */
async function resultMoves(
  run: ActiveRun,
  { resultFrom }: Change,
  present: string | null,
  id: string | null,
): Promise<string | null> {
  const stands = present ?? run.base;
  const from = resultFrom ?? run.base;
  const insisted = present === null ? "" : ` ${present}`;
  if (id !== null && stands === from) return insisted;
  if (id !== null && (await isAncestor(run, id, stands))) return null;
  if (id !== null && (await isOnTheWay(run, from, stands, id))) return insisted;
  return refuse("ref-moved", `the result is at ${stands} here, and the change was made on ${from}`);
}
