// proves: U6
import assert from "node:assert/strict";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import {
  advance,
  apply,
  checkoutWorktree,
  goodCommit,
  restore,
  type Result,
  resultTip,
  rollback,
  type Run,
  snapshot,
  undoApply,
} from "../operations.ts";
import {
  AT,
  fingerprint,
  git,
  kindOf,
  lease,
  open,
  repository,
  tree,
  value,
  write,
} from "../fixture.ts";

let leases = 0;
/** Does the files in a slot and makes them the run's result. */
async function result(run: Run, files: Record<string, string>, gone: string[] = []): Promise<void> {
  leases += 1;
  const id = `work ${leases}`;
  const tip = await resultTip(run);
  const { worktree } = await lease(run, { id, commit: tip });
  write(worktree.path, files);
  for (const path of gone) rmSync(join(worktree.path, path));
  value(await snapshot(run, worktree, { label: id, at: AT }));
  const plan = { subtask: id, snapshot: id, parent: tip, message: "agent's work", at: AT };
  const { commit } = value(await goodCommit(run, plan));
  value(await advance(run, { commit, expected: tip }));
}

const go = (run: Run, options = {}) => apply(run, { at: AT, ...options });
const filesOf = (outcome: Result<unknown>) => (outcome.ok ? [] : outcome.refusal.files);
const read = (root: string, path: string): string => readFileSync(join(root, path), "utf8");
const FILES = { "new.ts": "new\n", "src/a.ts": "agent\n" };

test("apply moves the branch, keeps other dirty files, says it before; undo takes it back", async () => {
  const root = repository();
  const run = await open(root);
  await result(run, FILES, ["run.sh"]);
  write(root, {
    "src/b c.ts": "mine, unstaged\n",
    "staged.ts": "mine, staged\n",
    "x.log": "ignored",
  });
  git(root, "add", "staged.ts");
  writeFileSync(join(root, ".git/hooks/post-checkout"), "#!/bin/sh\ntouch hook-ran\n");
  chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
  const before = fingerprint(root);
  const dry = value(await go(run, { dryRun: true }));
  assert.deepEqual(dry.stat.files, ["new.ts", "run.sh", "src/a.ts"]);
  assert.deepEqual([dry.stat.added, dry.stat.removed, dry.rescue], [2, 2, null]);
  assert.deepEqual(fingerprint(root), before);
  const done = value(await go(run));
  assert.equal(done.head, git(root, "rev-parse", "main"));
  assert.equal(git(root, "log", "--format=%s"), "agent's work\nfirst");
  assert.equal(
    git(root, "status", "--porcelain"),
    'M "src/b c.ts"\nA  staged.ts'.replace(/^/, " ").trim(),
  );
  const again = value(await go(run));
  assert.deepEqual([again.outcome, again.stat.files, again.rescue], ["there", [], null]);
  write(root, { "later.ts": "after the apply\n", "new.ts": "edited since\n" });
  const edited = await undoApply(run, { at: AT });
  assert.deepEqual([kindOf(edited), filesOf(edited)], ["changed-since", ["new.ts"]]);
  write(root, { "new.ts": "new\n" });
  value(await undoApply(run, { at: AT }));
  assert.equal(read(root, "later.ts"), "after the apply\n");
  rmSync(join(root, "later.ts"));
  const after = fingerprint(root);
  for (const path of [...Object.keys(after), ...Object.keys(before)])
    if (/^\.git\/(logs\/|index$|refs\/unstuck)/.test(path)) {
      delete after[path];
      delete before[path];
    }
  assert.deepEqual(after, before);
  assert.equal(git(root, "diff", "--cached", "--name-only"), "staged.ts");
});

test("undo right away gives back the very same index", async () => {
  const root = repository();
  const run = await open(root);
  await result(run, FILES);
  const index = readFileSync(join(root, ".git/index"));
  value(await go(run));
  value(await undoApply(run, { at: AT }));
  assert.deepEqual(readFileSync(join(root, ".git/index")), index);
  assert.equal(git(root, "status", "--porcelain"), "");
  assert.equal(kindOf(await undoApply(run, { at: AT })), "not-applied");
});

