// proves: U6
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FULL, inLargeForm } from "../large-form.ts";
import {
  goodCommit,
  leaseSlot,
  restore,
  rollback,
  type Run,
  slotEnvironment,
  snapshot,
  type Worktree,
} from "./operations.ts";
import {
  AT,
  fingerprint,
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

/** Runs a shell line as an agent would, in its slot; its exit code does not matter. */
function agent(run: Run, worktree: Worktree, line: string): void {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...slotEnvironment(run, worktree) };
  try {
    execFileSync("sh", ["-c", line], { cwd: worktree.path, env, stdio: "ignore" });
  } catch {
    // a refused push is the point of some of these
  }
}

const LINES = [
  "git stash -u && git stash drop",
  "git config core.worktree / && git config core.hooksPath /tmp && git config core.bare true",
  "git config filter.x.clean 'rm -rf .' && echo '* filter=x' > .gitattributes",
  "git add -A && git commit -qm mine && git reset -q --hard HEAD~1; git reflog expire --expire=all --all; git gc -q --prune=now",
  "git for-each-ref --format='delete %(refname)' | git update-ref --stdin; git gc -q --prune=now",
  "git branch -D main unstuck/r1; git checkout -q --detach; git branch -D unstuck/r1",
  "git push -q --force origin HEAD:refs/heads/main HEAD:refs/unstuck/base; git push -q --mirror origin",
  'git push -q --force "$(git config remote.origin.url)" HEAD:refs/unstuck/snap/before +HEAD:refs/heads/main',
  "git worktree prune; git worktree add -q ../../outside; rm -rf .git/worktrees",
  "git checkout -qf --orphan x && git rm -rfq . && git clean -ffdxq",
  "rm -rf .git",
  "rm -rf .git && git init -q && git add -A && git commit -qm own",
  "rm -rf .git && ln -s / .git",
  "rm -rf .git && echo 'gitdir: /nowhere' > .git",
  "rm -rf .git/objects/info .git/refs && mkdir .git/refs && touch .git/index.lock .git/HEAD.lock",
  "find . -mindepth 1 -delete",
  "mkdir -p ro/deep && touch ro/deep/x && chmod 555 ro/deep ro",
  "rm -f work.ts src/a.ts && chmod 555 src .",
];

/** Every second one in the small form; there the property test has some of the others. */
const SOME_LINES = LINES.filter((_, index) => FULL || index % 2 === 0);
if (!FULL) test("every other line of an agent's", inLargeForm("workspace"));

test("nothing an agent's git does in a slot reaches the user, the snapshots or another slot", async () => {
  const root = repository();
  write(root, { "src/a.ts": "dirty", untracked: "untracked", "x.log": "ignored" });
  git(root, "add", "src/a.ts");
  git(root, "stash", "push", "-q", "-m", "the user's");
  write(root, { "run.sh": "x:changed" });
  const before = fingerprint(root);
  const run = await open(root);
  const objects = objectFiles(root);
  const { worktree } = await lease(run);
  const other = (await lease(run, { slot: "2", id: "other" })).worktree;
  write(other.path, { "neighbour.ts": "work" });
  git(other.path, "stash", "push", "-q", "-u", "-m", "the neighbour's");
  const neighbour = fingerprint(other.path);
  write(worktree.path, { "work.ts": "work", "src/a.ts": "edited" });
  const state = tree(worktree.path);
  value(await snapshot(run, worktree, { label: "before", at: AT, start: true }));
  for (const [index, line] of SOME_LINES.entries()) {
    agent(run, worktree, line);
    value(await snapshot(run, worktree, { label: `after ${index}`, at: AT }));
    value(await restore(run, worktree, { id: `restore ${index}`, at: AT, snapshot: "before" }));
    assert.deepEqual(tree(worktree.path), state, line);
    value(await snapshot(run, worktree, { label: `next ${index}`, at: AT, start: true }));
    if (!existsSync(join(worktree.path, ".git/index.lock")))
      assert.equal(existsSync(join(worktree.path, ".git/HEAD")), true, line);
    if (index % 4 !== 3) continue;
    const plan = { slot: "1", commit: run.base, id: `lease ${index}`, at: AT };
    value(await leaseSlot(run, plan));
    assert.equal(git(worktree.path, "status", "--porcelain"), "", line);
    value(await restore(run, worktree, { id: `again ${index}`, at: AT, snapshot: "before" }));
  }
  const plan = { subtask: "s", snapshot: "before", parent: run.base, message: "m", at: AT };
  const good = value(await goodCommit(run, plan));
  const back = { id: "back", at: AT, commit: run.base, tip: good.commit };
  value(await rollback(run, worktree, back));
  assert.equal(git(worktree.path, "rev-parse", "HEAD"), run.base);
  assert.throws(() => git(worktree.path, "push", "origin", "HEAD:refs/heads/x"), /push-is-off/);
  const heads = git(
    join(run.runDir, "clone.git"),
    "for-each-ref",
    "--format=%(refname)",
    "refs/heads",
  );
  assert.equal(heads, "refs/heads/unstuck/r1");
  assert.deepEqual(fingerprint(other.path), neighbour);
  const now = fingerprint(root);
  delete now[".git/refs/unstuck/r1/base"];
  assert.deepEqual(now, before);
  assert.deepEqual(objectFiles(root), objects);
  assert.equal(git(join(run.runDir, "clone.git"), "fsck", "--full", "--no-dangling"), "");
});

