// proves: U5
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { CheckTreePlan } from "../../../src/workspace/trees/check-tree.ts";
import { changedInCheckTree, fillCheckTree } from "../operations.ts";
import type { Control, Run, Worktree } from "../operations.ts";
import { FILES, git, lease, open, repository, tree, value, write } from "../fixture.ts";

interface Scene {
  readonly run: Run;
  readonly root: string;
  /** How often set-up ran. */
  readonly setUps: () => number;
  readonly fill: (
    tree: string,
    more?: Partial<CheckTreePlan>,
    control?: Control,
  ) => Promise<Worktree & { readonly cold: boolean }>;
  readonly changed: () => Promise<readonly string[]>;
}

async function scene(files: Record<string, string> = FILES): Promise<Scene> {
  const root = repository(files);
  const run = await open(root);
  let setUps = 0;
  let filled = run.base;
  const caches = ["target", "node_modules/.cache"];
  return {
    ...{ run, root, setUps: () => setUps },
    async fill(of, more = {}, control = {}) {
      filled = of;
      const plan: CheckTreePlan = {
        ...{ number: 101, tree: of, head: of, caches, cold: false, ready: "one" },
        prepare: async ({ path }) => {
          setUps += 1;
          write(path, { "node_modules/tool/index.js": "tool\n", "src/a.ts": "set-up was here\n" });
        },
        ...more,
      };
      const { worktree, cold } = value(await fillCheckTree(run, plan, control));
      return { ...worktree, cold };
    },
    changed: async () =>
      value(await changedInCheckTree(run, { number: 101, tree: filled, caches })),
  };
}

const second = (root: string, files: Record<string, string>): string => {
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-qm", "second");
  return git(root, "rev-parse", "HEAD");
};
const plain = { prepare: async (): Promise<void> => {} };

test("it holds exactly the commit, on its branch, beside the slots", async () => {
  const { run, root, fill, changed } = await scene();
  const { path } = await fill(run.base, plain);
  assert.deepEqual(tree(path), tree(root));
  assert.equal(git(path, "rev-parse", "HEAD"), run.base);
  assert.equal(git(path, "status", "--porcelain"), "");
  assert.ok(path.startsWith(join(run.runDir, "checks")));
  assert.deepEqual(await changed(), []);
});

test("a version by tag is there, as in a clone, in check trees and in slots", async () => {
  const root = repository();
  git(root, "tag", "v1.2.3");
  git(root, "tag", "-a", "-m", "annotated", "v1.2.4");
  const run = await open(root);
  const plan = { number: 101, tree: run.base, head: run.base, caches: [], cold: false, ready: "x" };
  const { worktree } = value(await fillCheckTree(run, { ...plan, ...plain }));
  for (const path of [worktree.path, (await lease(run)).worktree.path]) {
    assert.equal(git(path, "describe"), "v1.2.4");
    assert.equal(git(path, "tag"), "v1.2.3\nv1.2.4");
  }
});

test("whatever a check left is gone before the next: new, changed, deleted and ignored files, and its git dir", async () => {
  const { run, root, fill } = await scene();
  const { path } = await fill(run.base, plain);
  write(path, { "new.txt": "x", "src/a.ts": "changed", "out.log": "ignored", ".env": "secret" });
  rmSync(join(path, "run.sh"));
  writeFileSync(join(path, ".git", "config"), "[core]\nhooksPath = /tmp/evil\n");
  await fill(run.base, plain);
  assert.deepEqual(tree(path), tree(root));
  assert.doesNotMatch(readFileSync(join(path, ".git", "config"), "utf8"), /evil/);
});

test("another commit takes its place whole", async () => {
  const { run, root, fill } = await scene();
  await fill(run.base, plain);
  const next = second(root, { "src/a.ts": "export const a = 2;\n", "src/d/e.ts": "new\n" });
  const { path } = await fill(next, plain);
  assert.deepEqual(tree(path), tree(root));
  await fill(run.base, plain);
  assert.ok(!existsSync(join(path, "src/d")));
});

test("set-up runs once, what it writes to files of the commit is taken back, and it stays as long as it is untouched", async () => {
  const { run, root, fill, setUps } = await scene();
  const { path } = await fill(run.base);
  assert.equal(readFileSync(join(path, "node_modules/tool/index.js"), "utf8"), "tool\n");
  assert.equal(readFileSync(join(path, "src/a.ts"), "utf8"), FILES["src/a.ts"]);
  await fill(second(root, { "src/a.ts": "other\n" }));
  assert.equal(setUps(), 1);
  assert.equal(readFileSync(join(path, "node_modules/tool/index.js"), "utf8"), "tool\n");
  await fill(run.base, { ready: "another lock file" });
  assert.equal(setUps(), 2);
});

