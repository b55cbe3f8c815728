// proves: U6
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { diskBytes } from "../../../src/workspace/base/files.ts";
import {
  advance,
  cleanUp,
  goodCommit,
  loadRun,
  lossOf,
  markReady,
  openRun,
  publish,
  readSnapshot,
  restore,
  resultTip,
  snapshot,
  type Loss,
  type Run,
} from "../operations.ts";
import {
  AT,
  fingerprint,
  folder,
  git,
  kindOf,
  lease,
  objectFiles,
  open,
  repository,
  tree,
  value,
  write,
} from "../fixture.ts";

const NOTHING = { commits: 0, branch: null, attempts: 0, snapshots: 0, aside: false };

const loss = async (run: Run): Promise<Loss> => value(await lossOf(run, { done: [] }));

async function work(run: Run): Promise<void> {
  const { worktree } = await lease(run);
  write(worktree.path, { "work.ts": "work\n" });
  value(await snapshot(run, worktree, { label: "work", at: AT }));
}

test("a run without work is removed with its pin; the user's repository is as before", async () => {
  const root = repository();
  const before = fingerprint(root);
  const objects = objectFiles(root);
  const run = await open(root);
  const { worktree } = await lease(run);
  value(await snapshot(run, worktree, { label: "nothing new", at: AT, start: true }));
  assert.deepEqual(await loss(run), NOTHING);
  value(await cleanUp(run));
  assert.equal(existsSync(run.runDir), false);
  assert.deepEqual(fingerprint(root), before);
  assert.deepEqual(objectFiles(root), objects);
  assert.equal(kindOf(await loadRun(run.runDir)), "damaged-run");
});

test("work is missed until a branch of the user's has it; then the run goes with its branch", async () => {
  const root = repository();
  const run = await open(root);
  await work(run);
  assert.deepEqual(await loss(run), { ...NOTHING, snapshots: 1 });
  const plan = { subtask: "s", snapshot: "work", parent: run.base, message: "m", at: AT };
  const { commit } = value(await goodCommit(run, plan));
  value(await advance(run, { commit, expected: run.base }));
  assert.deepEqual(await loss(run), { ...NOTHING, commits: 1 });
  value(await publish(run));
  assert.deepEqual(await loss(run), { ...NOTHING, commits: 1, branch: "unstuck/r1" });
  git(root, "branch", "mine", "unstuck/r1");
  assert.deepEqual(await loss(run), NOTHING);
  assert.equal(value(await cleanUp(run)), null);
  assert.equal(git(root, "show", "mine:work.ts"), "work");
  assert.equal(git(root, "for-each-ref", "refs/unstuck", "refs/heads/unstuck"), "");
});

test("work counts as applied by the same patch, and by the same files in one commit; not by half of them", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  const files = { "one.ts": "one\n", "two.ts": "two\n" };
  write(worktree.path, files);
  value(await snapshot(run, worktree, { label: "work", at: AT }));
  const plan = { subtask: "s", snapshot: "work", parent: run.base, message: "m", at: AT };
  const { commit } = value(await goodCommit(run, plan));
  value(await advance(run, { commit, expected: run.base }));
  write(root, { "one.ts": "one\n", "else.ts": "else\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "half");
  assert.equal((await loss(run)).commits, 1);
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "both");
  write(root, { "two.ts": "changed on\n" });
  git(root, "commit", "-q", "-a", "-m", "later");
  assert.equal((await loss(run)).commits, 0);
});

test("a branch with commits of the user's stays, and one that is checked out", async () => {
  const root = repository();
  for (const [id, why] of [
    ["r1", "foreign-commits"],
    ["r2", "checked-out"],
  ] as const) {
    const run = await open(root, { id });
    await work(run);
    const plan = { subtask: "s", snapshot: "work", parent: run.base, message: "m", at: AT };
    const { commit } = value(await goodCommit(run, plan));
    value(await advance(run, { commit, expected: run.base }));
    value(await publish(run));
    git(root, "checkout", "-q", `unstuck/${id}`);
    if (id === "r1") git(root, "commit", "-q", "--allow-empty", "-m", "mine");
    if (id === "r1") git(root, "checkout", "-q", "main");
    const stays = value(await cleanUp(run));
    assert.deepEqual([stays?.name, stays?.why], [`unstuck/${id}`, why]);
  }
  assert.equal(git(root, "for-each-ref", "refs/unstuck"), "");
});

test("folders that are read-only, or deeper than the longest path, do not stop a removal", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  chmodSync(join(worktree.path, "src"), 0o555);
  const steps =
    "n=$(printf %0200d 7); i=0; while [ $i -lt 40 ]; do mkdir $n && cd -P $n || exit 9; i=$((i+1)); done; touch f; chmod 500 .";
  execFileSync("sh", ["-c", steps], { cwd: worktree.path });
  value(await cleanUp(run));
  assert.equal(existsSync(run.runDir), false);
});

