// proves: U9
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  diffText,
  lineStat,
  readSnapshot,
  restore,
  sameTree,
  snapshot,
  snapshots,
  treeHash,
  type Run,
  type Snapshot,
  type Worktree,
} from "../operations.ts";
import { AT, git, lease, open, repository, tree, value, write } from "../fixture.ts";

const take = async (
  run: Run,
  worktree: Worktree,
  label: string,
  options: { start?: boolean; maxFileBytes?: number } = {},
): Promise<Snapshot> => value(await snapshot(run, worktree, { label, at: AT, ...options }));

let restores = 0;
async function bring(run: Run, worktree: Worktree, label: string) {
  restores += 1;
  return value(
    await restore(run, worktree, { id: `restore-${restores}`, at: AT, snapshot: label }),
  );
}

/** Takes the state, empties the folder as `rm -rf` would, and expects the restore to give it back. */
async function roundTrip(run: Run, worktree: Worktree, label: string): Promise<Snapshot> {
  const before = tree(worktree.path);
  const taken = await take(run, worktree, label);
  for (const name of readdirSync(worktree.path))
    if (name !== ".git") rmSync(join(worktree.path, name), { recursive: true });
  await bring(run, worktree, label);
  assert.deepEqual(tree(worktree.path), before);
  return taken;
}

test("a slot holds the base; snapshots keep changes, modes, links and deletions", async () => {
  const root = repository();
  const run = await open(root);
  const { worktree } = await lease(run);
  assert.deepEqual(tree(worktree.path), tree(root));
  assert.equal(git(worktree.path, "status", "--porcelain"), "");
  const start = await take(run, worktree, "a/1/before", { start: true });
  assert.equal(start.tree, git(root, "rev-parse", "HEAD^{tree}"));
  write(worktree.path, { "src/a.ts": "changed\r\n", "new file": "x:new", current: "link:run.sh" });
  rmSync(join(worktree.path, "grüße"), { recursive: true });
  const changed = tree(worktree.path);
  const after = await take(run, worktree, "a/1/after");
  const back = await bring(run, worktree, "a/1/before");
  assert.equal(back.rescue.tree, after.tree);
  assert.deepEqual(tree(worktree.path), tree(root));
  await bring(run, worktree, "a/1/after");
  assert.deepEqual(tree(worktree.path), changed);
  assert.equal(sameTree(start, after), false);
  assert.equal(sameTree(start, value(await readSnapshot(run, "a/1/before"))), true);
  assert.deepEqual(value(await lineStat(run, { from: start.tree, to: after.tree })), {
    files: ["current", "grüße/日本.txt", "new file", "src/a.ts"],
    added: 3,
    removed: 3,
  });
  const diff = value(await diffText(run, { from: start.commit, to: after.commit }));
  assert.match(diff.text, /\+changed\r/);
  const short = value(await diffText(run, { from: start.commit, to: after.commit, maxBytes: 20 }));
  assert.deepEqual([short.text.length, short.cut], [20, true]);
  assert.equal(value(await snapshots(run)).length, 4);
});

test("a label is taken once: a repeated snapshot gives what it holds", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const first = await take(run, worktree, "same");
  write(worktree.path, { more: "more" });
  assert.deepEqual(await take(run, worktree, "same"), first);
  assert.notEqual((await take(run, worktree, "other")).tree, first.tree);
});

test("line endings, filters, idents and encodings do not touch a byte", async () => {
  const attributes =
    "* text=auto\n*.bat text eol=crlf\n*.id ident\n*.up filter=up\n*.u16 text working-tree-encoding=UTF-16\n";
  const run = await open(
    repository({
      ".gitattributes": attributes,
      "old.bat": "a\nb\n",
      "v.id": "$Id$\n",
      "x.up": "x",
    }),
  );
  const { worktree } = await lease(run);
  git(worktree.path, "config", "filter.up.clean", "tr a-z A-Z");
  git(worktree.path, "config", "filter.up.smudge", "tr A-Z a-z");
  write(worktree.path, {
    "mixed.txt": "one\r\ntwo\nthree\r",
    "new.bat": "dos\r\n",
    "old.bat": "a\r\nb\r\n",
    "v.id": "$Id: mine $\r\n",
    "y.up": "MiXed",
    "t.u16": Buffer.from("\ufeffwide\r\n", "utf16le"),
    "deep/.gitattributes": "* text eol=crlf filter=up ident\n",
    "deep/z.txt": "z\n$Id: z$\n",
  });
  await roundTrip(run, worktree, "bytes");
});

test("an edited ignore file hides nothing until the next start", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  write(worktree.path, {
    "venv/.gitignore": "*\n",
    "venv/lib.py": "made by the setup",
    "node_modules/x.js": "installed",
  });
  const start = await take(run, worktree, "start", { start: true });
  write(worktree.path, {
    ".gitignore": "*\n!.gitignore\n",
    "secret/.gitignore": "*\n",
    "secret/work.ts": "work",
    "src/hidden.ts": "hidden",
    "venv/later.py": "more",
  });
  const state = tree(worktree.path);
  const after = await take(run, worktree, "after");
  await bring(run, worktree, "start");
  await bring(run, worktree, "after");
  assert.deepEqual(tree(worktree.path), state);
  const names = git(run.runDir + "/clone.git", "diff", "--name-only", start.tree, after.tree);
  assert.deepEqual(names.split("\n"), [
    ".gitignore",
    "secret/.gitignore",
    "secret/work.ts",
    "src/hidden.ts",
  ]);
  const again = await take(run, worktree, "start 2", { start: true });
  write(worktree.path, { "src/now-ignored.ts": "by the rules of this start" });
  assert.equal((await take(run, worktree, "after 2")).tree, again.tree);
});