test("what set-up made is compared by inode, size and change time; a change is named and made anew", async () => {
  for (const harm of [
    (path: string) => writeFileSync(path, "fool\n"),
    (path: string) => rmSync(path),
    (path: string) => {
      rmSync(path);
      writeFileSync(path, "tool\n");
    },
  ]) {
    const { run, fill, changed, setUps } = await scene();
    const { path } = await fill(run.base);
    assert.deepEqual(await changed(), []);
    harm(join(path, "node_modules/tool/index.js"));
    assert.deepEqual(await changed(), ["node_modules/tool/index.js"]);
    await fill(run.base);
    assert.equal(setUps(), 2);
    assert.equal(readFileSync(join(path, "node_modules/tool/index.js"), "utf8"), "tool\n");
  }
});

test("what came beside set-up's files is swept away without a word: it harms nobody", async () => {
  const { run, fill, changed, setUps } = await scene();
  const { path } = await fill(run.base);
  write(path, { "node_modules/tool/left.js": "left behind\n" });
  assert.deepEqual(await changed(), []);
  await fill(run.base);
  assert.equal(setUps(), 1);
  assert.ok(!existsSync(join(path, "node_modules/tool/left.js")));
});

test("a file of the commit that was written to is named, also with its old size and time", async () => {
  const { run, fill, changed } = await scene();
  const { path } = await fill(run.base, plain);
  writeFileSync(join(path, "src/a.ts"), FILES["src/a.ts"].replace("1", "2"));
  rmSync(join(path, "run.sh"));
  assert.deepEqual([...(await changed())].sort(), ["run.sh", "src/a.ts"]);
});

test("caches stay from one check to the next, and are not there where it is to be cold", async () => {
  const { run, fill, changed, setUps } = await scene();
  const { path, cold } = await fill(run.base);
  assert.ok(cold, "nothing is cached yet");
  write(path, { "target/build": "object", "node_modules/.cache/x": "cached" });
  assert.deepEqual(await changed(), []);
  assert.equal((await fill(run.base)).cold, false);
  assert.ok(
    existsSync(join(path, "target/build")) && existsSync(join(path, "node_modules/.cache/x")),
  );
  assert.equal((await fill(run.base, { cold: true })).cold, true);
  assert.ok(!existsSync(join(path, "target")) && !existsSync(join(path, "node_modules/.cache")));
  assert.equal(setUps(), 1, "set-up is no cache");
});

test("a folder of the commit that is named like a cache is part of the commit", async () => {
  const { run, root, fill } = await scene({ "target/kept.txt": "mine\n" });
  const { path } = await fill(run.base, { ...plain, cold: true });
  assert.deepEqual(tree(path), tree(root));
});

test("a set-up that fails leaves nothing that counts as ready", async () => {
  const { run, fill, setUps } = await scene();
  const failing = {
    prepare: async ({ path }: Worktree): Promise<void> => {
      write(path, { "node_modules/half.js": "half" });
      throw new Error("set-up failed");
    },
  };
  await assert.rejects(fill(run.base, failing), /set-up failed/);
  const { path } = await fill(run.base);
  assert.equal(setUps(), 1);
  assert.ok(!existsSync(join(path, "node_modules/half.js")));
});

for (const point of ["check:cleaned", "check:filled", "check:prepared"] as const)
  test(
    `dies at ${point}: the next fill is whole`,
    point === "check:filled" ? {} : inLargeForm("workspace"),
    async () => {
      const { run, fill, setUps } = await scene();
      const die: Control = {
        onPoint: (name) => {
          if (name === point) throw new Error("dead");
        },
      };
      await assert.rejects(fill(run.base, {}, die), /dead/);
      const before = setUps();
      const { path } = await fill(run.base);
      assert.equal(setUps(), before + 1);
      assert.equal(git(path, "status", "--porcelain"), "");
      assert.equal(readFileSync(join(path, "node_modules/tool/index.js"), "utf8"), "tool\n");
    },
  );

test("a link in the place of the tree leads nowhere", async () => {
  const { run, root, fill } = await scene();
  const { path } = await fill(run.base, plain);
  rmSync(path, { recursive: true });
  mkdirSync(join(run.runDir, "checks"), { recursive: true });
  write(join(run.runDir, "checks"), { "101": `link:${root}` });
  await assert.rejects(fill(run.base, plain), /no longer the folder it was made as/);
});
