// proves: B3, U6
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  advance,
  goodCommit,
  lastGood,
  lineStat,
  merge,
  publish,
  readSnapshot,
  resultTip,
  rollback,
  type Run,
  snapshot,
  type Worktree,
} from "../operations.ts";
import { AT, git, kindOf, lease, open, repository, tree, value, write } from "../fixture.ts";

const clone = (run: Run): string => join(run.runDir, "clone.git");

async function commit(run: Run, worktree: Worktree, subtask: string, parent: string, n = 1) {
  const label = `${subtask}/${n}/after`;
  value(await snapshot(run, worktree, { label, at: AT }));
  return value(
    await goodCommit(run, { subtask, snapshot: label, parent, message: subtask, at: AT }),
  );
}

async function edit(run: Run, subtask: string, files: Record<string, string>): Promise<string> {
  const { worktree } = await lease(run, { id: `lease ${subtask}` });
  write(worktree.path, files);
  return (await commit(run, worktree, subtask, run.base)).commit;
}

test("rollback: only to a commit that exists on the line from base to tip, after a snapshot", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  write(worktree.path, { "good.ts": "good\n" });
  const good = await commit(run, worktree, "s", run.base);
  assert.equal(await lastGood(run, "s"), good.commit);
  const goodTree = tree(worktree.path);
  write(worktree.path, {
    "good.ts": "broken",
    "stray/untracked.ts": "work",
    "src/a.ts": "x",
    "kept.log": "log",
  });
  git(worktree.path, "add", "-A");
  git(worktree.path, "commit", "-q", "-m", "an agent's own commit");
  const wrecked = tree(worktree.path);
  const other = await open(root, { id: "r2" });
  const roll = async (target: string, tip = good.commit): Promise<string> =>
    kindOf(await rollback(run, worktree, { id: "back", at: AT, commit: target, tip }));
  assert.equal(await roll("f".repeat(40)), "no-such-commit");
  assert.equal(await roll(good.commit, run.base), "not-an-ancestor");
  const foreign = git(root, "commit-tree", "-m", "unrelated", "HEAD^{tree}");
  assert.equal(await roll(foreign), "not-an-ancestor");
  assert.deepEqual(tree(worktree.path), wrecked);
  assert.equal(await roll(good.commit), "ok");
  const now = tree(worktree.path);
  assert.ok("kept.log" in now, "ignored files stay");
  delete now["kept.log"];
  assert.deepEqual(now, goodTree);
  assert.equal(git(worktree.path, "rev-parse", "HEAD"), good.commit);
  assert.equal(git(worktree.path, "status", "--porcelain"), "");
  const rescue = value(await readSnapshot(run, "back.rescue"));
  assert.match(git(clone(run), "show", `${rescue.commit}:stray/untracked.ts`), /work/);
  assert.equal(other.base, run.base);
});

test("a good commit is repeatable, moves its ref only from its parent, and may be empty", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  assert.deepEqual(await commit(run, worktree, "none", run.base), {
    commit: run.base,
    changed: false,
  });
  write(worktree.path, { "one.ts": "1\n", "x.log": "ignored", "run.sh": "x:#!/bin/sh\necho\n" });
  const first = await commit(run, worktree, "s", run.base);
  assert.deepEqual(await commit(run, worktree, "s", run.base), first);
  assert.equal(git(clone(run), "diff", "--name-only", run.base, first.commit), "one.ts\nrun.sh");
  write(worktree.path, { "two.ts": "2\n" });
  const second = await commit(run, worktree, "s", first.commit, 2);
  assert.equal(git(clone(run), "rev-parse", `${second.commit}^`), first.commit);
  write(worktree.path, { "three.ts": "3\n" });
  value(await snapshot(run, worktree, { label: "s/3/after", at: AT }));
  const stale = { subtask: "s", snapshot: "s/3/after", parent: first.commit, message: "", at: AT };
  assert.equal(kindOf(await goodCommit(run, stale)), "ref-moved");
  assert.equal(
    kindOf(await goodCommit(run, { ...stale, snapshot: "nowhere" })),
    "no-such-snapshot",
  );
});

test("a commit has the line endings the repository's attributes ask for", async () => {
  const files = { "a.txt": "a\n", "b.bat": "b\n", "c.bin": "c\r\n" };
  const run = await open(
    repository({ ".gitattributes": "*.txt text\n*.bat text eol=crlf\n", ...files }),
  );
  const { worktree } = await lease(run);
  write(worktree.path, { "a.txt": "a\r\nmore\r\n", "b.bat": "b\r\n", "c.bin": "c\r\nd\r\n" });
  const { commit: made } = await commit(run, worktree, "s", run.base);
  const names = git(clone(run), "diff", "--name-only", run.base, made).split("\n");
  assert.deepEqual(names, ["a.txt", "c.bin"]);
  assert.equal(git(clone(run), "cat-file", "-p", `${made}:a.txt`), "a\nmore");
  assert.equal(git(clone(run), "cat-file", "-p", `${made}:c.bin`), "c\r\nd");
});

