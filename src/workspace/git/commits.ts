/**
 * The run's refs and merges. A snapshot ref is created once and never moved. Merges need no checkout. Commits merge
 * into the result: the caller has the merged tree checked, and only then moves the ref, from the value it was merged
 * onto. Bare trees merge whatever their history. A conflict is returned as file names and changes nothing; all objects
 * of a merge are in the run's store.
 */
import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { readOrNull, syncPath } from "../base/files.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { cachedCloneGit, cloneGit, WHOLE_ID } from "./git-dir.ts";
import { type GitOutput, records, text } from "./git.ts";
import { keepObjects, writeCommit, objectPath, type CommitPlan } from "./objects.ts";

export interface MergePlan extends Pick<CommitPlan, "message" | "at"> {
  readonly into: string;
  readonly commit: string;
}

type Merged =
  | { readonly clean: true; readonly commit: string }
  | { readonly clean: false; readonly conflicts: readonly string[] };

export async function merge(run: ActiveRun, plan: MergePlan): Promise<Merged> {
  const { into, commit, message, at } = plan;
  if (await isAncestor(run, commit, into)) return { clean: true, commit: into };
  if (await isAncestor(run, into, commit)) return { clean: true, commit };
  const output = await mergeTree(run, into, commit);
  const [tree = "", ...conflicts] = records(output.stdout);
  if (output.code === 1) return { clean: false, conflicts: [...new Set(conflicts.map(text))] };
  const made = await writeCommit(run, { tree, parents: [into, commit], message, at });
  await keepObjects(run, made, [into, commit]);
  await reachPoint(run.control, "merge:commit");
  return { clean: true, commit: made };
}

/** The merged tree and the conflicting names, as git writes them; moves no ref. */
function mergeTree(run: ActiveRun, into: string, commit: string): Promise<GitOutput> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", into, commit];
  return cloneGit(run, args, { okCodes: [0, 1] });
}

/** The label that git writes next to conflict markers; it occurs in no other file. */
const sideOf = (run: Run, which: "result" | "work"): string => `unstuck/side/${run.id}/${which}`;

/** The merged tree, with conflicts left between markers that carry the run's own label. */
export async function joinedTree(
  run: ActiveRun,
  { into, commit }: Pick<MergePlan, "into" | "commit">,
): Promise<string> {
  const [result, work] = [sideOf(run, "result"), sideOf(run, "work")];
  const input = `update refs/${result} ${into}\nupdate refs/${work} ${commit}\n`;
  await cloneGit(run, ["update-ref", "--stdin"], { input });
  const output = await mergeTree(run, result, work);
  return records(output.stdout)[0] ?? "";
}

/** Files of a commit in which a merge of this run left its markers. */
export async function filesWithMarkers(run: ActiveRun, commit: string): Promise<string[]> {
  if ((await readRef(run, `refs/${sideOf(run, "result")}`)) === null) return [];
  const marks = ["<<<<<<<", ">>>>>>>"].flatMap((mark) =>
    (["result", "work"] as const).flatMap((which) => ["-e", `${mark} ${sideOf(run, which)}`]),
  );
  const args = ["grep", "-l", "-z", "-F", "-a", ...marks, commit];
  const { stdout } = await cloneGit(run, args, { okCodes: [0, 1] });
  return records(stdout).map((name) => text(name.slice(name.indexOf(":") + 1)));
}

/** The run's current result. */
export const resultTip = async (run: Run): Promise<string> =>
  (await readRef(run, refs.result(run.id))) ?? run.base;

/** Moves the run's result from `expected` to `commit`; safe to repeat. */
export async function advance(
  run: ActiveRun,
  { commit, expected }: { readonly commit: string; readonly expected: string },
): Promise<void> {
  const ref = refs.result(run.id);
  const present = await readRef(run, ref);
  if (present === commit) return;
  if (present !== expected) refuse("ref-moved", `${ref} is at ${present}, not at ${expected}`);
  await cloneGit(run, ["update-ref", ref, commit, expected]);
}

