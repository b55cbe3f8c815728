// proves: U6, U11
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  advance,
  apply,
  checkoutWorktree,
  differsFrom,
  fillTree,
  goodCommit,
  inspect,
  leaseSlot,
  openRun,
  publish,
  restore,
  rollback,
  slotWorktree,
  snapshot,
  type Run,
  type Worktree,
} from "../operations.ts";
import { AT, folder, git, kindOf, lease, open, tree, value, write } from "../fixture.ts";

const ROT = "tr a-zA-Z n-za-mN-ZA-M";
const rot = (text: string): string =>
  execFileSync("sh", ["-c", ROT], { input: text, encoding: "utf8" });

/** A repository whose `*.rot` files are turned on their way into git; the driver is in its own config. */
function turned(files: Record<string, string> = {}): string {
  const root = folder("filtered repo");
  git(root, "init", "-q");
  define(root, "rot", { clean: ROT, smudge: ROT, required: "true" });
  write(root, {
    ".gitattributes": "*.rot filter=rot\n*.none filter=undefined\n",
    "secret.rot": "hello\n",
    "sub/other.rot": "other\n",
    "plain.txt": "plain\n",
    "raw.none": "hello\n",
    ...files,
  });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  return root;
}

function define(root: string, driver: string, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables))
    git(root, "config", `filter.${driver}.${name}`, value);
}

const read = (worktree: Worktree, path: string): string =>
  readFileSync(join(worktree.path, path), "utf8");

async function taken(run: Run, worktree: Worktree, label: string, start = false): Promise<string> {
  return value(await snapshot(run, worktree, { label, at: AT, start })).tree;
}

async function committed(run: Run, label: string): Promise<string> {
  const plan = { subtask: label, snapshot: label, parent: run.base, message: label, at: AT };
  return value(await goodCommit(run, plan)).commit;
}

const clone = (run: Run): string => join(run.runDir, "clone.git");

test("slots hold what a checkout has, and an untouched slot is the commit's tree", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  assert.deepEqual(tree(worktree.path), tree(root));
  assert.equal(git(root, "show", "HEAD:secret.rot"), "uryyb");
  const base = git(root, "rev-parse", "HEAD^{tree}");
  assert.equal(await taken(run, worktree, "start", true), base);
  assert.equal(await taken(run, worktree, "again"), base);
  assert.equal(git(worktree.path, "status", "--porcelain"), "");
});

test("a touched file is no change; a changed one is committed cleaned and comes back as it was", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  const base = await taken(run, worktree, "start", true);
  utimesSync(join(worktree.path, "secret.rot"), 1, 1);
  assert.equal(await taken(run, worktree, "touched"), base);
  write(worktree.path, { "secret.rot": "changed\n", "new.rot": "x:new\n", "plain.txt": "more\n" });
  const state = tree(worktree.path);
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  const shown = (path: string): string => git(clone(run), "show", `${commit}:${path}`);
  assert.deepEqual(
    [shown("secret.rot"), shown("new.rot"), shown("plain.txt")],
    ["punatrq", rot("new"), "more"],
  );
  assert.match(git(clone(run), "ls-tree", commit, "new.rot"), /^100755 /);
  write(worktree.path, { "secret.rot": "lost\n" });
  value(await restore(run, worktree, { id: "back", at: AT, snapshot: "after" }));
  assert.deepEqual(tree(worktree.path), state);
  const plan = { id: "roll", at: AT, commit: run.base, tip: commit };
  value(await rollback(run, worktree, plan));
  assert.deepEqual(tree(worktree.path), tree(root));
});

test("the result can be cloned, checked out and applied with the user's filters", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  write(worktree.path, { "secret.rot": "changed\n", "sub/new.rot": "new\n" });
  const state = tree(worktree.path);
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  value(await advance(run, { commit, expected: run.base }));
  value(await publish(run));
  const copy = join(folder("copy"), "clone");
  git(root, "clone", "-q", "--no-checkout", root, copy);
  define(copy, "rot", { clean: ROT, smudge: ROT, required: "true" });
  git(copy, "checkout", "-q", "origin/unstuck/r1");
  assert.deepEqual(tree(copy), state);
  assert.equal(git(copy, "status", "--porcelain"), "");
  value(await apply(run, { at: AT }));
  assert.deepEqual(tree(root), state);
  assert.equal(git(root, "status", "--porcelain"), "");
});