test("a stash or commit an agent made is kept when its slot is reset", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  write(worktree.path, { "idea.ts": "idea" });
  agent(run, worktree, "git stash -u");
  await lease(run, { id: "next" });
  assert.equal(git(worktree.path, "stash", "list"), "");
  const kept = join(run.runDir, "kept", "next", "1.git");
  assert.equal(git(kept, "show", "stash^3:idea.ts"), "idea");
});

test("a slot that is a link to somewhere else is refused, and so is a link inside .git", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  const before = fingerprint(root);
  rmSync(join(worktree.path, ".git/refs"), { recursive: true });
  symlinkSync(join(root, ".git/refs"), join(worktree.path, ".git/refs"));
  await lease(run, { id: "second" });
  assert.deepEqual(fingerprint(root), before);
  renameSync(worktree.path, `${worktree.path}.moved`);
  symlinkSync(root, worktree.path);
  const plan = { slot: "1", commit: run.base, id: "third", at: AT };
  assert.equal(kindOf(await leaseSlot(run, plan)), "worktree-replaced");
  assert.equal(kindOf(await snapshot(run, worktree, { label: "x", at: AT })), "worktree-replaced");
  const back = { id: "b", at: AT, commit: run.base, tip: run.base };
  assert.equal(kindOf(await rollback(run, worktree, back)), "worktree-replaced");
  assert.deepEqual(fingerprint(root), before);
});

test("carry copies what the user has, keeps it out of commits, and never writes through a link", async () => {
  const root = repository({
    ".gitignore": ".env\nnode_modules/\n",
    out: "link:../elsewhere",
    "a.ts": "a",
  });
  write(root, {
    ".env": "KEY=1",
    "node_modules/p/i.js": "p",
    "node_modules/.bin/p": "link:../p/i.js",
  });
  const run = await open(root);
  const carry = [".env", "node_modules", "a.ts", "missing"];
  const first = await lease(run, { carry });
  assert.deepEqual(
    [first.carried, first.notCarried],
    [
      [".env", "node_modules"],
      ["a.ts", "missing"],
    ],
  );
  const path = first.worktree.path;
  assert.deepEqual(tree(path), tree(root));
  writeFileSync(join(path, ".env"), "KEY=agent");
  write(path, { ".gitignore": "" });
  assert.equal(readFileSync(join(root, ".env"), "utf8"), "KEY=1");
  value(await snapshot(run, first.worktree, { label: "s", at: AT, start: true }));
  const names = git(
    join(run.runDir, "clone.git"),
    "ls-tree",
    "-r",
    "--name-only",
    "refs/unstuck/snap/s",
  );
  assert.equal(names, ".gitignore\na.ts\nout");
  assert.equal(git(path, "status", "--porcelain"), "M .gitignore");
  await lease(run, { id: "second", carry });
  assert.ok(readdirSync(path).includes("node_modules"));
  const at = async (name: string): Promise<string> =>
    kindOf(await leaseSlot(run, { slot: "3", commit: run.base, id: name, at: AT, carry: [name] }));
  write(join(root, ".."), { "elsewhere/y": "y" });
  mkdirSync(join(run.runDir, "slots", "elsewhere"));
  assert.equal(await at("out/y"), "unsafe-path");
  assert.deepEqual(readdirSync(join(run.runDir, "slots", "elsewhere")), []);
  assert.equal(await at("../x"), "unsafe-path");
  assert.equal(await at("/etc"), "unsafe-path");
  assert.equal(await at(".git/config"), "unsafe-path");
  assert.equal(await at("a/../../b"), "unsafe-path");
});
