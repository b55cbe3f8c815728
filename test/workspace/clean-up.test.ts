// proves: U6
import assert from "node:assert/strict";
import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  advance,
  cleanUp,
  diskUse,
  goodCommit,
  loadRun,
  markReady,
} from "../../src/workspace/index.ts";
import {
  openRun,
  publish,
  readSnapshot,
  resultTip,
  snapshot,
  type Run,
} from "../../src/workspace/index.ts";
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
} from "./fixture.ts";

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
  value(await cleanUp(run));
  assert.equal(existsSync(run.runDir), false);
  assert.deepEqual(fingerprint(root), before);
  assert.deepEqual(objectFiles(root), objects);
  assert.equal(kindOf(await loadRun(run.runDir)), "damaged-run");
});

test("unpublished work keeps a run until it is published or force is used", async () => {
  const root = repository();
  const run = await open(root);
  await work(run);
  assert.equal(kindOf(await cleanUp(run)), "unpublished-work");
  const plan = { subtask: "s", snapshot: "work", parent: run.base, message: "m", at: AT };
  const { commit } = value(await goodCommit(run, plan));
  value(await advance(run, { commit, expected: run.base }));
  assert.equal(kindOf(await cleanUp(run)), "unpublished-work");
  value(await publish(run));
  value(await cleanUp(run));
  assert.equal(git(root, "show", "unstuck/r1:work.ts"), "work");
  assert.equal(git(root, "for-each-ref", "refs/unstuck"), "");
  const forced = await open(root, { id: "r2" });
  await work(forced);
  chmodSync(join(forced.runDir, "slots/1/src"), 0o555);
  value(await cleanUp(forced, { force: true }));
  assert.equal(existsSync(forced.runDir), false);
});

test("a commit an agent made and nobody else has counts as work", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  write(worktree.path, { "idea.ts": "idea" });
  git(worktree.path, "add", "-A");
  git(worktree.path, "commit", "-q", "-m", "idea");
  git(worktree.path, "reset", "-q", "--hard", "HEAD~1");
  await lease(run, { id: "next" });
  assert.equal(kindOf(await cleanUp(run)), "unpublished-work");
});

test("a repository that is gone: snapshots still work, the run is kept, force removes it", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  rmSync(root, { recursive: true });
  write(worktree.path, { "work.ts": "work\n" });
  const taken = value(await snapshot(run, worktree, { label: "still", at: AT }));
  assert.equal(git(join(run.runDir, "clone.git"), "show", `${taken.tree}:work.ts`), "work");
  assert.equal(kindOf(await publish(run)), "repository-gone");
  assert.equal(kindOf(await cleanUp(run)), "unpublished-work");
  value(await cleanUp(run, { force: true }));
  assert.equal(existsSync(run.runDir), false);
});

test("disk use counts what is there", async () => {
  const run = await open(repository());
  const empty = await diskUse(run.runDir);
  const { worktree } = await lease(run);
  write(worktree.path, { "big.bin": Buffer.alloc(300_000, 7) });
  const used = await diskUse(run.runDir);
  assert.ok(used.slots - empty.slots >= 300_000);
  assert.ok(used.bytes >= used.slots + used.store + used.kept);
  assert.ok(statSync(run.runDir).isDirectory());
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
  value(await markReady(run, first.worktree, "setup 1"));
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
