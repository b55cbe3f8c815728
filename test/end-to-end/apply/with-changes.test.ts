// proves: V27
import assert from "node:assert/strict";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Repository } from "../run/repository.ts";
import { finishedRun } from "./finished-run.ts";

const lines = (...changed: readonly [number, string][]): string => {
  const all = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  for (const [at, text] of changed) all[at - 1] = text;
  return `${all.join("\n")}\n`;
};

const FILES = {
  "both.txt": lines(),
  "staged.txt": lines(),
  "gone.txt": "gone\n",
  "moved.txt": lines([1, "to be moved"]),
  "agent.txt": "1\n",
};

/** Every kind of uncommitted change there is. */
function dirty(here: Repository): void {
  const { path } = here;
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  write("both.txt", lines([2, "staged by me"]));
  write("staged.txt", lines([2, "staged by me"]));
  write("am.txt", "staged version\n");
  here.git("add", "both.txt", "staged.txt", "am.txt");
  write("both.txt", lines([2, "staged by me"], [4, "unstaged by me"]));
  write("am.txt", "later version\n");
  here.git("rm", "-q", "gone.txt");
  renameSync(join(path, "moved.txt"), join(path, "here now.txt"));
  here.git("add", "-A", "moved.txt", "here now.txt");
  write("meant.txt", "meant to be added\n");
  here.git("add", "-N", "meant.txt");
  write("untracked.txt", "untracked\n");
}

const stateOf = (here: Repository): readonly string[] => [
  here.git("status", "--porcelain"),
  here.git("show", ":am.txt"),
  here.git("diff", "--cached", "--stat", "--", "gone.txt", "moved.txt", "here now.txt", "am.txt"),
];

test("V27: the user's changes stay as they were, staged, unstaged and untracked, and are in no commit", () => {
  const work = {
    write: {
      "agent.txt": "2\n",
      "made.txt": "made\n",
      "both.txt": lines([2, "staged by me"], [4, "unstaged by me"], [18, "by the agent"]),
      "here now.txt": lines([1, "to be moved"], [18, "by the agent"]),
    },
  };
  const { here, run, read, done } = finishedRun(FILES, work, {
    before: dirty,
    flags: ["--with-changes"],
  });
  try {
    const start = here.git("rev-parse", "HEAD");
    const before = stateOf(here);
    assert.match(done("apply"), /: 4 files, /);
    assert.deepEqual(stateOf(here), before);
    const committed = here.git("diff", "--name-only", start.trim(), "HEAD").trim().split("\n");
    assert.deepEqual(committed, ["agent.txt", "both.txt", "made.txt", "moved.txt"]);
    assert.equal(here.git("show", "HEAD:both.txt"), lines([18, "by the agent"]));
    assert.equal(here.git("show", ":both.txt"), lines([2, "staged by me"], [18, "by the agent"]));
    assert.equal(read("both.txt"), work.write["both.txt"]);
    assert.equal(read("here now.txt"), work.write["here now.txt"]);
    assert.match(done("apply"), /main in .* already has everything/);
    done("undo", run);
    assert.deepEqual([here.git("rev-parse", "HEAD"), ...stateOf(here)], [start, ...before]);
    assert.equal(here.git("show", ":both.txt"), lines([2, "staged by me"]));
    const base = here.git("log", "--format=%s%n%b", `${start.trim()}..unstuck/${run}`);
    assert.match(base, /Uncommitted changes of the checkout[^]*not part of the result/i);
  } finally {
    here.remove();
  }
});

test("V27: a change of lines that only the user's changes have is no commit: refused, --squash leaves it uncommitted", () => {
  const work = { write: { "am.txt": "later version\nby the agent\n", "agent.txt": "2\n" } };
  const { here, run, read, done } = finishedRun(FILES, work, {
    before: dirty,
    flags: ["--with-changes"],
  });
  try {
    const before = stateOf(here);
    const refused = here.unstuck("apply");
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--squash.*am\.txt/);
    assert.deepEqual(stateOf(here), before);
    done("apply", "--squash");
    assert.equal(read("am.txt"), "later version\nby the agent\n");
    assert.equal(here.git("show", ":am.txt"), "staged version\n");
    assert.equal(
      here.git("diff", "--cached", "--name-only", "--", "agent.txt").trim(),
      "agent.txt",
    );
    assert.match(done("apply", "--squash"), /already has everything/);
    done("undo", run);
    assert.deepEqual(stateOf(here), before);
    assert.equal(read("am.txt"), "later version\n");
    rmSync(join(here.path, "untracked.txt"));
    assert.equal(existsSync(join(here.path, "meant.txt")), true);
  } finally {
    here.remove();
  }
});
