// proves: U6, U11
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  advance,
  apply,
  fillTree,
  goodCommit,
  inspect,
  publish,
  restore,
  type Run,
  slotWorktree,
  snapshot,
  type Worktree,
} from "../operations.ts";
import { inLargeForm } from "../../large-form.ts";
import { parsePointer } from "../../../src/workspace/git/lfs.ts";
import {
  AT,
  fingerprint,
  folder,
  git,
  kindOf,
  lease,
  objectFiles,
  open,
  tree,
  value,
  write,
} from "../fixture.ts";

const installed = spawnSync("git-lfs", ["version"]).status === 0;
const options = installed ? {} : { skip: "NOT TESTED: git-lfs is not installed" };
const noise = (size: number): Buffer => randomBytes(size);

/** Counts whoever tries to reach an LFS server. */
async function listener(): Promise<{ url: string; calls: () => Promise<number> }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  server.unref();
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const calls = async (): Promise<number> => {
    await sleep(50);
    return count;
  };
  return { url: `http://127.0.0.1:${port}/lfs`, calls };
}

function lfsConfig(root: string): void {
  git(root, "config", "filter.lfs.clean", "git-lfs clean -- %f");
  git(root, "config", "filter.lfs.smudge", "git-lfs smudge -- %f");
  git(root, "config", "filter.lfs.process", "git-lfs filter-process");
  git(root, "config", "filter.lfs.required", "true");
}

function lfsRepository(url: string, storage?: string): string {
  const root = folder("lfs repo");
  git(root, "init", "-q");
  lfsConfig(root);
  git(root, "config", "lfs.url", url);
  git(root, "config", "lfs.fetchexclude", "");
  if (storage !== undefined) git(root, "config", "lfs.storage", storage);
  write(root, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    ".lfsconfig": `[lfs]\n\turl = ${url}\n\tfetchexclude = *\n`,
    "one.bin": noise(30_000),
    "deep/two.bin": noise(20_000),
    "same.bin": noise(10_000),
    "plain.txt": "plain\n",
  });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  return root;
}

async function worked(run: Run, worktree: Worktree): Promise<string> {
  value(await snapshot(run, worktree, { label: "start", at: AT, start: true }));
  write(worktree.path, {
    "one.bin": noise(40_000),
    "new.bin": noise(5000),
    "plain.txt": "more\n",
    "empty.bin": "",
  });
  rmSync(join(worktree.path, "deep/two.bin"));
  value(await snapshot(run, worktree, { label: "after", at: AT, maxFileBytes: 1000 }));
  const plan = { subtask: "s", snapshot: "after", parent: run.base, message: "m", at: AT };
  return value(await goodCommit(run, plan)).commit;
}

async function published(run: Run, commit: string): Promise<void> {
  value(await advance(run, { commit, expected: run.base }));
  value(await publish(run));
}

/** A clone on this machine with nothing but what the repository holds. */
function checkedOut(root: string, storage: string): string {
  const copy = join(folder("copy"), "clone");
  git(root, "clone", "-q", "--no-checkout", root, copy);
  lfsConfig(copy);
  git(copy, "config", "lfs.storage", storage);
  git(copy, "config", "lfs.fetchexclude", "");
  git(copy, "config", "lfs.url", "file:///dev/null");
  git(copy, "checkout", "-q", "origin/unstuck/r1");
  return copy;
}

const lfsFiles = (root: string): string[] =>
  existsSync(join(root, "objects")) ? Object.keys(tree(join(root, "objects"))) : [];

