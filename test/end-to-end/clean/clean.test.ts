// proves: U6
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "../run/repository.ts";
import { onTerminal, WITHOUT_TERMINAL } from "../../cli/terminal/pseudo-terminal.ts";
import { beside, foldersOf, goalArgs, refsOf, runGoal, shell, WORK } from "./places.ts";

const clean = (here: Repository, ...more: string[]): string => {
  const { code, out, err } = here.unstuck("clean", "--older-than", "0", ...more);
  assert.equal(code, 0, err);
  return out;
};

function isGone(here: Repository): void {
  assert.deepEqual(foldersOf(here), []);
  assert.deepEqual(refsOf(here), []);
  assert.match(here.unstuck("status", "--all", "--json").out, /^\{"runs":\[\],/);
  assert.equal(clean(here), "nothing to clean\n");
}

test("V10: what is not applied is kept and said; once applied, everything of the run goes", () => {
  const here = repository();
  try {
    const run = runGoal(here);
    assert.equal(here.unstuck("clean").out, "nothing to clean\n", "it ended just now");
    const kept = clean(here);
    assert.match(kept, new RegExp(`^${run}: kept: 1 commit not applied on unstuck/${run}`));
    assert.match(kept, new RegExp(`unstuck apply ${run}, or unstuck clean ${run} --force`));
    assert.equal(here.unstuck("apply").code, 0);
    assert.match(here.unstuck("clean", run).out, new RegExp(`^${run}: removed`));
    isGone(here);
    assert.equal(here.git("show", "main:value.txt"), "2\n");
  } finally {
    here.remove();
  }
});

test("V10: applied counts by what a branch holds: a squash that was committed, and changed on since", () => {
  const here = repository();
  try {
    const run = runGoal(here);
    assert.equal(here.unstuck("apply", "--squash").code, 0);
    assert.match(clean(here), /kept: 1 commit not applied/, "staged is in no branch");
    here.git("commit", "-qam", "taken over");
    writeFileSync(join(here.path, "value.txt"), "22\n");
    here.git("commit", "-qam", "changed on");
    assert.match(clean(here), new RegExp(`^${run}: removed`));
    isGone(here);
  } finally {
    here.remove();
  }
});

test("V10: force removes what is not applied, but never a branch with commits of the user's", () => {
  const here = repository();
  try {
    const [first, second] = [runGoal(here), runGoal(here)];
    here.git("switch", "-q", `unstuck/${first}`);
    here.git("commit", "-q", "--allow-empty", "-m", "mine");
    here.git("switch", "-q", "main");
    const said = clean(here, "--force");
    assert.match(said, new RegExp(`${second}: removed`));
    assert.match(
      said,
      new RegExp(
        `${first}: removed.*branch unstuck/${first} stays: it holds commits that are not from the run`,
      ),
    );
    assert.deepEqual(refsOf(here), [`refs/heads/unstuck/${first}`]);
    assert.deepEqual(foldersOf(here), []);
  } finally {
    here.remove();
  }
});

test(
  "V10: attempts of a subtask that got stuck are said before they go",
  inLargeForm("clean"),
  () => {
    const here = repository();
    try {
      const ran = here.unstuck(
        ...goalArgs(
          shell("date +%N >> value.txt; echo done"),
          "--stuck-after",
          "1",
          "--recovery-budget",
          "0",
        ),
      );
      assert.equal(ran.code, 3, ran.out + ran.err);
      const [run = ""] = here.runs();
      assert.equal(clean(here), "nothing to clean\n", "a run that asks is not touched");
      for (const more of [[], ["--all"]]) {
        const named = here.unstuck("clean", run, ...more);
        assert.match(
          named.out,
          new RegExp(`^${run}: kept: it needs you; cancel it first: unstuck cancel ${run}`),
        );
      }
      assert.equal(here.unstuck("resolve", "goal/c1", "--skip").code, 0);
      here.unstuck("resume");
      assert.match(
        clean(here),
        /kept: \d attempts? of subtasks that did not make it into the result/,
      );
      assert.match(clean(here, "--force"), /removed/);
      isGone(here);
    } finally {
      here.remove();
    }
  },
);

test("V10: on a terminal each is asked about", { skip: WITHOUT_TERMINAL }, async () => {
  const here = repository();
  try {
    const run = runGoal(here);
    for (const [answer, words] of [
      ["n", /kept: 1 commit not applied/],
      ["y", /removed/],
    ] as const) {
      const terminal = onTerminal(["clean", "--older-than", "0"], {
        cwd: here.path,
        env: here.env,
        columns: 200,
      });
      await terminal.shows(/1 commit not applied on unstuck\/.*\[y\/N\]/s);
      terminal.type(`${answer}\r`);
      assert.equal(await terminal.ended(), 0);
      assert.match(terminal.text(), words);
    }
    assert.deepEqual(foldersOf(here), [], run);
  } finally {
    here.remove();
  }
});

test("V6, V10: clean keeps to this repository unless told otherwise", inLargeForm("clean"), () => {
  const here = repository();
  try {
    const run = runGoal(here);
    here.unstuck("apply");
    const other = beside(here, "other", true);
    assert.equal(other.unstuck("clean", "--older-than", "0").out, "nothing to clean\n");
    const nowhere = beside(here, "nowhere", false);
    assert.match(nowhere.unstuck("clean", "--older-than", "0", "--force").err, /say --all/);
    assert.deepEqual(foldersOf(here), [run]);
    assert.match(
      other.unstuck("clean", "--older-than", "0", "--all").out,
      new RegExp(`^${run}: removed.*a repository`),
    );
    isGone(here);
  } finally {
    here.remove();
  }
});

test("V9: a run killed while it was prepared is cleaned with its folder and pin", () => {
  const here = repository();
  try {
    for (const point of FULL ? ["open:pinned", "open:cloned", "open:based"] : ["open:cloned"]) {
      here.unstuckWith({ UNSTUCK_CRASH_AT: point }, ...goalArgs(WORK));
      assert.equal(refsOf(here).length, 1, point);
      assert.equal(foldersOf(here).length, 1, point);
      assert.match(clean(here), /: removed/);
      isGone(here);
    }
  } finally {
    here.remove();
  }
});

test("V10: folders without a run and pins without a run go, in one line each", () => {
  const here = repository();
  try {
    here.unstuckWith({ UNSTUCK_CRASH_AT: "open:based" }, ...goalArgs(WORK));
    here.git("update-ref", "refs/unstuck/20250101-0000-abcdef/base", "HEAD");
    const [runs, aside] = [join(here.home, "runs"), join(here.home, "aside")];
    renameSync(runs, aside);
    for (const end of ["", "-wal", "-shm"])
      rmSync(join(here.home, `unstuck.db${end}`), { force: true });
    here.unstuck("status");
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(runs, name));
    rmSync(aside, { recursive: true });
    mkdirSync(join(here.home, "runs", "20250101-0000-aaaaaa"));
    const said = clean(here);
    assert.match(said, /removed 2 folders left over from deleted runs/);
    assert.match(said, /removed 2 pins left over from deleted runs/);
    const loose = here.git("commit-tree", "-m", "loose", "HEAD^{tree}").trim();
    here.git("update-ref", "refs/unstuck/20250101-0000-bbbbbb/base", loose);
    assert.match(clean(here), /^kept 1 pin for commits that nothing else refers to/);
    assert.match(clean(here, "--force"), /^removed 1 pin left over from deleted runs/);
    isGone(here);
  } finally {
    here.remove();
  }
});

const POINTS = ["marked", "slots", "branch", "unpinned", "clone", "folder"];

function cutOff(here: Repository, run: string, point: string): void {
  const cut = here.unstuckWith({ UNSTUCK_CRASH_AT: `clean:${point}` }, "clean", run, "--force");
  assert.equal(cut.code, null, `${point}: ${cut.out}${cut.err}`);
  assert.ok(here.unstuck("status", "--json").out.includes(run), `${point}: the row goes last`);
}

test("V10: killed at one point after the other, the next clean goes on from there", () => {
  const here = repository();
  try {
    const run = runGoal(here);
    for (const point of POINTS) cutOff(here, run, point);
    assert.match(clean(here), new RegExp(`^${run}: removed`));
    isGone(here);
  } finally {
    here.remove();
  }
});

test("V10: killed at any one point, the next clean finishes it", inLargeForm("clean"), () => {
  const here = repository();
  try {
    for (const point of POINTS) {
      const run = runGoal(here);
      cutOff(here, run, point);
      assert.match(clean(here), new RegExp(`^${run}: removed`), point);
      isGone(here);
    }
  } finally {
    here.remove();
  }
});
