// proves: U6
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  advance,
  goodCommit,
  inspect,
  merge,
  openRun,
  publish,
  resultTip,
  snapshot,
  type Run,
} from "../operations.ts";
import {
  AT,
  FILES,
  fingerprint,
  folder,
  git,
  kindOf,
  lease,
  open,
  repository,
  tree,
  value,
  write,
} from "../fixture.ts";

/** A whole small run: an edit in a slot, a good commit, the result published. */
async function workAndPublish(run: Run): Promise<string> {
  const { worktree } = await lease(run);
  value(await snapshot(run, worktree, { label: "s/1/before", at: AT, start: true }));
  write(worktree.path, { "made.txt": "made\n", "src/made.ts": "made\n" });
  value(await snapshot(run, worktree, { label: "s/1/after", at: AT }));
  const plan = { subtask: "s", snapshot: "s/1/after", parent: run.base, message: "made", at: AT };
  const { commit } = value(await goodCommit(run, plan));
  const tip = await resultTip(run);
  const merged = value(await merge(run, { into: tip, commit, message: "merge", at: AT }));
  assert.ok(merged.clean);
  value(await advance(run, { commit: merged.commit, expected: tip }));
  return value(await publish(run)).commit;
}

function onlyPinAndBranch(before: Record<string, string>, root: string): void {
  const now = fingerprint(root);
  for (const path of Object.keys(now))
    if (/\.git\/refs\/(unstuck\/r1\/base|heads\/unstuck\/r1)$/.test(path)) delete now[path];
  assert.deepEqual(now, before);
}

async function wholeRun(root: string, watched = root): Promise<{ run: Run; commit: string }> {
  const before = fingerprint(watched);
  const run = await open(root);
  const commit = await workAndPublish(run);
  onlyPinAndBranch(before, watched);
  assert.equal(git(root, "show", `${commit}:made.txt`), "made");
  assert.equal(git(root, "rev-parse", "unstuck/r1"), commit);
  return { run, commit };
}

test("a plain repository: one commit on top, nothing else touched, and it checks out whole", async () => {
  const root = repository();
  const { commit } = await wholeRun(root);
  assert.equal(git(root, "rev-parse", `${commit}^`), git(root, "rev-parse", "HEAD"));
  assert.equal(git(root, "fsck", "--full", "--strict"), "");
  assert.equal(
    git(root, "log", "-1", "--format=%an %ae %at", commit),
    `Ada ada@example.org ${AT / 1000}`,
  );
});

test("a dirty tree is listed, and is not part of a run from HEAD", async () => {
  const root = repository();
  write(root, { "src/a.ts": "unstaged", "staged.ts": "staged", "new/ä b.ts": "untracked" });
  git(root, "add", "staged.ts");
  write(root, { "staged.ts": "staged and then changed" });
  const found = value(await inspect(root));
  assert.deepEqual(found.dirty, {
    staged: ["staged.ts"],
    unstaged: ["src/a.ts", "staged.ts"],
    untracked: ["new/ä b.ts"],
    unmerged: [],
  });
  const { run } = await wholeRun(root);
  assert.equal(run.base, git(root, "rev-parse", "HEAD"));
});

test("with changes: the base holds staged, unstaged and new files, and outlives the user's gc", async () => {
  const root = repository();
  write(root, { "src/a.ts": "unstaged", "staged.ts": "staged", "new.ts": "new", "x.log": "no" });
  git(root, "rm", "-q", "--cached", "run.sh");
  git(root, "add", "staged.ts");
  const before = fingerprint(root);
  const run = await open(root, { base: "with-changes" });
  git(root, "reset", "-q");
  git(root, "-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now");
  const { worktree } = await lease(run);
  const theirs = tree(root);
  delete theirs["x.log"];
  assert.deepEqual(tree(worktree.path), theirs);
  assert.deepEqual(
    tree(root),
    Object.fromEntries(Object.entries(before).filter(([p]) => !p.startsWith(".git/"))),
  );
  assert.equal(git(worktree.path, "rev-parse", "HEAD^"), git(root, "rev-parse", "HEAD"));
});

test("no commit yet: an empty first commit is the base; with changes takes the files", async () => {
  const root = folder("unborn");
  git(root, "init", "-q");
  write(root, FILES);
  git(root, "add", "src");
  assert.equal(value(await inspect(root)).head.commit, null);
  const { run, commit } = await wholeRun(root);
  assert.equal(run.pinned, null);
  assert.equal(git(root, "ls-tree", "-r", "--name-only", commit), "made.txt\nsrc/made.ts");
  const changed = await open(root, { id: "r2", base: "with-changes" });
  const { worktree } = await lease(changed);
  assert.deepEqual(tree(worktree.path), tree(root));
});