test("squash leaves one set of staged changes and HEAD where it is", async () => {
  const root = repository();
  const head = git(root, "rev-parse", "HEAD");
  const run = await open(root);
  await result(run, FILES);
  await result(run, { "new.ts": "second\n" });
  value(await go(run, { squash: true }));
  assert.equal(git(root, "rev-parse", "HEAD"), head);
  assert.equal(git(root, "diff", "--cached", "--name-only"), "new.ts\nsrc/a.ts");
  assert.equal(git(root, "diff", "--name-only"), "");
  value(await undoApply(run, { at: AT }));
  assert.equal(git(root, "status", "--porcelain"), "");
});

if (!FULL) test("every other kind of dirt", inLargeForm("workspace"));

test("overlapping files are refused and nothing changes, whatever kind of dirty they are", async () => {
  const dirt: [string, (root: string) => void, string[]][] = [
    ["unstaged", (root) => write(root, { "src/a.ts": "mine\n" }), ["src/a.ts"]],
    [
      "staged",
      (root) => {
        write(root, { "src/a.ts": "mine\n" });
        git(root, "add", "-A");
      },
      ["src/a.ts"],
    ],
    ["deleted", (root) => rmSync(join(root, "src/a.ts")), ["src/a.ts"]],
    ["executable", (root) => chmodSync(join(root, "src/a.ts"), 0o755), ["src/a.ts"]],
    ["untracked", (root) => write(root, { "new.ts": "mine\n" }), ["new.ts"]],
    ["ignored", (root) => write(root, { "made.log": "mine\n" }), ["made.log"]],
    ["a file for a folder", (root) => write(root, { deep: "mine\n" }), ["deep"]],
    ["an ignored file for a folder", (root) => write(root, { "d.log": "mine\n" }), ["d.log"]],
  ];
  for (const [name, make, files] of FULL ? dirt : dirt.filter((_, index) => index % 3 === 0)) {
    const root = repository();
    const run = await open(root);
    await result(run, { ...FILES, "deep/x.ts": "x\n", ".gitignore": "node_modules/\n" });
    await result(run, { "made.log": "log\n", "d.log/x.ts": "x\n" });
    make(root);
    const before = fingerprint(root);
    const outcome = await go(run);
    assert.deepEqual([kindOf(outcome), filesOf(outcome)], ["overlap", files], name);
    assert.deepEqual(fingerprint(root), before, name);
  }
});

test("a dirty file that already is what the result wants is no obstacle", async () => {
  const root = repository();
  const run = await open(root);
  await result(run, FILES);
  write(root, FILES);
  value(await go(run));
  assert.equal(git(root, "status", "--porcelain"), "");
});

