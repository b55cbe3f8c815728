// proves: U6, U11
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import {
  advance,
  checkoutWorktree,
  cleanUp,
  differsFrom,
  fillTree,
  goodCommit,
  inspect,
  leftOutOf,
  publish,
  restore,
  rollback,
  type Run,
  slotWorktree,
  snapshot,
  type Worktree,
} from "../operations.ts";
import {
  AT,
  fingerprint,
  folder,
  git,
  lease,
  open,
  repository,
  tree,
  value,
  write,
} from "../fixture.ts";

interface Repositories {
  readonly root: string;
  readonly lib: string;
  readonly deep: string;
}

/** A repository with a submodule that has one itself; the user has both, or neither. */
function withSubmodules(initialised = true): Repositories {
  const deep = repository({ "deep.ts": "deep\n" });
  const lib = repository({
    "lib.ts": "lib\n",
    "src/inner.ts": "x:inner\n",
    ".gitignore": "out/\n",
  });
  git(lib, "submodule", "--quiet", "add", deep, "nested/deep");
  git(lib, "commit", "-q", "-m", "nested");
  const first = repository();
  git(first, "submodule", "--quiet", "add", "--name", "the lib", lib, "vendor/lib");
  git(first, "submodule", "--quiet", "update", "--init", "--recursive");
  git(first, "commit", "-q", "-m", "submodule");
  if (initialised) return { root: first, lib, deep };
  const root = join(folder("plain clone"), "clone");
  git(first, "clone", "-q", first, root);
  return { root, lib, deep };
}

async function taken(run: Run, worktree: Worktree, label: string, start = false) {
  return value(await snapshot(run, worktree, { label, at: AT, start }));
}

async function committed(run: Run, label: string): Promise<string> {
  const plan = { subtask: label, snapshot: label, parent: run.base, message: label, at: AT };
  return value(await goodCommit(run, plan)).commit;
}

const gitlink = (run: Run, commit: string, path = "vendor/lib"): string =>
  git(join(run.runDir, "clone.git"), "ls-tree", commit, path);

async function leftOut(run: Run): Promise<readonly string[]> {
  return value(await leftOutOf(run, { before: "start", after: "after" })).submodules;
}

test("an initialised submodule is in the slot with its files, nested ones too", async () => {
  const { root } = withSubmodules();
  const before = fingerprint(root);
  const run = await open(root);
  const { worktree } = await lease(run);
  assert.deepEqual(tree(worktree.path), tree(root));
  assert.equal(value(await inspect(root)).submodules, true);
  const start = await taken(run, worktree, "start", true);
  assert.equal(start.tree, git(root, "rev-parse", "HEAD^{tree}"));
  assert.deepEqual([start.changedSubmodules, start.nested], [[], []]);
  assert.equal(git(worktree.path, "status", "--porcelain"), "");
  git(worktree.path, "submodule", "--quiet", "update", "--init", "--recursive");
  const inner = join(worktree.path, "vendor/lib");
  assert.equal(git(inner, "status", "--porcelain"), "");
  assert.equal(git(inner, "rev-parse", "HEAD"), git(join(root, "vendor/lib"), "rev-parse", "HEAD"));
  const config = git(inner, "config", "--list", "--local");
  assert.equal(
    [root, "modules"].some((name) => config.includes(name)),
    false,
  );
  assert.equal(lstatSync(join(inner, ".git")).isDirectory(), true);
  const pin = ".git/refs/unstuck/r1/base";
  const { [pin]: _, ...now } = fingerprint(root);
  assert.deepEqual(now, before);
  value(await cleanUp(run));
});