export async function isAncestor(run: ActiveRun, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  // For whole ids, one cached answer serves both directions: if one is an ancestor, it is the merge base.
  const isWhole = WHOLE_ID.test(older) && WHOLE_ID.test(newer);
  const args = isWhole ? ["merge-base"] : ["merge-base", "--is-ancestor"];
  const ids = isWhole ? [older, newer].sort() : [older, newer];
  const { code, stdout } = await cachedCloneGit(run, args, ids, [0, 1, 128]);
  if (code === 128) refuse("no-such-commit", `${older} or ${newer} is not a commit of this run`);
  return isWhole ? stdout.trim() === older : code === 0;
}

export async function requireAncestor(run: ActiveRun, older: string, newer: string): Promise<void> {
  if (!(await isAncestor(run, older, newer)))
    refuse("not-an-ancestor", `${older} is not an ancestor of ${newer}`);
}

export interface TreeMerge {
  /** If files conflict, it contains git's markers. */
  readonly tree: string;
  /** Paths as latin1 bytes. */
  readonly conflicts: readonly string[];
}

/**
 * Wraps the trees in commits without history: git then finds the base itself, even in versions without an option for
 * it.
 */
export async function mergeTrees(
  run: ActiveRun,
  { base, ours, theirs }: Readonly<Record<"base" | "ours" | "theirs", string>>,
): Promise<TreeMerge> {
  if (base === theirs || ours === theirs) return { tree: ours, conflicts: [] };
  if (base === ours) return { tree: theirs, conflicts: [] };
  const plan = { message: "tree", at: 0 };
  const root = await writeCommit(run, { ...plan, tree: base, parents: [] });
  const left = await writeCommit(run, { ...plan, tree: ours, parents: [root] });
  const right = await writeCommit(run, { ...plan, tree: theirs, parents: [root] });
  const [tree = "", ...conflicts] = records((await mergeTree(run, left, right)).stdout);
  return { tree, conflicts: [...new Set(conflicts)] };
}

/** The raw content of a commit; null if it is not a loose object in the store. Our own commits always are. */
export async function commitContent(run: Run, id: string): Promise<Buffer | null> {
  const packed = await readOrNull(objectPath(run, id));
  if (packed === null) return null;
  const object = inflateSync(packed);
  return object.subarray(object.indexOf(0) + 1);
}

/** Null if the commit is not a loose object in the store; our own always are. */
export async function readCommit(run: Run, id: string): Promise<CommitPlan | null> {
  const content = await commitContent(run, id);
  if (content === null) return null;
  const object = content.toString("utf8");
  const split = object.indexOf("\n\n");
  const lines = object.slice(0, split).split("\n");
  const values = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const seconds = Number(values("committer")[0]?.split(" ").at(-2) ?? 0);
  return {
    tree: values("tree")[0] ?? refuse("damaged-run", `commit ${id} has no tree`),
    parents: values("parent"),
    message: object.slice(split + 2).replace(/\n$/, ""),
    at: seconds * 1000,
  };
}

export async function readRef(run: Run, name: string): Promise<string | null> {
  const content = await readOrNull(join(layout(run.runDir).clone, name));
  const id = content?.toString("latin1").trim() ?? "";
  return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

/** Creates a ref that never moves; false if it exists with another value. */
export async function createRef(run: Run, name: string, id: string): Promise<boolean> {
  const path = join(layout(run.runDir).clone, name);
  const written = join(layout(run.runDir).clone, `new-${basename(name)}`);
  await writeFile(written, `${id}\n`, { flush: true });
  await mkdir(dirname(path), { recursive: true });
  try {
    await link(written, path);
    await syncPath(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return (await readRef(run, name)) === id;
  } finally {
    await rm(written, { force: true });
  }
}
