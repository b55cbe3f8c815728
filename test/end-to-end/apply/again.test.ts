// proves: V5, V6, P5
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { finishedRun, type FinishedRun } from "./finished-run.ts";

const FILES = { "value.txt": "1\n", "old.txt": "old\n", "mine.txt": "mine\n" };
const WORK = { write: { "value.txt": "2\n", "new file.txt": "n\n" }, remove: ["old.txt"] };

function withRun(body: (finished: FinishedRun) => void): void {
  const finished = finishedRun(FILES, WORK);
  try {
    body(finished);
  } finally {
    finished.here.remove();
  }
}

/** Commits carry the user's identity, a subject from the prompt, and trailers. */
function assertSigned(here: FinishedRun["here"], run: string): void {
  const [who, subject, ...body] = here
    .git("log", "-1", "--format=%an <%ae> %cn <%ce>%n%s%n%b")
    .trim()
    .split("\n");
  assert.equal(who, "t <t@localhost> t <t@localhost>");
  assert.equal(subject, "Make the value 2.");
  assert.deepEqual(body.slice(-2), [`Unstuck-Run: ${run}`, "Unstuck-Subtask: goal/1"]);
}

test("V5: apply signs its commits; again after undo, reset and new commits it brings what is missing, or says that all is there", () =>
  withRun(({ here, run, read, write, done, status }) => {
    const start = here.git("rev-parse", "HEAD");
    const place = `main in ${here.path}`;
    const all = `${place} already has everything from run ${run}\n`;
    const applied = done("apply");
    assert.ok(applied.startsWith(`applied run ${run} to ${place}: 3 files, +2 -2\n`), applied);
    assert.match(applied, /as they were: unstuck undo \S+ --to apply-1\.rescue/);
    assertSigned(here, run);
    assert.equal(done("apply"), all);
    const asJson = JSON.parse(done("apply", "--json")) as Record<string, unknown>;
    assert.deepEqual(
      [asJson["repository"], asJson["branch"], asJson["files"], asJson["rescue"]],
      [here.path, "main", [], null],
    );
    assert.match(done("undo"), /^undid the apply on main in .*: 3 files/);
    assert.deepEqual([here.git("rev-parse", "HEAD"), read("value.txt")], [start, "1\n"]);
    assert.match(done("apply"), /: 3 files, \+2 -2\n/);
    here.git("reset", "-q", "--hard", start.trim());
    assert.match(done("apply"), /: 3 files, \+2 -2\n/);
    assert.equal(read("value.txt"), "2\n");
    here.git("reset", "-q", "--hard", start.trim());
    write("mine.txt", "mine, later\n");
    here.git("commit", "-qam", "later");
    assert.match(done("apply"), /: 3 files, \+2 -2\n/);
    assert.deepEqual([read("mine.txt"), read("value.txt")], ["mine, later\n", "2\n"]);
    here.git("commit", "-q", "--amend", "-m", "in my own words");
    assert.equal(done("apply"), all);
    assert.equal(status(), "");
  }));

test(
  "V5: what later commits took back is said, and brought again only when asked for",
  inLargeForm("apply"),
  () =>
    withRun(({ here, run, read, done }) => {
      done("apply");
      here.git("revert", "--no-edit", "HEAD");
      const refused = here.unstuck("apply");
      assert.equal(refused.code, 2);
      assert.match(
        refused.err,
        /main .*holds the commits of the run, but later commits took .* back/,
      );
      assert.ok(refused.err.includes(`unstuck apply ${run} --again`), refused.err);
      assert.equal(read("value.txt"), "1\n");
      assert.match(done("apply", run, "--again"), /: 3 files, \+2 -2\n/);
      assert.equal(read("value.txt"), "2\n");
      assert.match(done("apply"), /main in .* already has everything/);
    }),
);

test(
  "V5: undo takes back only what apply did, only on its branch, and leaves what the user made",
  inLargeForm("apply"),
  () =>
    withRun(({ here, run, read, write, done }) => {
      const refuses = (pattern: RegExp): void => {
        const before = [here.git("status", "--porcelain"), here.git("rev-parse", "HEAD")];
        const { code, err } = here.unstuck("undo", run);
        assert.equal(code, 2, err);
        assert.match(err, pattern);
        assert.deepEqual(
          [here.git("status", "--porcelain"), here.git("rev-parse", "HEAD")],
          before,
        );
      };
      refuses(/nothing of it was applied/);
      done("apply", "--squash");
      write("old.txt", "a new file of mine\n");
      refuses(/changed since: old\.txt/);
      rmSync(join(here.path, "old.txt"));
      write("extra.txt", "made meanwhile\n");
      write("new file.txt", "n, edited\n");
      refuses(/changed since: new file\.txt/);
      write("new file.txt", "n\n");
      done("undo", run);
      assert.deepEqual([read("extra.txt"), read("old.txt")], ["made meanwhile\n", "old\n"]);
      assert.equal(existsSync(join(here.path, "new file.txt")), false);
      done("apply");
      here.git("switch", "-qc", "other");
      refuses(/git switch main/);
      const main = here.git("rev-parse", "main");
      here.git("switch", "-q", "main");
      here.git("commit", "-q", "--allow-empty", "-m", "on top");
      refuses(/git revert --no-edit [0-9a-f]{7,}\.\.[0-9a-f]{7,}/);
      assert.equal(here.git("rev-parse", "other"), main);
    }),
);

test(
  "V35: a stale index.lock is named with its age before anything changes",
  inLargeForm("apply"),
  () =>
    withRun(({ here, run, write, done, status }) => {
      write(".git/index.lock", "");
      const { code, err } = here.unstuck("apply", run);
      assert.equal(code, 2);
      assert.match(err, /\.git\/index\.lock .*\(\d+ s old\).*remove it/);
      assert.ok(!err.includes("128"), err);
      rmSync(join(here.path, ".git/index.lock"));
      assert.equal(status(), "");
      done("apply");
    }),
);