test("work inside a submodule is kept and said, and the gitlink stays", async () => {
  const { root } = withSubmodules();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  write(worktree.path, {
    "vendor/lib/lib.ts": "edited\n",
    "vendor/lib/new.ts": "new\n",
    "vendor/lib/nested/deep/deep.ts": "edited deeper\n",
    "vendor/lib/out/ignored": "ignored",
    "top.ts": "top\n",
  });
  rmSync(join(worktree.path, "vendor/lib/src"), { recursive: true });
  const state = tree(worktree.path);
  const after = await taken(run, worktree, "after");
  assert.deepEqual(after.changedSubmodules, ["vendor/lib"]);
  assert.deepEqual(await leftOut(run), ["vendor/lib"]);
  const commit = await committed(run, "after");
  const clone = join(run.runDir, "clone.git");
  assert.equal(git(clone, "diff", "--name-only", run.base, commit), "top.ts");
  const tip = { commit: run.base, tip: commit };
  value(await rollback(run, worktree, { id: "roll", at: AT, ...tip }));
  rmSync(join(worktree.path, "vendor/lib/out"), { recursive: true });
  assert.deepEqual(tree(worktree.path), tree(root));
  value(await restore(run, worktree, { id: "back", at: AT, snapshot: "after" }));
  delete state["vendor/lib/out/ignored"];
  assert.deepEqual(tree(worktree.path), state);
  const again = await taken(run, worktree, "again");
  assert.deepEqual([again.tree, again.changedSubmodules], [after.tree, ["vendor/lib"]]);
});

test("the result can be cloned with its submodules", async () => {
  const { root } = withSubmodules();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  write(worktree.path, { "vendor/lib/lib.ts": "edited\n", "top.ts": "top\n" });
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  value(await advance(run, { commit, expected: run.base }));
  value(await publish(run));
  const copy = join(folder("copy"), "clone");
  git(root, "clone", "-q", "--recurse-submodules", "-b", "unstuck/r1", root, copy);
  assert.deepEqual(tree(copy), { ...tree(root), "top.ts": tree(worktree.path)["top.ts"] });
  assert.equal(git(copy, "status", "--porcelain"), "");
});

/** The others with UNSTUCK_FULL=1. */
const SOME_WAYS: readonly string[] = ["files", "folder removed"];

for (const way of ["files", "clone", "replaced by a file", "folder removed"] as const) {
  const form = SOME_WAYS.includes(way) ? {} : inLargeForm("workspace");
  test(
    `a submodule the user has not: empty, said, and kept as a gitlink (${way})`,
    form,
    async () => {
      const { root, lib } = withSubmodules(false);
      const run = await open(root);
      const { worktree } = await lease(run);
      assert.deepEqual(readdirSync(join(worktree.path, "vendor/lib")), []);
      const check = slotWorktree(run, "check");
      mkdirSync(check.path);
      const filled = await fillTree({ ...run, control: {} }, check, run.base);
      assert.deepEqual(filled, { emptySubmodules: ["vendor/lib"], pointers: [] });
      assert.deepEqual(await differsFrom({ ...run, control: {} }, check, run.base), []);
      write(check.path, { "vendor/lib/x": "x" });
      assert.deepEqual(await differsFrom({ ...run, control: {} }, check, run.base), ["vendor/lib"]);
      const start = await taken(run, worktree, "start", true);
      assert.equal(start.tree, git(root, "rev-parse", "HEAD^{tree}"));
      const inside = join(worktree.path, "vendor/lib");
      if (way === "files") write(inside, { "lib.ts": "mine\n", "more/x.ts": "mine\n" });
      if (way === "clone") {
        rmSync(inside, { recursive: true });
        git(worktree.path, "clone", "-q", lib, "vendor/lib");
      }
      if (way === "replaced by a file") write(worktree.path, { "vendor/lib": "a file\n" });
      if (way === "folder removed") rmSync(inside, { recursive: true });
      write(worktree.path, { "top.ts": "top\n" });
      const state = tree(worktree.path);
      const after = await taken(run, worktree, "after");
      assert.deepEqual(after.changedSubmodules, ["vendor/lib"]);
      assert.deepEqual(await leftOut(run), ["vendor/lib"]);
      const commit = await committed(run, "after");
      assert.match(gitlink(run, commit), /^160000 commit /);
      const clone = join(run.runDir, "clone.git");
      assert.equal(git(clone, "diff", "--name-only", run.base, commit), "top.ts");
      value(await restore(run, worktree, { id: "b", at: AT, snapshot: "start" }));
      assert.equal(existsSync(join(inside, "lib.ts")), false);
      value(await restore(run, worktree, { id: "f", at: AT, snapshot: "after" }));
      assert.deepEqual(tree(worktree.path), state);
    },
  );
}