test("a detached HEAD and a linked worktree", async () => {
  const root = repository();
  const linked = join(folder("linked"), "tree");
  git(root, "worktree", "add", "-q", "--detach", linked);
  write(linked, { "src/b c.ts": "dirty" });
  const found = value(await inspect(linked));
  assert.deepEqual([found.linkedWorktree, found.head.branch], [true, null]);
  const tracked = tree(linked);
  await wholeRun(linked, root);
  assert.deepEqual(tree(linked), tracked);
});

test("a branch and a tag that are named HEAD, and a commit that is replaced, do not hide which commit it is", async () => {
  const root = repository();
  const commit = git(root, "rev-parse", "HEAD");
  const other = git(root, "commit-tree", "-m", "other", git(root, "mktree", "--missing"));
  git(root, "replace", commit, other);
  assert.equal((await open(root)).base, commit);
  git(root, "replace", "-d", commit);
  for (const ref of ["refs/heads/HEAD", "refs/tags/HEAD"]) git(root, "update-ref", ref, other);
  assert.deepEqual(value(await inspect(root)).head, { commit, branch: "main" });
});

test("who signs commits is known, however the setting is written", async () => {
  const root = repository();
  assert.equal(value(await inspect(root)).signsCommits, false);
  for (const [written, signs] of [
    ["true", true],
    ["Yes", true],
    ["1", true],
    ["off", false],
    ["0", false],
  ] as const) {
    git(root, "config", "commit.gpgsign", written);
    assert.equal(value(await inspect(root)).signsCommits, signs, written);
  }
});

test("a shallow clone", async () => {
  const origin = repository();
  for (const name of ["one", "two"]) {
    write(origin, { [name]: name });
    git(origin, "add", "-A");
    git(origin, "commit", "-q", "-m", name);
  }
  const root = join(folder("shallow"), "clone");
  git(origin, "clone", "-q", "--depth=1", `file://${origin}`, root);
  assert.equal(value(await inspect(root)).shallow, true);
  const { run } = await wholeRun(root);
  const slot = join(run.runDir, "slots", "1");
  assert.equal(git(slot, "log", "--format=%s"), "two");
});

test("a partial clone works while HEAD is complete, and is refused when it is not", async () => {
  const origin = repository();
  write(origin, { "src/a.ts": "second\n" });
  git(origin, "commit", "-q", "-a", "-m", "second");
  const root = join(folder("partial"), "clone");
  git(origin, "clone", "-q", "--filter=blob:none", `file://${origin}`, root);
  assert.equal(value(await inspect(root)).partial, true);
  await wholeRun(root);
  const hollow = join(folder("hollow"), "clone");
  git(origin, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${origin}`, hollow);
  const plan = { id: "r1", repository: hollow, base: "head", at: AT } as const;
  assert.equal(kindOf(await openRun({ ...plan, runDir: folder() })), "objects-missing");
});

test("a repository with SHA-256 names, and one with a split index", async () => {
  const root = folder("sha256");
  git(root, "init", "-q", "--object-format=sha256");
  write(root, FILES);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  await wholeRun(root);
  const split = repository();
  git(split, "update-index", "--split-index");
  write(split, { "src/a.ts": "changed" });
  git(split, "add", "-A");
  assert.deepEqual(value(await inspect(split)).dirty.staged, ["src/a.ts"]);
  await wholeRun(split);
});

test("what cannot be worked on is refused with its kind, and nothing is left behind", async () => {
  const bare = folder("bare");
  git(bare, "init", "-q", "--bare");
  const plan = { id: "r1", base: "head", at: AT } as const;
  const at = async (path: string, more = {}): Promise<string> =>
    kindOf(await openRun({ ...plan, repository: path, runDir: folder(), ...more }));
  assert.equal(await at(bare), "bare-repository");
  assert.equal(await at(folder("none")), "not-a-repository");
  assert.equal(await at(join(folder(), "missing")), "not-a-repository");
  const root = repository();
  assert.equal(await at(join(root, ".git")), "not-a-repository");
  assert.equal(await at(root, { runDir: join(root, "inside") }), "run-inside-repository");
  git(root, "checkout", "-q", "-b", "side");
  write(root, { "src/a.ts": "side\n" });
  git(root, "commit", "-q", "-a", "-m", "side");
  git(root, "checkout", "-q", "main");
  write(root, { "src/a.ts": "main\n" });
  git(root, "commit", "-q", "-a", "-m", "main");
  assert.throws(() => git(root, "merge", "side"));
  assert.equal(value(await inspect(root)).operation, "merge");
  assert.equal(await at(root, { base: "with-changes" }), "unmerged-files");
  assert.equal(await at(root, { base: "with-changes", inPlace: true }), "unmerged-files");
  assert.equal(existsSync(join(root, ".git/refs/unstuck")), false);
  assert.equal(await at(root), "ok");
  git(root, "merge", "--abort");
  git(root, "sparse-checkout", "set", "src");
  assert.equal(await at(root, { id: "r2", inPlace: true }), "sparse-checkout");
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/gone\n");
  assert.equal(value(await inspect(root)).head.commit, null);
});