test("a base that moved is merged; a conflict is refused with its files", async () => {
  const root = repository();
  const run = await open(root);
  await result(run, FILES);
  write(root, { "theirs.ts": "theirs\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "moved on");
  const done = value(await go(run));
  assert.equal(git(root, "log", "-1", "--format=%P", done.head ?? "").split(" ").length, 2);
  assert.deepEqual([read(root, "theirs.ts"), read(root, "new.ts")], ["theirs\n", "new\n"]);
  assert.equal(git(root, "status", "--porcelain"), "");
  git(root, "reset", "-q", "--hard", "HEAD~1");
  write(root, { "src/a.ts": "theirs\n" });
  git(root, "commit", "-q", "-a", "-m", "conflicting");
  const before = fingerprint(root);
  const outcome = await go(run);
  assert.deepEqual([kindOf(outcome), filesOf(outcome)], ["conflict", ["src/a.ts"]]);
  assert.deepEqual(fingerprint(root), before);
});

test("with changes: the dirty files the run started from are taken over, later edits are not", async () => {
  const root = repository();
  write(root, { "src/a.ts": "mine\n", "extra.ts": "mine too\n" });
  const run = await open(root, { base: "with-changes" });
  await result(run, { "src/a.ts": "mine\nand the agent's\n", "new.ts": "new\n" });
  write(root, { "extra.ts": "edited after the start\n", "src/a.ts": "mine, later\n" });
  const outcome = await go(run, { squash: true });
  assert.deepEqual([kindOf(outcome), filesOf(outcome)], ["overlap", ["src/a.ts"]]);
  write(root, { "src/a.ts": "mine\n" });
  value(await go(run, { squash: true }));
  assert.equal(read(root, "src/a.ts"), "mine\nand the agent's\n");
  assert.equal(read(root, "extra.ts"), "edited after the start\n");
  value(await undoApply(run, { at: AT }));
  assert.deepEqual(
    [read(root, "src/a.ts"), read(root, "extra.ts")],
    ["mine\n", "edited after the start\n"],
  );
  assert.equal(git(root, "status", "--porcelain"), "M src/a.ts\n?? extra.ts");
});

test("no commit yet, a detached HEAD, a branch that moved since, a merge under way", async () => {
  const root = repository();
  git(root, "checkout", "-q", "--orphan", "fresh");
  git(root, "rm", "-rfq", ".");
  const run = await open(root);
  await result(run, FILES);
  value(await go(run));
  assert.equal(
    git(root, "log", "--format=%s", "fresh"),
    "agent's work\nEmpty start: the repository had no commit yet",
  );
  git(root, "checkout", "-q", "--detach");
  await result(run, { "more.ts": "more\n" });
  value(await go(run));
  assert.equal(git(root, "rev-parse", "HEAD"), await resultTip(run));
  git(root, "commit", "-q", "--allow-empty", "-m", "on top");
  assert.equal(kindOf(await undoApply(run, { at: AT })), "ref-moved");
  assert.equal(read(root, "more.ts"), "more\n");
  writeFileSync(join(root, ".git/MERGE_HEAD"), `${git(root, "rev-parse", "HEAD")}\n`);
  assert.equal(kindOf(await go(run)), "busy-repository");
});

for (const [name, attributes] of [
  ["plain", ""],
  ["with line-ending rules", "* text=auto\n*.bat text eol=crlf\n"],
] as const)
  test(`in place, ${name}: snapshots, rollback and restore of the user's own checkout`, async () => {
    const root = repository({ "a.ts": "a\n", "b.bat": "b\r\n", ".gitattributes": attributes });
    write(root, { "mine.ts": "untracked\n", "a.ts": "mine\r\n" });
    git(root, "add", "a.ts");
    git(root, "update-index", "--assume-unchanged", "b.bat");
    write(root, { "b.bat": "hidden edit\r\n" });
    const run = await open(root, { inPlace: true });
    const worktree = checkoutWorktree(run);
    const before = fingerprint(root);
    value(await snapshot(run, worktree, { label: "start", at: AT, start: true }));
    write(root, { "a.ts": "agent\n", "b.bat": "agent\n", "agent.ts": "agent\n" });
    git(root, "add", "-A");
    git(root, "gc", "-q", "--prune=now");
    const messy = tree(root);
    const back = { id: "back", at: AT, commit: run.base, tip: run.base };
    value(await rollback(run, worktree, back));
    assert.deepEqual(Object.keys(tree(root)), [".gitattributes", "a.ts", "b.bat"]);
    value(await restore(run, worktree, { id: "again", at: AT, snapshot: "back.rescue" }));
    assert.deepEqual(tree(root), messy);
    value(await restore(run, worktree, { id: "undo", at: AT, snapshot: "start" }));
    const checkout = Object.fromEntries(
      Object.entries(before).filter(([path]) => !path.startsWith(".git/")),
    );
    assert.deepEqual(tree(root), checkout);
  });
