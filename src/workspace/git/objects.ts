/** Writes commits without starting git, because every attempt needs two; a commit is on disk before a ref names it. */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { readOrNull, writeDurably } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { cloneGit } from "./git-dir.ts";
import { IDENTITY } from "./git.ts";

export interface CommitPlan {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since 1970, given by the caller: equal plans give equal commits. */
  readonly at: number;
}

const KNOWN_TREES_MAX = 1000;
const knownTrees = new Map<string, string>();

/** Ids are content hashes, so a commit's tree never changes, in any repository. */
export function rememberTree(commit: string, tree: string): void {
  if (knownTrees.size >= KNOWN_TREES_MAX) knownTrees.clear();
  knownTrees.set(commit, tree);
}

/** The tree of a commit that this process wrote or asked about; otherwise undefined. */
export const knownTree = (commit: string): string | undefined => knownTrees.get(commit);

export async function writeCommit(run: Run, plan: CommitPlan): Promise<string> {
  const seconds = Math.floor(plan.at / 1000);
  const { name, email } = run.identity ?? IDENTITY;
  const who = `${name} <${email}> ${seconds} +0000`;
  const body = Buffer.from(
    [
      `tree ${plan.tree}`,
      ...plan.parents.map((parent) => `parent ${parent}`),
      `author ${who}`,
      `committer ${who}`,
      "",
      plan.message,
      "",
    ].join("\n"),
  );
  const id = await writeLoose(run, body);
  rememberTree(id, plan.tree);
  return id;
}

async function writeLoose(run: Run, body: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const id = createHash(run.objectFormat).update(object).digest("hex");
  const path = objectPath(run, id);
  if ((await readOrNull(path)) === null) await writeDurably(path, deflateSync(object));
  return id;
}

/** Writes a commit received from another machine; false if the content does not match the id. */
export async function takeCommit(run: Run, id: string, content: Buffer): Promise<boolean> {
  const object = Buffer.concat([Buffer.from(`commit ${content.length}\0`), content]);
  if (createHash(run.objectFormat).update(object).digest("hex") !== id) return false;
  await writeLoose(run, content);
  return true;
}

/**
 * Writes a loose copy of a commit that arrived in a pack: code that reads objects without git needs a file of its own.
 */
export async function keepLoose(run: ActiveRun, commit: string): Promise<void> {
  if ((await readOrNull(objectPath(run, commit))) !== null) return;
  const { stdout } = await cloneGit(run, ["cat-file", "commit", commit]);
  await writeLoose(run, Buffer.from(stdout, "latin1"));
}

/**
 * Copies what a commit needs beyond `known` into the store, including objects that git found in the user's repository
 * and so did not write again: there, only the pin keeps objects alive.
 */
export async function keepObjects(
  run: ActiveRun,
  commit: string,
  known: readonly string[],
): Promise<void> {
  const args = ["pack-objects", "-q", "--revs", "--non-empty"];
  const input = [commit, ...known.map((id) => `^${id}`), ""].join("\n");
  const packs = join(layout(run.runDir).store, "pack");
  const { stdout } = await cloneGit(run, [...args, join(packs, "pack")], { input });
  if (stdout.trim() !== "") await indexPacks(run, packs);
}

const PACKS_PER_INDEX = 32;

/**
 * Git searches the index of every pack, so a common index is written now and then. Without it everything still works,
 * only slower.
 */
async function indexPacks(run: ActiveRun, folder: string): Promise<void> {
  const packs = (await readdir(folder)).filter((name) => name.endsWith(".pack"));
  if (packs.length % PACKS_PER_INDEX !== 0) return;
  await cloneGit(run, ["multi-pack-index", "write"], { okCodes: [0, 1, 128] });
}

export const objectPath = (run: Run, id: string): string =>
  join(layout(run.runDir).store, id.slice(0, 2), id.slice(2));