test("what counts as an LFS pointer", () => {
  const oid = "a".repeat(64);
  const good = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12\n`;
  const table: [string, string, boolean][] = [
    ["as git-lfs writes it", good, true],
    ["with an extension", good.replace("oid", "ext-0-x sha256:1\noid"), true],
    ["another first line", good.replace("version", "Version"), false],
    ["another host", good.replace("git-lfs.github.com", "git-lfs.example.org"), false],
    ["a short id", good.replace(oid, "a".repeat(63)), false],
    ["an id that is a path", good.replace(oid, `../${"a".repeat(61)}`), false],
    ["no size", good.replace(/size.*\n/, ""), false],
    ["a negative size", good.replace("size 12", "size -1"), false],
    ["too long", good + "x".repeat(1024), false],
    ["empty", "", false],
  ];
  for (const [name, content, expected] of table)
    assert.equal(parsePointer(content) !== null, expected, name);
});

for (const storage of [undefined, "elsewhere", "absolute"]) {
  const form = storage === undefined ? options : inLargeForm("workspace", options.skip);
  test(`LFS files changed, added, removed, unchanged; store ${storage}`, form, async () => {
    const { url, calls } = await listener();
    const place = storage === "absolute" ? folder("store") : storage;
    const root = lfsRepository(url, place);
    const store = join(root, ".git", storage ?? "lfs");
    const theirs = storage === "absolute" ? (place ?? "") : store;
    assert.equal(lfsFiles(theirs).length, 3);
    assert.equal(value(await inspect(root)).lfs, true);
    const before = fingerprint(root);
    const run = await open(root);
    const { worktree } = await lease(run);
    assert.deepEqual(tree(worktree.path), tree(root));
    const commit = await worked(run, worktree);
    const state = tree(worktree.path);
    assert.deepEqual(fingerprint(root), { ...before, ".git/refs/unstuck/r1/base": pinOf(root) });
    assert.equal(lfsFiles(theirs).length, 3);
    write(worktree.path, { "new.bin": "lost" });
    value(await restore(run, worktree, { id: "back", at: AT, snapshot: "after" }));
    assert.deepEqual(tree(worktree.path), state);
    const shown = git(join(run.runDir, "clone.git"), "show", `${commit}:one.bin`);
    assert.match(shown, /^version https:\/\/git-lfs[^]*size 40000$/);
    await published(run, commit);
    assert.equal(lfsFiles(theirs).length, 5);
    const copy = checkedOut(root, theirs);
    assert.deepEqual(tree(copy), state);
    assert.equal(git(copy, "status", "--porcelain"), "");
    value(await apply(run, { at: AT }));
    assert.deepEqual(tree(root), state);
    assert.equal(git(root, "status", "--porcelain"), "");
    assert.equal(await calls(), 0);
    for (const name of objectFiles(root)) assert.doesNotMatch(name, /tmp/);
  });
}

const pinOf = (root: string): string => {
  const hash = createHash("sha1")
    .update(`${git(root, "rev-parse", "HEAD")}\n`)
    .digest("hex");
  return `- ${hash}`;
};

test("the objects are there before the branch is", options, async () => {
  const { url } = await listener();
  const root = lfsRepository(url);
  const run = await open(root);
  const { worktree } = await lease(run);
  const commit = await worked(run, worktree);
  value(await advance(run, { commit, expected: run.base }));
  const stop = new AbortController();
  const onPoint = (name: string): void => {
    if (name === "publish:packed") stop.abort();
  };
  assert.equal(kindOf(await publish(run, { onPoint, signal: stop.signal })), "aborted");
  assert.equal(git(root, "branch", "--list", "unstuck/*"), "");
  assert.equal(lfsFiles(join(root, ".git/lfs")).length, 5);
});

test("a damaged object of the run's is not handed to the user", options, async () => {
  const { url } = await listener();
  const root = lfsRepository(url);
  const run = await open(root);
  const { worktree } = await lease(run);
  const commit = await worked(run, worktree);
  const oid = createHash("sha256")
    .update(readFileSync(join(worktree.path, "new.bin")))
    .digest("hex");
  const object = join(run.runDir, "lfs/objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  assert.ok(existsSync(object));
  writeFileSync(object, "damaged");
  value(await advance(run, { commit, expected: run.base }));
  assert.equal(kindOf(await publish(run)), "damaged-run");
  assert.equal(git(root, "branch", "--list", "unstuck/*"), "");
});

test(
  "objects the user never fetched stay pointers, are said, and nobody is asked for them",
  options,
  async () => {
    const { url, calls } = await listener();
    const root = lfsRepository(url);
    const pointer = git(root, "show", "HEAD:one.bin");
    const oid = parsePointer(`${pointer}\n`)?.oid ?? "";
    rmSync(join(root, ".git/lfs/objects", oid.slice(0, 2)), { recursive: true });
    const run = await open(root);
    const { worktree } = await lease(run);
    assert.equal(readFileSync(join(worktree.path, "one.bin"), "utf8").trim(), pointer);
    const check = slotWorktree(run, "check");
    mkdirSync(check.path);
    const filled = await fillTree({ ...run, control: {} }, check, run.base);
    assert.deepEqual(filled, { emptySubmodules: [], pointers: ["one.bin"] });
    assert.deepEqual(tree(check.path), tree(worktree.path));
    const base = git(root, "rev-parse", "HEAD^{tree}");
    const start = value(await snapshot(run, worktree, { label: "s", at: AT, start: true }));
    assert.equal(start.tree, base);
    write(worktree.path, { "plain.txt": "changed\n" });
    value(await snapshot(run, worktree, { label: "after", at: AT }));
    const plan = { subtask: "s", snapshot: "after", parent: run.base, message: "m", at: AT };
    const { commit } = value(await goodCommit(run, plan));
    const inner = join(run.runDir, "clone.git");
    assert.equal(git(inner, "diff", "--name-only", run.base, commit), "plain.txt");
    value(await restore(run, worktree, { id: "b", at: AT, snapshot: "s" }));
    assert.equal(readFileSync(join(worktree.path, "one.bin"), "utf8").trim(), pointer);
    assert.equal(await calls(), 0);
  },
);

test(
  "with changes: a changed LFS file is a pointer in the base and its object is the run's",
  options,
  async () => {
    const { url, calls } = await listener();
    const root = lfsRepository(url);
    write(root, { "one.bin": noise(7000) });
    assert.deepEqual(value(await inspect(root)).dirty.unstaged, ["one.bin"]);
    assert.equal(lfsFiles(join(root, ".git/lfs")).length, 3);
    const run = await open(root, { base: "with-changes" });
    assert.equal(lfsFiles(join(root, ".git/lfs")).length, 3);
    assert.match(git(join(run.runDir, "clone.git"), "show", `${run.base}:one.bin`), /size 7000$/);
    const { worktree } = await lease(run);
    assert.deepEqual(tree(worktree.path), tree(root));
    assert.equal(await calls(), 0);
  },
);

test(
  "a pointer to nowhere that an agent wrote is kept, applied, and asked for nowhere",
  options,
  async () => {
    const { url, calls } = await listener();
    const root = lfsRepository(url);
    const run = await open(root);
    const { worktree } = await lease(run);
    value(await snapshot(run, worktree, { label: "start", at: AT, start: true }));
    const oid = `oid sha256:${"a".repeat(64)}`;
    const pointer = `version https://git-lfs.github.com/spec/v1\n${oid}\nsize 9\n`;
    write(worktree.path, { "fake.bin": pointer });
    value(await snapshot(run, worktree, { label: "after", at: AT }));
    const plan = { subtask: "s", snapshot: "after", parent: run.base, message: "m", at: AT };
    await published(run, value(await goodCommit(run, plan)).commit);
    value(await restore(run, worktree, { id: "b", at: AT, snapshot: "start" }));
    value(await restore(run, worktree, { id: "f", at: AT, snapshot: "after" }));
    value(await apply(run, { at: AT }));
    for (const path of [root, worktree.path])
      assert.equal(readFileSync(join(path, "fake.bin"), "utf8"), pointer);
    assert.equal(await calls(), 0);
  },
);
