/**
 * A repository behind a git address: resolving its refs, checking out exactly one commit by way of a cache, and pushing
 * a result. Invariants: a checkout shares objects with the cache by hard links and does not need the cache afterwards;
 * it is built aside and renamed, so an existing one is complete; only a commit of the result is pushed, only to a
 * branch `unstuck/...`, and only as a fast-forward.
 */
import { existsSync } from "node:fs";
import { mkdir, realpath, rename } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { type Control, withResult } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { forceRemove } from "../base/remove.ts";
import type { Run } from "../base/run-folder.ts";
import { requireAncestor, resultTip } from "../git/commits.ts";
import { cloneView } from "../git/git-dir.ts";
import { git, idOf } from "../git/git.ts";
import { fillMirror, inMirror, mirrorOf } from "./mirror.ts";
import { remoteGit, remoteWords, requireAddress } from "./remote-address.ts";

export interface RemoteCommit {
  readonly commit: string;
  /** The requested or default branch; null for a tag or a commit. */
  readonly branch: string | null;
}

const HEADS = "refs/heads/";
const WHOLE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The commit that a ref (a branch, a tag, a full ref; by default HEAD) points to now. */
export const resolveRemote = withResult(resolved);

async function resolved(url: string, ref?: string, control: Control = {}): Promise<RemoteCommit> {
  if (ref !== undefined && WHOLE.test(ref)) return { commit: ref, branch: null };
  if (ref !== undefined) requireRefName(ref);
  const names = ref === undefined ? ["HEAD"] : candidates(ref);
  const patterns = names.flatMap((name) => [name, `${name}^{}`]);
  const args = ["ls-remote", "--symref", "--", url, ...patterns];
  const { stdout } = await remoteGit(url, { args, env: {}, maxBytes: 4_000_000 }, control);
  const found = new Map<string, string>();
  for (const line of stdout.split("\n")) {
    const [id = "", name = ""] = line.split("\t");
    found.set(name === "HEAD" && id.startsWith("ref: ") ? "symref" : name, id);
  }
  for (const name of names) {
    const commit = found.get(`${name}^{}`) ?? found.get(name);
    if (commit === undefined || !WHOLE.test(commit)) continue;
    const full = name === "HEAD" ? (found.get("symref") ?? "").slice("ref: ".length) : name;
    return { commit, branch: full.startsWith(HEADS) ? full.slice(HEADS.length) : null };
  }
  return refuse(
    "no-such-commit",
    ref === undefined
      ? "the repository has no commits yet"
      : `the repository has no branch or tag ${ref}`,
  );
}

const candidates = (ref: string): string[] =>
  ref.startsWith("refs/") ? [ref] : [`${HEADS}${ref}`, `refs/tags/${ref}`];