test("a filter that loses something: the snapshot keeps every byte, the commit what clean makes", async () => {
  const root = turned();
  define(root, "strip", { clean: "grep -v output || true", smudge: "cat" });
  write(root, { ".gitattributes": "*.nb filter=strip\n", "a.nb": "cell\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "notebook");
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  write(worktree.path, { "a.nb": "cell\noutput\n", "b.nb": "output\nnew cell\n" });
  const state = tree(worktree.path);
  await taken(run, worktree, "after");
  write(worktree.path, { "a.nb": "gone\n", "b.nb": "gone\n" });
  value(await restore(run, worktree, { id: "back", at: AT, snapshot: "after" }));
  assert.deepEqual(tree(worktree.path), state);
  const commit = await committed(run, "after");
  assert.equal(git(clone(run), "diff", "--name-only", run.base, commit), "b.nb");
  assert.equal(git(clone(run), "show", `${commit}:b.nb`), "new cell");
});

test("no tree and no git dir of an agent's can define a filter", async () => {
  const root = turned();
  const trace = join(folder(), "ran");
  const evil = `sh -c 'touch "${trace}"; cat'`;
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  for (const driver of ["undefined", "rot", "evil"])
    for (const way of ["clean", "smudge"])
      git(worktree.path, "config", `filter.${driver}.${way}`, evil);
  const config = `[filter "undefined"]\n\tclean = touch ${trace}\n\tsmudge = touch ${trace}\n`;
  write(worktree.path, {
    ".gitconfig": config,
    ".git/info/attributes": "* filter=evil\n",
    ".gitattributes": "*.rot filter=rot\n*.none filter=undefined\n*.txt filter=evil\n",
    "raw.none": "changed\n",
    "plain.txt": "changed\n",
    "secret.rot": "changed\n",
  });
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  value(await restore(run, worktree, { id: "back", at: AT, snapshot: "start" }));
  value(await restore(run, worktree, { id: "forth", at: AT, snapshot: "after" }));
  value(await advance(run, { commit, expected: run.base }));
  value(await publish(run));
  value(await apply(run, { at: AT }));
  assert.equal(existsSync(trace), false);
  assert.equal(git(clone(run), "show", `${commit}:raw.none`), "changed");
  assert.equal(git(clone(run), "show", `${commit}:secret.rot`), "punatrq");
  assert.equal(read(worktree, "raw.none"), "changed\n");
});

test("attributes that an agent turns: snapshots come back byte for byte", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  const states: [string, Record<string, string>][] = [];
  const turns = ["", "*.txt filter=rot\n", "* filter=rot\n", "*.rot filter=rot\n*.rot -filter\n"];
  for (const [index, lines] of turns.entries()) {
    write(worktree.path, { ".gitattributes": lines, [`new ${index}*[x].txt`]: `new ${index}\n` });
    await taken(run, worktree, `turn ${index}`);
    states.push([`turn ${index}`, tree(worktree.path)]);
  }
  states.push(["start", tree(root)]);
  for (const [index, [label, state]] of [...states, ...states.toReversed()].entries()) {
    value(await restore(run, worktree, { id: `back ${index}`, at: AT, snapshot: label }));
    assert.deepEqual(tree(worktree.path), state, label);
  }
});

test("a required filter that fails, or never ends, is a refusal that names it; a snapshot is taken all the same", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  const switched = folder("tools");
  write(switched, { tool: `x:#!/bin/sh\n${ROT}\n` });
  const tool = join(switched, "tool");
  define(root, "tool", { clean: `'${tool}'`, smudge: `'${tool}'`, required: "true" });
  write(root, { ".gitattributes": "*.t filter=tool\n", "a.t": "a\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "tool");
  const second = await open(root, { id: "r2" });
  const leased = await lease(second);
  await taken(second, leased.worktree, "start", true);
  write(leased.worktree.path, { "a.t": "changed\n" });
  chmodSync(tool, 0o644);
  const state = tree(leased.worktree.path);
  await taken(second, leased.worktree, "after");
  const plan = { subtask: "s", snapshot: "after", parent: second.base, message: "m", at: AT };
  const refused = await goodCommit(second, plan);
  assert.equal(kindOf(refused), "filter-failed");
  assert.match(
    refused.ok ? "" : refused.refusal.detail,
    /the filter tool of your git config failed/,
  );
  const next = { slot: "2", commit: second.base, id: "l2", at: AT };
  assert.equal(kindOf(await leaseSlot(second, next)), "filter-failed");
  write(switched, { tool: "x:#!/bin/sh\nsleep 1000\n" });
  const limited = { filterLimitMs: 300 };
  assert.equal(kindOf(await leaseSlot(second, next, limited)), "filter-failed");
  assert.equal(kindOf(await goodCommit(second, plan, limited)), "filter-failed");
  write(switched, { tool: `x:#!/bin/sh\n${ROT}\n` });
  value(await restore(second, leased.worktree, { id: "b", at: AT, snapshot: "start" }));
  value(await restore(second, leased.worktree, { id: "f", at: AT, snapshot: "after" }));
  assert.deepEqual(tree(leased.worktree.path), state);
  const { commit } = value(await goodCommit(second, plan));
  assert.equal(git(clone(second), "show", `${commit}:a.t`), rot("changed"));
});

test("with changes: a changed filtered file is part of the base, cleaned; a touched one is not dirty", async () => {
  const root = turned();
  utimesSync(join(root, "sub/other.rot"), 1, 1);
  write(root, { "secret.rot": "unfinished\n", "new.rot": "new\n" });
  const found = value(await inspect(root));
  assert.deepEqual([found.dirty.unstaged, found.dirty.untracked], [["secret.rot"], ["new.rot"]]);
  const run = await open(root, { base: "with-changes" });
  assert.equal(git(clone(run), "show", `${run.base}:secret.rot`), rot("unfinished"));
  const { worktree } = await lease(run);
  assert.deepEqual(tree(worktree.path), tree(root));
});

test("a tree filled from commits says what differs, whatever the stamps say", async () => {
  const root = turned();
  const run = await open(root);
  const { worktree } = await lease(run);
  await taken(run, worktree, "start", true);
  write(worktree.path, { ".gitattributes": "*.txt filter=rot\n", "added.txt": "added\n" });
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  const check = slotWorktree(run, "check");
  execFileSync("mkdir", [check.path]);
  const fill = async (id: string): Promise<void> => {
    assert.deepEqual(await fillTree({ ...run, control: {} }, check, id), {
      emptySubmodules: [],
      pointers: [],
    });
    assert.deepEqual(await differsFrom({ ...run, control: {} }, check, id), []);
  };
  const copy = join(folder("copy"), "clone");
  git(root, "clone", "-q", "--no-checkout", clone(run), copy);
  define(copy, "rot", { clean: ROT, smudge: ROT });
  for (const id of [run.base, commit, run.base, commit]) {
    await fill(id);
    git(copy, "fetch", "-q", clone(run), "+refs/*:refs/all/*");
    git(copy, "rm", "-q", "-r", "--cached", "--ignore-unmatch", ".");
    git(copy, "clean", "-ffdxq");
    git(copy, "checkout", "-q", "-f", id);
    assert.deepEqual(tree(check.path), tree(copy), id);
  }
  const shout = read(check, "plain.txt").toUpperCase();
  write(check.path, { "plain.txt": shout, untracked: "no" });
  utimesSync(join(check.path, "plain.txt"), 1, 1);
  chmodSync(join(check.path, "added.txt"), 0o755);
  execFileSync("rm", [join(check.path, "secret.rot")]);
  assert.deepEqual(await differsFrom({ ...run, control: {} }, check, commit), [
    "added.txt",
    "plain.txt",
    "secret.rot",
  ]);
  assert.ok(
    (await differsFrom({ ...run, control: {} }, check, run.base)).includes(".gitattributes"),
  );
  await fill(commit);
});

test("in place: the user's filtered files come back as they were", async () => {
  const root = turned();
  write(root, { "secret.rot": "the user's\n" });
  const run = await open(root, { inPlace: true, base: "with-changes" });
  const worktree = checkoutWorktree(run);
  const state = tree(root);
  await taken(run, worktree, "start", true);
  write(root, { "secret.rot": "agent\n", "sub/other.rot": "agent\n" });
  await taken(run, worktree, "after");
  const commit = await committed(run, "after");
  const names = git(clone(run), "diff", "--name-only", run.base, commit);
  assert.equal(names, "secret.rot\nsub/other.rot");
  value(await restore(run, worktree, { id: "b", at: AT, snapshot: "start" }));
  assert.deepEqual(tree(root), state);
  value(await rollback(run, worktree, { id: "r", at: AT, commit: run.base, tip: commit }));
  assert.deepEqual(tree(root), state);
});

test("a run of before filters applied goes on as it was", async () => {
  const root = turned();
  const runDir = folder("run");
  const { filters: _, ...run } = await open(root, { runDir });
  assert.equal(
    _?.settings.some(([name]) => name === "filter.rot.clean"),
    true,
  );
  const { worktree } = await lease(run);
  assert.equal(read(worktree, "secret.rot"), "uryyb\n");
  assert.equal(
    kindOf(await openRun({ id: "r1", repository: root, runDir, base: "head", at: AT })),
    "ok",
  );
});