test("a submodule that is taken out, folder and entry, goes from the commit", async () => {
  const { root } = withSubmodules();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  rmSync(join(worktree.path, "vendor"), { recursive: true });
  write(worktree.path, { ".gitmodules": "" });
  const after = await taken(run, worktree, "after");
  assert.deepEqual(after.changedSubmodules, []);
  const commit = await committed(run, "after");
  assert.equal(gitlink(run, commit), "");
  const next = await lease(run, { id: "two", commit });
  assert.equal(existsSync(join(next.worktree.path, "vendor")), false);
  const back = await lease(run, { id: "three" });
  assert.deepEqual(tree(back.worktree.path), tree(root));
  assert.equal(git(back.worktree.path, "status", "--porcelain"), "");
});

test("names that lead out of the user's modules fill nothing", async () => {
  const { root } = withSubmodules();
  const names = [
    "the lib",
    "../objects",
    "the lib/../the lib",
    "/etc",
    ".",
    "",
    "the lib/",
    "link",
    "a\\b",
  ];
  symlinkSync(join(root, ".git/modules/the lib"), join(root, ".git/modules/link"));
  const [, , id = ""] = git(root, "ls-tree", "HEAD", "vendor/lib").split(/[ \t]/);
  const lines = names.map(
    (name, index) =>
      `[submodule "${name.replace("\\", "\\\\")}"]\n\tpath = s${index}\n\turl = ./x\n`,
  );
  git(root, "update-index", "--force-remove", "vendor/lib");
  write(root, { ".gitmodules": lines.join("") });
  git(root, "add", ".gitmodules");
  for (const index of names.keys())
    git(root, "update-index", "--add", "--cacheinfo", `160000,${id},s${index}`);
  git(root, "commit", "-q", "-m", "hostile");
  const run = await open(root);
  const check = slotWorktree(run, "check");
  mkdirSync(check.path);
  const { emptySubmodules } = await fillTree({ ...run, control: {} }, check, run.base);
  const hostile = [...names.keys()].slice(1).map((index) => `s${index}`);
  assert.deepEqual(emptySubmodules, hostile);
  for (const path of hostile) assert.deepEqual(readdirSync(join(check.path, path)), []);
  assert.ok(existsSync(join(check.path, "s0/lib.ts")));
});

test("a commit that the user's module has not leaves the folder empty; the module may go later", async () => {
  const { root } = withSubmodules();
  const run = await open(root);
  await lease(run);
  rmSync(join(root, ".git/modules"), { recursive: true });
  const { worktree } = await lease(run, { slot: "2", id: "two" });
  assert.deepEqual(tree(worktree.path), tree(root));
  const other = withSubmodules();
  git(other.root, "update-index", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  git(other.root, "commit", "-q", "-m", "unknown commit");
  const second = await open(other.root);
  const leased = await lease(second);
  assert.deepEqual(readdirSync(join(leased.worktree.path, "vendor/lib")), []);
});

test("a filled tree says what differs inside submodules", async () => {
  const { root } = withSubmodules();
  const run = await open(root);
  const check = slotWorktree(run, "check");
  mkdirSync(check.path);
  assert.deepEqual((await fillTree({ ...run, control: {} }, check, run.base)).emptySubmodules, []);
  assert.deepEqual(tree(check.path), tree(root));
  assert.deepEqual(await differsFrom({ ...run, control: {} }, check, run.base), []);
  write(check.path, { "vendor/lib/lib.ts": "edited\n", "vendor/lib/nested/deep/deep.ts": "no\n" });
  assert.deepEqual(await differsFrom({ ...run, control: {} }, check, run.base), [
    "vendor/lib/lib.ts",
    "vendor/lib/nested/deep/deep.ts",
  ]);
  await fillTree({ ...run, control: {} }, check, run.base);
  assert.deepEqual(await differsFrom({ ...run, control: {} }, check, run.base), []);
});

test("in place: submodules of the user's checkout stay as they are", async () => {
  const { root } = withSubmodules();
  write(root, { "vendor/lib/lib.ts": "the user's work\n" });
  const run = await open(root, { inPlace: true });
  const worktree = checkoutWorktree(run);
  const state = tree(root);
  await taken(run, worktree, "start", true);
  write(root, { "src/a.ts": "agent\n" });
  await taken(run, worktree, "after");
  assert.deepEqual(await leftOut(run), []);
  const commit = await committed(run, "after");
  const clone = join(run.runDir, "clone.git");
  assert.equal(git(clone, "diff", "--name-only", run.base, commit), "src/a.ts");
  value(await rollback(run, worktree, { id: "roll", at: AT, commit: run.base, tip: commit }));
  assert.deepEqual(tree(root), state);
});
