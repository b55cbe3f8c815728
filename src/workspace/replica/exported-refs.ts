/**
 * The refs of a run's clone that a replica exports: those that moved since it was last in sync with the others.
 * Snapshots that only preserve this machine's tree before a restore stay here. Content that a snapshot names only in
 * its message (changed submodules) gets refs of its own, so that it is exported too.
 */
import type { ActiveRun } from "../base/operation.ts";
import { refs } from "../base/run-folder.ts";
import { cloneGit } from "../git/git-dir.ts";
import { idIn } from "../git/read-objects.ts";
import { snapshotAt } from "../snapshots/read-snapshot.ts";
import type { Known, SlotFacts } from "./change.ts";

/** Refs left by a merge for its conflict markers: only their existence matters. */
export const SIDES = "refs/unstuck/side/";
/** Trees and files that only a snapshot's message names. */
const INSIDE = "refs/unstuck/inside/";
const RESCUE = /%2erescue$/;

interface Own {
  readonly known: Known;
  readonly slots: Readonly<Record<string, SlotFacts>>;
  readonly there: ReadonlyMap<string, string>;
}

/** The refs that moved since, with their current values. */
export async function refsToExport(
  run: ActiveRun,
  { known, slots, there }: Own,
): Promise<Record<string, string | null>> {
  const had = { [refs.base]: run.base, [refs.result(run.id)]: run.base, ...known.refs };
  const standing = new Set(Object.values(slots).map(({ stands }) => refs.snapshot(stands)));
  const moved = [...there].filter(
    ([ref, id]) =>
      had[ref] !== id &&
      !(ref.startsWith(SIDES) && had[ref] !== undefined) &&
      (!RESCUE.test(ref) || standing.has(ref)),
  );
  const absent = Object.entries(known.refs).filter(([ref]) => !there.has(ref));
  const gone = await knownHere(run, absent);
  const inside = await insideOf(run, moved);
  const lacking = inside.filter(([ref]) => known.refs[ref] === undefined);
  return Object.fromEntries([...moved, ...lacking, ...gone.map((ref) => [ref, null] as const)]);
}

/** The refs whose object exists here: a ref that never arrived was not deleted. */
async function knownHere(
  run: ActiveRun,
  absent: readonly (readonly [ref: string, id: string])[],
): Promise<readonly string[]> {
  if (absent.length === 0) return [];
  const input = `${absent.map(([, id]) => id).join("\n")}\n`;
  const { stdout } = await cloneGit(run, ["cat-file", "--batch-check=%(objecttype)"], { input });
  const answers = stdout.split("\n");
  return absent.flatMap(([ref], index) => (/^[a-z]+$/.test(answers[index] ?? "") ? [ref] : []));
}

export async function listRefs(run: ActiveRun): Promise<ReadonlyMap<string, string>> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/unstuck"];
  const { stdout } = await cloneGit(run, [...args, refs.result(run.id)]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.split(" ")[0] ?? ""]),
  );
}

/** Creates refs for the content of changed submodules, because no snapshot tree contains it. */
async function insideOf(
  run: ActiveRun,
  moved: readonly (readonly [ref: string, id: string])[],
): Promise<(readonly [ref: string, id: string])[]> {
  const ids = new Set<string>();
  for (const [ref] of moved.filter(([name]) => name.startsWith(refs.snapshots)))
    for (const { entry } of (await snapshotAt(run, ref))?.inside ?? [])
      if (entry !== "") ids.add(idIn(entry));
  const found = [...ids].map((id) => [INSIDE + id, id] as const);
  const input = found.map(([ref, id]) => `update ${ref} ${id}\n`).join("");
  if (input !== "") await cloneGit(run, ["update-ref", "--stdin"], { input });
  return found;
}