test("inner repositories: with commits, without, dirty, inside each other", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  await take(run, worktree, "start", { start: true });
  write(worktree.path, {
    "one/kept.ts": "kept",
    "two/file.ts": "file",
    "two/three/deep.ts": "deep",
    "empty/.gitkeep": "",
  });
  for (const inner of ["one", "two", "two/three"]) git(join(worktree.path, inner), "init", "-q");
  git(join(worktree.path, "one"), "add", "-A");
  git(join(worktree.path, "one"), "commit", "-q", "-m", "inner");
  write(worktree.path, { "one/dirty.ts": "dirty" });
  mkdirSync(join(worktree.path, "bare-inside"));
  git(join(worktree.path, "bare-inside"), "init", "-q");
  const taken = await take(run, worktree, "nested");
  assert.deepEqual([...taken.nested].sort(), ["bare-inside", "one", "two", "two/three"]);
  const state = tree(worktree.path);
  for (const path of ["one/kept.ts", "two/three/deep.ts"]) rmSync(join(worktree.path, path));
  write(worktree.path, { "one/more.ts": "more" });
  const next = await take(run, worktree, "nested 2");
  assert.notEqual(next.tree, taken.tree);
  await bring(run, worktree, "nested");
  assert.deepEqual(tree(worktree.path), state);
  assert.equal(git(join(worktree.path, "one"), "log", "--format=%s"), "inner");
  await bring(run, worktree, "start");
  assert.equal(existsSync(join(worktree.path, "one", "kept.ts")), false);
  rmSync(join(worktree.path, "one"), { recursive: true, force: true });
  await bring(run, worktree, "nested 2");
  assert.equal(readFileSync(join(worktree.path, "one/more.ts"), "utf8"), "more");
});

test("files and folders and links that take each other's place", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const at = (path: string): string => join(worktree.path, path);
  renameSync(at("src"), at("moved"));
  rmSync(at("run.sh"));
  write(worktree.path, { src: "link:moved", "run.sh/inside": "now a folder", current: "plain" });
  await roundTrip(run, worktree, "swapped");
  rmSync(at("src"));
  rmSync(at("moved"), { recursive: true });
  write(worktree.path, { "src/a.ts/b": "deeper", moved: "a file" });
  await roundTrip(run, worktree, "swapped again");
  await bring(run, worktree, "swapped");
  assert.equal(readFileSync(at("src/a.ts"), "utf8"), "export const a = 1;\n");
});

test("what cannot be stored is named, stays through a restore, and is moved aside by another", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const small = { maxFileBytes: 1000 };
  const none = await take(run, worktree, "none", { start: true });
  write(worktree.path, {
    "big.bin": "b".repeat(2000),
    ".GIT/x": "x",
    "src/a.ts": "c".repeat(3000),
  });
  const taken = await take(run, worktree, "big", small);
  assert.deepEqual(
    [...taken.skipped].sort((a, b) => a.path.localeCompare(b.path)),
    [
      { path: ".GIT/x", reason: "unstorable-name", bytes: 1 },
      { path: "big.bin", reason: "too-big", bytes: 2000 },
      { path: "src/a.ts", reason: "too-big", bytes: 3000 },
    ],
  );
  assert.equal(sameTree(none, taken), false);
  const state = tree(worktree.path);
  value(await snapshot(run, worktree, { label: "same.rescue", at: AT, ...small }));
  value(await restore(run, worktree, { id: "same", at: AT, snapshot: "big" }));
  assert.deepEqual(tree(worktree.path), state);
  value(await snapshot(run, worktree, { label: "gone.rescue", at: AT, ...small }));
  const gone = value(await restore(run, worktree, { id: "gone", at: AT, snapshot: "none" }));
  assert.equal(existsSync(join(worktree.path, "big.bin")), false);
  assert.deepEqual(
    gone.aside.map((path) => readFileSync(path, "utf8").length).sort((a, b) => a - b),
    [1, 2000, 3000],
  );
});

test("names that are not UTF-8", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const odd = Buffer.concat([Buffer.from(`${worktree.path}/`), Buffer.from([0x6e, 0xff, 0xe4])]);
  writeFileSync(odd, "odd");
  await take(run, worktree, "odd");
  rmSync(odd);
  await bring(run, worktree, "odd");
  assert.equal(readFileSync(odd, "utf8"), "odd");
});

test("the tree hash follows the files and nothing else", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  await take(run, worktree, "start", { start: true });
  const now = async (): Promise<string> => value(await treeHash(run, worktree));
  const first = await now();
  write(worktree.path, { "debug.log": "ignored" });
  assert.equal(await now(), first);
  write(worktree.path, { "src/a.ts": "edit 1" });
  const second = await now();
  assert.notEqual(second, first);
  write(worktree.path, { "src/a.ts": "edit 2" });
  assert.notEqual(await now(), second);
  write(worktree.path, { "src/a.ts": "edit 1" });
  assert.equal(await now(), second);
});

test("an attempt costs at most six git processes for its two snapshots", async () => {
  const run = await open(repository());
  const { worktree } = await lease(run);
  const started: string[] = [];
  const control = { onGit: (args: readonly string[]) => void started.push(args[0] ?? "") };
  const attempt = async (label: string): Promise<number> => {
    started.length = 0;
    value(
      await snapshot(run, worktree, { label: `${label}/before`, at: AT, start: true }, control),
    );
    write(worktree.path, { "src/a.ts": label, [`${label}.ts`]: label });
    value(await snapshot(run, worktree, { label: `${label}/after`, at: AT }, control));
    return started.length;
  };
  await attempt("one");
  assert.equal(await attempt("two"), 4);
  write(worktree.path, { "by-a-check.txt": "x" });
  assert.equal(await attempt("three"), 6);
});