test("a commit leaves out what the tree's own new rules ignore; the snapshot has it", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const files = { ".gitignore": "dist/\n", "dist/out.js": "built", ":(top)odd": "odd\n" };
  write(worktree.path, files);
  const { commit: made } = await commit(run, worktree, "s", run.base);
  const names = git(clone(run), "diff", "--name-only", run.base, made).split("\n");
  assert.deepEqual(names, [".gitignore", ":(top)odd"]);
  const taken = value(await readSnapshot(run, "s/1/after"));
  assert.equal(git(clone(run), "cat-file", "-p", `${taken.tree}:dist/out.js`), "built");
});

test("merges: fast forward, clean, conflicting; the result moves only from what was expected", async () => {
  const run = await open(repository());
  const one = await edit(run, "one", { "one.ts": "1\n", "src/a.ts": "one\n" });
  const two = await edit(run, "two", { "two.ts": "2\n" });
  const clash = await edit(run, "three", { "src/a.ts": "three\n" });
  const plan = { message: "merge", at: AT };
  assert.deepEqual(value(await merge(run, { into: run.base, commit: one, ...plan })), {
    clean: true,
    commit: one,
  });
  value(await advance(run, { commit: one, expected: run.base }));
  const merged = value(await merge(run, { into: one, commit: two, ...plan }));
  assert.ok(merged.clean);
  const parents = git(clone(run), "log", "-1", "--format=%P", merged.commit);
  assert.equal(parents, `${one} ${two}`);
  const { worktree } = await lease(run, { id: "check", slot: "2", commit: merged.commit });
  assert.equal(readFileSync(join(worktree.path, "one.ts"), "utf8"), "1\n");
  assert.equal(readFileSync(join(worktree.path, "two.ts"), "utf8"), "2\n");
  assert.equal(
    kindOf(await advance(run, { commit: merged.commit, expected: run.base })),
    "ref-moved",
  );
  value(await advance(run, { commit: merged.commit, expected: one }));
  value(await advance(run, { commit: merged.commit, expected: one }));
  assert.deepEqual(value(await merge(run, { into: merged.commit, commit: two, ...plan })), merged);
  assert.deepEqual(value(await merge(run, { into: merged.commit, commit: clash, ...plan })), {
    clean: false,
    conflicts: ["src/a.ts"],
  });
  assert.equal(await resultTip(run), merged.commit);
  const stat = value(await lineStat(run, { from: run.base, to: merged.commit }));
  assert.deepEqual(stat, { files: ["one.ts", "src/a.ts", "two.ts"], added: 3, removed: 1 });
});

test("content the user has on another branch is in the run's own store too", async () => {
  const root = repository();
  git(root, "checkout", "-q", "-b", "idea");
  write(root, { "idea/long.ts": "the same text\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "idea");
  git(root, "checkout", "-q", "main");
  const run = await open(root);
  const made = await edit(run, "s", { "idea/long.ts": "the same text\n" });
  const other = await edit(run, "t", { "other.ts": "other\n" });
  const merged = value(await merge(run, { into: made, commit: other, message: "m", at: AT }));
  assert.ok(merged.clean);
  git(root, "branch", "-q", "-D", "idea");
  git(root, "reflog", "expire", "--expire=all", "--all");
  git(root, "gc", "-q", "--prune=now");
  assert.equal(git(clone(run), "fsck", "--full", "--no-dangling"), "");
  const { worktree } = await lease(run, { id: "look", slot: "2", commit: merged.commit });
  assert.equal(readFileSync(join(worktree.path, "idea/long.ts"), "utf8"), "the same text\n");
});

test("publish follows the result, and never moves a branch that is the user's by now", async () => {
  const root = repository();
  const run = await open(root);
  assert.equal(value(await publish(run)).commit, run.base);
  const one = await edit(run, "one", { "one.ts": "1\n" });
  value(await advance(run, { commit: one, expected: run.base }));
  assert.equal(value(await publish(run)).commit, one);
  value(await publish(run));
  git(root, "checkout", "-q", "unstuck/r1");
  write(root, { "mine.ts": "mine\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "mine");
  const mine = git(root, "rev-parse", "HEAD");
  const { worktree } = await lease(run, { id: "again", slot: "1", commit: one });
  write(worktree.path, { "two.ts": "2\n" });
  const two = (await commit(run, worktree, "two", one)).commit;
  value(await advance(run, { commit: two, expected: one }));
  assert.equal(kindOf(await publish(run)), "ref-moved");
  git(root, "reset", "-q", "--hard", one);
  assert.equal(kindOf(await publish(run)), "branch-checked-out");
  git(root, "checkout", "-q", "main");
  assert.equal(value(await publish(run)).commit, two);
  assert.equal(git(root, "rev-parse", "unstuck/r1"), two);
  assert.equal(existsSync(join(root, "two.ts")), false);
  assert.notEqual(mine, two);
});
