// proves: U6
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  advance,
  type Control,
  goodCommit,
  leaseSlot,
  merge,
  openRun,
  type Point,
  POINTS,
  publish,
  restore,
  type Result,
  resultTip,
  rollback,
  type Run,
  snapshot,
} from "./operations.ts";
import { AT, fingerprint, folder, git, tree, value, write } from "./fixture.ts";

const RUNS = Number(process.env["UNSTUCK_PROPERTY_RUNS"] ?? 8);

const names = [
  "a.ts",
  "b b.ts",
  "ünï/ç.txt",
  "dir/x.ts",
  "dir/deep/y.sh",
  "z.log",
  ":(top)q",
  "-n",
];
const name = fc.constantFrom(...names);
const content = fc.constantFrom("one\n", "two\r\n", "", "x:#!/bin/sh\n", "link:a.ts", "\0bin\xff");

/** One thing a person (or an agent) does to a working tree; what cannot be done is left out. */
const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("write" as const), name, content }) },
  fc.record({ do: fc.constant("rename" as const), name, to: name }),
  fc.record({ do: fc.constantFrom("delete" as const, "chmod" as const, "stage" as const), name }),
  fc.record({ do: fc.constantFrom("commit" as const, "stash" as const, "branch" as const) }),
  fc.record({
    do: fc.constant("ignore" as const),
    content: fc.constantFrom("*.ts\n", "dir/\n", "*\n", ""),
  }),
  fc.record({
    do: fc.constant("attributes" as const),
    content: fc.constantFrom("* text=auto\n", "*.ts text eol=crlf ident\n"),
  }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

function act(root: string, { do: what, ...rest }: Deed & { to?: string }): void {
  const { name: path = "", content: text = "", to = "" } = rest as Record<string, string>;
  const at = join(root, path);
  try {
    if (what === "write") write(root, { [path]: text });
    if (what === "rename" && existsSync(at)) renameSync(at, join(root, to));
    if (what === "delete") rmSync(at);
    if (what === "chmod") chmodSync(at, 0o755);
    if (what === "stage") git(root, "add", "--", `./${path}`);
    if (what === "commit") git(root, "commit", "-q", "-a", "-m", "deed");
    if (what === "stash") git(root, "stash", "-q", "-u");
    if (what === "branch")
      git(root, "branch", `b${readdirSync(join(root, ".git/refs/heads")).length}`);
    if (what === "ignore") write(root, { ".gitignore": text });
    if (what === "attributes") write(root, { ".gitattributes": text });
  } catch {
    // not possible in this state
  }
}

const HOSTILE = [
  "git stash -u; git gc -q --prune=now",
  "git config core.worktree /; git config --global --list",
  "git add -A; git commit -qm x; git branch -D main; git push -qf origin HEAD:refs/heads/main",
  "git worktree prune; git checkout -qf HEAD~1; git reset -q --hard",
  "rm -rf .git",
  "git init -q inner; echo in > inner/file; rm -f .gitignore",
];

/** Calls again, once, when the call died at the chosen point. */
const dying = (point: Point) => {
  let armed = true;
  const control: Control = {
    onPoint: (at) => {
      if (at !== point || !armed) return;
      armed = false;
      throw new Error("died here");
    },
  };
  return async <T>(call: (control: Control) => Promise<Result<T>>): Promise<T> => {
    try {
      return value(await call(control));
    } catch (error) {
      if ((error as Error).message !== "died here") throw error;
      return value(await call(control));
    }
  };
};

async function wholeRun(
  root: string,
  runDir: string,
  edits: readonly Deed[],
  hostile: string,
  base: "head" | "with-changes",
  point: Point,
): Promise<void> {
  const sure = dying(point);
  const run: Run = await sure((c) =>
    openRun({ id: "r1", repository: root, runDir, base, at: AT }, c),
  );
  const lease = { slot: "1", commit: run.base, id: "l", at: AT };
  const { worktree } = await sure((c) => leaseSlot(run, lease, c));
  const take = (label: string, start = false) =>
    sure((c) => snapshot(run, worktree, { label, at: AT, start }, c));
  await take("before", true);
  const start = tree(worktree.path);
  for (const edit of edits) act(worktree.path, edit);
  const { PATH = "", HOME = "" } = process.env;
  const agent = { cwd: worktree.path, env: { PATH, HOME, GIT_CEILING_DIRECTORIES: runDir } };
  execFileSync("sh", ["-c", `{ ${hostile}; } >/dev/null 2>&1; true`], agent);
  const edited = tree(worktree.path);
  await take("after");
  await sure((c) => restore(run, worktree, { id: "x", at: AT, snapshot: "before" }, c));
  const restored = tree(worktree.path);
  for (const path of Object.keys(start)) assert.equal(restored[path], start[path], path);
  await sure((c) => restore(run, worktree, { id: "y", at: AT, snapshot: "after" }, c));
  assert.deepEqual(tree(worktree.path), edited);
  const plan = { subtask: "s", snapshot: "after", parent: run.base, message: "m", at: AT };
  const good = await sure((c) => goodCommit(run, plan, c));
  const back = { id: "z", at: AT, commit: run.base, tip: good.commit };
  await sure((c) => rollback(run, worktree, back, c));
  const into = await resultTip(run);
  const merged = await sure((c) =>
    merge(run, { into, commit: good.commit, message: "m", at: AT }, c),
  );
  assert.ok(merged.clean);
  await sure((c) => advance(run, { commit: merged.commit, expected: into }, c));
  await sure((c) => publish(run, c));
  assert.equal(git(join(runDir, "clone.git"), "fsck", "--full", "--no-dangling"), "");
}

test("whatever the user's state and whatever the agent does, the user's repository stays as it is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 14 }),
      fc.array(deed, { maxLength: 8 }),
      fc.constantFrom(...HOSTILE),
      fc.constantFrom("head" as const, "with-changes" as const),
      fc.constantFrom(...POINTS),
      async (states, edits, hostile, base, point) => {
        const root = folder("state");
        git(root, "init", "-q");
        writeFileSync(join(root, ".git/hooks/reference-transaction"), "#!/bin/sh\ntouch ran\n");
        chmodSync(join(root, ".git/hooks/reference-transaction"), 0o755);
        write(root, { "a.ts": "first\n", "dir/x.ts": "x\n" });
        act(root, { do: "stage", name: "a.ts" });
        act(root, { do: "commit" });
        for (const state of states) act(root, state);
        rmSync(join(root, ".git/ran"), { force: true });
        rmSync(join(root, "ran"), { force: true });
        const before = fingerprint(root);
        await wholeRun(root, folder("run"), edits, hostile, base, point);
        const after = fingerprint(root);
        delete after[".git/refs/unstuck/r1/base"];
        delete after[".git/refs/heads/unstuck/r1"];
        assert.deepEqual(after, before);
      },
    ),
    { numRuns: RUNS },
  );
});
