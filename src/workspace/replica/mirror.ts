/**
 * A cache of remote repositories: one bare mirror per address, fetched when a commit is missing. A commit counts as
 * present once a ref leads to it, because git moves a ref only after it has all objects. A lock, kept fresh by its
 * holder, lets one process at a time work in a mirror; if two processes break a dead lock at once, both fetch, which
 * git tolerates. Nothing is removed from a mirror, and deleting a whole mirror breaks no checkout made from it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Control } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { git } from "../git/git.ts";
import { makeGitDir } from "../git/make-git-dir.ts";
import { remoteGit } from "./remote-address.ts";

export interface Mirror {
  readonly url: string;
  readonly gitDir: string;
}

export const mirrorOf = (cacheFolder: string, url: string): Mirror => {
  const name = createHash("sha256").update(url).digest("hex").slice(0, 32);
  return { url, gitDir: join(cacheFolder, `${name}.git`) };
};

/** Fetches unless the commit is present. */
export async function fillMirror(mirror: Mirror, commit: string, control: Control): Promise<void> {
  const { url, gitDir } = mirror;
  const objectFormat = commit.length === 64 ? "sha256" : "sha1";
  await makeGitDir(gitDir, { objectFormat, settings: {} }, { bare: true });
  if (await holds(mirror, commit, control)) return;
  const args = ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const env = { GIT_DIR: gitDir };
  const all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  await remoteGit(url, { args: [...args, "--", url, ...all], env }, control);
  if (await holds(mirror, commit, control)) return;
  // No branch or tag leads to it (any more): most servers still send it by id.
  const alone = [...args, "--", url, `+${commit}:refs/unstuck/wanted/${commit}`];
  await remoteGit(url, { args: alone, env, okCodes: [0, 1, 128] }, control);
  if (!(await holds(mirror, commit, control)))
    refuse(
      "no-such-commit",
      `the repository has no commit ${commit} on any branch or tag: push it first`,
    );
}

async function holds({ gitDir }: Mirror, commit: string, control: Control): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", `--contains=${commit}`];
  const call = { args, env: { GIT_DIR: gitDir }, okCodes: [0, 128, 129] };
  const { code, stdout } = await git(call, control);
  return code === 0 && stdout !== "";
}

const SIGN_OF_LIFE_MS = 5000;
const DEAD_AFTER_MS = 6 * SIGN_OF_LIFE_MS;

/** Runs `work` while holding the lock of the mirror. */
export async function inMirror<T>(
  { gitDir }: Mirror,
  work: () => Promise<T>,
  control: Control,
): Promise<T> {
  const lock = `${gitDir}.lock`;
  await mkdir(join(gitDir, ".."), { recursive: true });
  while (!(await take(lock))) {
    if (control.signal?.aborted === true)
      refuse("aborted", "stopped while waiting for another process to fetch");
    await sleep(50 + Math.random() * 100);
  }
  const signs = setInterval(() => {
    utimes(lock, new Date(), new Date()).catch(() => undefined);
  }, SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(signs);
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx")).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = await stat(lock).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs > DEAD_AFTER_MS && existsSync(lock))
    await rm(lock, { force: true });
  return false;
}
