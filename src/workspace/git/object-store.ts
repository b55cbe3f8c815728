/**
 * The run's own store of objects. Commits and snapshot refs are written and read without starting git, because
 * this happens twice in every attempt. A commit is on disk before a ref names it; a snapshot ref is made once and
 * never moved.
 */
import { createHash } from "node:crypto";
import { link, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { readOrNull, syncPath, writeAndSync, writeDurably } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
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
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const id = createHash(run.objectFormat).update(object).digest("hex");
  const path = objectPath(run, id);
  if ((await readOrNull(path)) === null) await writeDurably(path, deflateSync(object));
  return id;
}

/** Null when the store holds no such commit as a loose object; ours always are. */
export async function readCommit(run: Run, id: string): Promise<CommitPlan | null> {
  const packed = await readOrNull(objectPath(run, id));
  if (packed === null) return null;
  const object = inflateSync(packed).toString("utf8");
  const start = object.indexOf("\0") + 1;
  const split = object.indexOf("\n\n", start);
  const lines = object.slice(start, split).split("\n");
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

/** Makes a ref that is never moved again; false when it exists with another value. */
export async function createRef(run: Run, name: string, id: string): Promise<boolean> {
  const path = join(layout(run.runDir).clone, name);
  const written = join(layout(run.runDir).clone, `new-${basename(name)}`);
  await writeAndSync(written, `${id}\n`);
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

/**
 * Copies what a commit needs beyond `known` into the store, also what git found in the user's
 * repository and so did not write again: only the pin keeps objects there alive.
 */
export async function keepObjects(
  run: ActiveRun,
  commit: string,
  known: readonly string[],
): Promise<void> {
  const args = ["pack-objects", "-q", "--revs", "--non-empty"];
  const input = [commit, ...known.map((id) => `^${id}`), ""].join("\n");
  const prefix = join(layout(run.runDir).store, "pack", "pack");
  await cloneGit(run, [...args, prefix], { input });
}

const objectPath = (run: Run, id: string): string =>
  join(layout(run.runDir).store, id.slice(0, 2), id.slice(2));
