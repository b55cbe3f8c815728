/** Writes commits without starting git, as every attempt needs two; a commit is on disk before a ref names it. */
import { createHash } from "node:crypto";
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

export const objectPath = (run: Run, id: string): string =>
  join(layout(run.runDir).store, id.slice(0, 2), id.slice(2));