test("a slot is reset whatever is too deep in it, ignored or not, and a restore brings the rest back", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const steps = (top: string): string =>
    `mkdir ${top} && cd ${top}; n=$(printf %0200d 7); i=0; while [ $i -lt 40 ]; do mkdir $n && cd -P $n || exit 9; i=$((i+1)); done; touch f`;
  for (const top of ["node_modules", "deep"])
    execFileSync("sh", ["-c", steps(top)], { cwd: worktree.path });
  write(worktree.path, { "deep/beside.ts": "beside\n" });
  const taken = value(await snapshot(run, worktree, { label: "deep", at: AT }));
  assert.deepEqual(
    taken.skipped.map(({ path, reason }) => [path.slice(0, 10), reason]),
    [["deep/00000", "too-deep"]],
  );
  const again = await lease(run, { id: "lease-2" });
  assert.deepEqual(tree(again.worktree.path), tree(run.root));
  value(await restore(run, again.worktree, { id: "back", at: AT, snapshot: "deep" }));
  assert.equal(readFileSync(join(worktree.path, "deep/beside.ts"), "utf8"), "beside\n");
});

test("a commit an agent made and nobody else has counts as work", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  write(worktree.path, { "idea.ts": "idea" });
  git(worktree.path, "add", "-A");
  git(worktree.path, "commit", "-q", "-m", "idea");
  git(worktree.path, "reset", "-q", "--hard", "HEAD~1");
  await lease(run, { id: "next" });
  assert.equal((await loss(run)).aside, true);
});

test("a repository that is gone: snapshots still work, its work would be missed, and it can be removed", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  rmSync(root, { recursive: true });
  write(worktree.path, { "work.ts": "work\n" });
  const taken = value(await snapshot(run, worktree, { label: "still", at: AT }));
  assert.equal(git(join(run.runDir, "clone.git"), "show", `${taken.tree}:work.ts`), "work");
  assert.equal(kindOf(await publish(run)), "repository-gone");
  assert.deepEqual(await loss(run), { ...NOTHING, snapshots: 1 });
  value(await cleanUp(run));
  assert.equal(existsSync(run.runDir), false);
});

test("what a folder takes on the disk counts all that is in it", async () => {
  const run = await open(repository());
  const empty = await diskBytes(run.runDir);
  const { worktree } = await lease(run);
  write(worktree.path, { "big.bin": Buffer.alloc(300_000, 7) });
  const used = await diskBytes(run.runDir);
  assert.ok(used - empty >= 300_000);
  assert.ok(used >= (await diskBytes(worktree.path)));
});

test("a slot keeps its path and what its setup made, and is otherwise reset", async () => {
  const run = await open(repository());
  const first = await lease(run);
  assert.equal(first.ready, null);
  write(first.worktree.path, {
    "node_modules/p/i.js": "p",
    "cache/.gitignore": "*",
    "cache/c": "c",
  });
  value(await markReady(run, first.worktree, { ready: "setup 1", hasSetUp: true }));
  write(first.worktree.path, { "stray.ts": "s", "debug.log": "l", "src/a.ts": "edited" });
  const second = await lease(run, { id: "lease-2" });
  assert.deepEqual([second.ready, second.worktree], ["setup 1", first.worktree]);
  const files = tree(second.worktree.path);
  assert.deepEqual(
    Object.keys(files).filter((path) => !(path in tree(run.root))),
    ["cache/.gitignore", "cache/c", "node_modules/p/i.js"],
  );
  const rescue = value(await readSnapshot(run, "lease-2.rescue"));
  assert.equal(git(join(run.runDir, "clone.git"), "show", `${rescue.tree}:stray.ts`), "s");
  write(second.worktree.path, { "src/a.ts": "work in progress" });
  await lease(run, { id: "lease-2" });
  assert.notDeepEqual(tree(second.worktree.path), files);
});

test("opening again gives the same run, also after HEAD moved; an aborted one stops", async () => {
  const root = repository();
  const run = await open(root);
  git(root, "commit", "-q", "--allow-empty", "-m", "moved");
  assert.deepEqual(await open(root, { runDir: run.runDir }), run);
  assert.equal(await resultTip(run), run.base);
  const runDir = folder();
  const plan = { id: "r1", repository: root, runDir, base: "head", at: AT } as const;
  const cut = await openRun(plan, { signal: AbortSignal.abort() });
  assert.equal(kindOf(cut), "aborted");
  assert.equal(value(await openRun(plan)).base, run.base);
});