/** Git would treat other names as patterns or options. */
function requireRefName(ref: string): void {
  const isPlain = /^[^\0-\x20\x7f~^:?*[\\-][^\0-\x20\x7f~^:?*[\\]{0,250}$/.test(ref);
  if (!isPlain || /\.\.|@\{|\/\/|\/$|\.lock$/.test(ref))
    refuse("no-such-commit", "no branch or tag can have this name");
}

export interface CheckoutPlan {
  readonly url: string;
  /** The exact commit; if absent, the one that `ref` points to now. */
  readonly commit?: string;
  readonly ref?: string;
  /** The folder of all mirrors. */
  readonly cacheFolder: string;
  /** Where to put the checkout; an existing one is kept. */
  readonly folder: string;
}

/** Submodules stay empty, and LFS files stay pointers. */
export const remoteCheckout = withResult(checkedOut);

async function checkedOut(plan: CheckoutPlan, control: Control = {}): Promise<RemoteCommit> {
  const { url, ref, folder, cacheFolder } = plan;
  requireAddress(url);
  if (ref !== undefined) requireRefName(ref);
  const known =
    plan.commit === undefined ? undefined : { commit: plan.commit, branch: ref ?? null };
  const wanted = known ?? (await resolved(url, ref, control));
  if (!WHOLE.test(wanted.commit)) refuse("no-such-commit", "give the full id of the commit");
  if (existsSync(folder)) return standing(folder, wanted, control);
  await mkdir(cacheFolder, { recursive: true });
  const mirror = mirrorOf(await realpath(cacheFolder), url);
  const aside = `${folder}.${randomUUID().slice(0, 8)}.new`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    await inMirror(
      mirror,
      async () => {
        await fillMirror(mirror, wanted.commit, control);
        const clone = [
          "clone",
          "-q",
          "--local",
          "--no-checkout",
          "--template=",
          "--no-single-branch",
        ];
        const args = [...clone, "--", mirror.gitDir, aside];
        await git({ args, env: {}, cwd: dirname(folder), config: "user" }, control);
      },
      control,
    );
    const env = { GIT_DIR: join(aside, ".git"), GIT_WORK_TREE: aside };
    await git({ args: ["config", "remote.origin.url", url], env }, control);
    const origin = `refs/remotes/origin/${wanted.branch ?? ""}`;
    const isBranch = wanted.branch !== null && (await idOf(env, origin, control)) !== null;
    const how =
      isBranch && wanted.branch !== null ? ["--no-track", "-B", wanted.branch] : ["--detach"];
    await git({ args: ["checkout", "-q", ...how, wanted.commit], env, config: "user" }, control);
    await rename(aside, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await forceRemove(aside);
  }
  return standing(folder, wanted, control);
}

async function standing(
  folder: string,
  { commit }: RemoteCommit,
  control: Control,
): Promise<RemoteCommit> {
  const env = { GIT_DIR: join(folder, ".git"), GIT_WORK_TREE: folder };
  const head = await idOf(env, "HEAD^{commit}", control);
  if (head !== commit)
    refuse(
      "worktree-replaced",
      `${folder} is checked out at ${head ?? "no commit"}, not at ${commit}; remove it to check it out again`,
    );
  const call = { args: ["symbolic-ref", "-q", "HEAD"], env, okCodes: [0, 1] };
  const name = (await git(call, control)).stdout.trim();
  return { commit, branch: name.startsWith(HEADS) ? name.slice(HEADS.length) : null };
}

export interface PushPlan {
  readonly url: string;
  readonly commit: string;
  /** `unstuck/<run>`; no other name is pushed. */
  readonly branch: string;
}

/** Pushes a commit of the result, without LFS objects; `moved` is false if the branch is already there. */
export const pushResult = withResult(
  (run: Run, plan: PushPlan, control: Control = {}): Promise<{ readonly moved: boolean }> =>
    pushed(run, plan, control),
);

async function pushed(
  run: Run,
  { url, commit, branch }: PushPlan,
  control: Control,
): Promise<{ readonly moved: boolean }> {
  if (!/^unstuck\/[A-Za-z0-9][\w-]{0,99}$/.test(branch))
    refuse("branch-in-the-way", "only branches named unstuck/<run> may be pushed");
  await requireAncestor({ ...run, control }, run.base, commit);
  await requireAncestor({ ...run, control }, commit, await resultTip(run));
  const options = ["--porcelain", "--no-follow-tags", "--recurse-submodules=no", "--no-force"];
  const args = ["push", ...options, "--", url, `${commit}:${HEADS}${branch}`];
  const call = { args, env: cloneView(run), okCodes: [0, 1] };
  const { code, stdout, stderr } = await remoteGit(url, call, control);
  if (code === 0) return { moved: !stdout.includes("\n=\t") && !stdout.startsWith("=\t") };
  if (/^!\t.*\[(?:rejected|remote rejected)\] \((?:fetch first|non-fast-forward)\)/m.test(stdout))
    refuse(
      "ref-moved",
      `the remote branch ${branch} has commits that are not from this run, so it was left alone; rename or delete it, then publish again`,
    );
  return refuse("remote-failed", remoteWords(url, `${stdout}\n${stderr}`));
}
