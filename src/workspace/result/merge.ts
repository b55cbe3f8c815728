/**
 * Serial merges: the merged tree is made without a checkout, the caller judges it, and only then the ref moves,
 * from the value it was merged onto. Invariants: a conflict is a value with file names and changes nothing; a ref
 * never moves from a value the caller did not expect; every object of a merge lies in the run's store.
 */
import { pass, refuse, settled } from "../base/refusal.ts";
import type { Control, Result, Run } from "../base/types.ts";
import { changedEntries, type Entry } from "../git/diff.ts";
import { cloneView, refs } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { keepObjects, readRef, writeCommit } from "../git/object-store.ts";

export interface MergePlan {
  readonly into: string;
  readonly commit: string;
  readonly message: string;
  readonly at: number;
}

export type Merged =
  | { readonly clean: true; readonly commit: string }
  | { readonly clean: false; readonly conflicts: readonly string[] };

export const merge = (run: Run, plan: MergePlan, control: Control = {}): Promise<Result<Merged>> =>
  settled(() => merged(run, plan, control));

export async function merged(run: Run, plan: MergePlan, control: Control): Promise<Merged> {
  const { into, commit, message, at } = plan;
  if (await isAncestor(run, commit, into, control)) return { clean: true, commit: into };
  if (await isAncestor(run, into, commit, control)) return { clean: true, commit };
  const output = await mergeTree(run, into, commit, control);
  const [tree = "", ...conflicts] = records(output.stdout);
  if (output.code === 1) return { clean: false, conflicts: [...new Set(conflicts.map(text))] };
  const made = await writeCommit(run, { tree, parents: [into, commit], message, at });
  await keepObjects(run, made, [into, commit], control);
  await pass(control, "merge:commit");
  return { clean: true, commit: made };
}

/** The merged tree and the names that conflict, as git writes them; nothing moves. */
function mergeTree(
  run: Run,
  into: string,
  commit: string,
  control: Control,
): ReturnType<typeof git> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", into, commit];
  return git({ args, env: cloneView(run), okCodes: [0, 1] }, control);
}

/** What git writes beside the markers of a conflict: no file of anybody else has it. */
const sideOf = (run: Run, which: "result" | "work"): string => `unstuck/side/${run.id}/${which}`;

/** The tree of both, whatever does not fit left between markers that carry the run's own label. */
export async function joinedTree(
  run: Run,
  { into, commit }: Pick<MergePlan, "into" | "commit">,
  control: Control,
): Promise<string> {
  const [result, work] = [sideOf(run, "result"), sideOf(run, "work")];
  const input = `update refs/${result} ${into}\nupdate refs/${work} ${commit}\n`;
  await git({ args: ["update-ref", "--stdin"], env: cloneView(run), input }, control);
  const output = await mergeTree(run, result, work, control);
  return records(output.stdout)[0] ?? "";
}

/** Files of a commit in which a merge of this run left its markers. */
export const filesWithMarkers = (
  run: Run,
  commit: string,
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  settled(async () => {
    if ((await readRef(run, `refs/${sideOf(run, "result")}`)) === null) return [];
    const marks = ["<<<<<<<", ">>>>>>>"].flatMap((mark) =>
      (["result", "work"] as const).flatMap((which) => ["-e", `${mark} ${sideOf(run, which)}`]),
    );
    const args = ["grep", "-l", "-z", "-F", "-a", ...marks, commit];
    const { stdout } = await git({ args, env: cloneView(run), okCodes: [0, 1] }, control);
    return records(stdout).map((name) => text(name.slice(name.indexOf(":") + 1)));
  });

/** The run's result so far. */
export const resultTip = async (run: Run): Promise<string> =>
  (await readRef(run, refs.result(run.id))) ?? run.base;

/** Moves the run's result from `expected` to `commit`; a repeated call is fine. */
export const advance = (
  run: Run,
  { commit, expected }: { readonly commit: string; readonly expected: string },
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const ref = refs.result(run.id);
    const present = await readRef(run, ref);
    if (present === commit) return;
    if (present !== expected) refuse("ref-moved", `${ref} is at ${present}, not at ${expected}`);
    await git({ args: ["update-ref", ref, commit, expected], env: cloneView(run) }, control);
  });

export async function isAncestor(
  run: Run,
  older: string,
  newer: string,
  control: Control,
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", older, newer];
  const { code } = await git({ args, env: cloneView(run), okCodes: [0, 1, 128] }, control);
  if (code === 128) refuse("no-such-commit", `${older} or ${newer} is not a commit of this run`);
  return code === 0;
}

export async function requireAncestor(
  run: Run,
  older: string,
  newer: string,
  control: Control,
): Promise<void> {
  if (!(await isAncestor(run, older, newer, control)))
    refuse("not-an-ancestor", `${older} is not an ancestor of ${newer}`);
}

interface ThreeTrees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TreeMerge {
  /** Where files conflict it holds git's markers. */
  readonly tree: string;
  /** Paths as latin1 bytes. */
  readonly conflicts: readonly string[];
}

/** Commits without history stand for the trees: git finds the base by itself, also where it takes no base as an option. */
export async function mergeTrees(
  run: Run,
  { base, ours, theirs }: ThreeTrees,
  control: Control,
): Promise<TreeMerge> {
  if (base === theirs || ours === theirs) return { tree: ours, conflicts: [] };
  if (base === ours) return { tree: theirs, conflicts: [] };
  const plan = { message: "tree", at: 0 };
  const root = await writeCommit(run, { ...plan, tree: base, parents: [] });
  const left = await writeCommit(run, { ...plan, tree: ours, parents: [root] });
  const right = await writeCommit(run, { ...plan, tree: theirs, parents: [root] });
  const [tree = "", ...conflicts] = records((await mergeTree(run, left, right, control)).stdout);
  return { tree, conflicts: [...new Set(conflicts)] };
}

export async function treeOf(run: Run, commit: string, control: Control): Promise<string> {
  const args = ["rev-parse", "-q", "--verify", `${commit}^{tree}`];
  return (await git({ args, env: cloneView(run) }, control)).stdout.trim();
}

/** What trees hold at a path, all seen from one of them: equal words, equal entries. */
export interface Seen {
  at(path: string): string;
  readonly paths: readonly string[];
  /** The entry itself, for the tree that is seen or the one it is seen from. */
  entry(path: string, of: "seen" | "from"): string | undefined;
}

export async function seenFrom(
  run: Run,
  from: string,
  tree: string,
  control: Control,
): Promise<Seen> {
  const entries = await changedEntries(run, { from, to: tree }, control);
  const byPath = new Map(entries.map((entry): [string, Entry] => [entry.path, entry]));
  return {
    at: (path) => byPath.get(path)?.after ?? SAME,
    paths: [...byPath.keys()],
    entry: (path, of) => byPath.get(path)?.[of === "seen" ? "after" : "before"],
  };
}

export const SAME = "as seen from";
