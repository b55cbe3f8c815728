// proves: U6
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "../run/repository.ts";
import { foldersOf, goalArgs, refsOf, runGoal, shell, WORK } from "./places.ts";

function leavesNothing(here: Repository, refs: readonly string[] = []): void {
  assert.match(here.unstuck("status", "--json").out, /^\{"runs":\[\],/);
  assert.deepEqual(foldersOf(here), []);
  assert.deepEqual(refsOf(here), refs);
}

test(
  "V32: a branch named like ours is seen before the start, loose or packed, and leaves nothing",
  inLargeForm("clean"),
  () => {
    const here = repository();
    try {
      here.git("branch", "unstuck");
      for (const pack of [false, true]) {
        if (pack) here.git("pack-refs", "--all");
        for (const detach of [[], ["--detach"]]) {
          const refused = here.unstuck(...goalArgs(WORK, ...detach));
          assert.equal(refused.code, 2, refused.out);
          assert.match(refused.err, /branch unstuck is in the way.*git branch -m unstuck/);
          leavesNothing(here, ["refs/heads/unstuck"]);
        }
      }
      here.git("branch", "-m", "unstuck", "mine");
      runGoal(here);
    } finally {
      here.remove();
    }
  },
);

test("V32: a branch made during the run: one line, and resume publishes once it is renamed", () => {
  const here = repository();
  try {
    const agent = shell(
      `git -C "$UNSTUCK_TEST_REPO" branch unstuck; echo 2 > value.txt; echo done`,
    );
    const env = { UNSTUCK_TEST_REPO: here.path };
    const ran = here.unstuckWith(env, ...goalArgs(agent));
    const run = /run (\S+)/.exec(ran.err)?.[1] ?? "";
    assert.equal(ran.code, 1, ran.err + ran.out);
    assert.match(ran.err, new RegExp(`branch unstuck is in the way.*unstuck resume ${run}\n`));
    assert.doesNotMatch(ran.err, /unexpected error|\n\s+at /);
    here.git("branch", "-m", "unstuck", "mine");
    assert.equal(here.unstuck("resume", run).code, 0);
    assert.equal(here.git("show", `unstuck/${run}:value.txt`), "2\n");
  } finally {
    here.remove();
  }
});

test("V35: a refused start leaves neither row nor folder nor pin", () => {
  const here = repository();
  try {
    writeFileSync(
      join(here.path, "unstuck.yaml"),
      "agent: 'true'\nsubtasks: [{ id: a, prompt: b }]\n",
    );
    assert.equal(here.unstuck("run").code, 3, "not trusted");
    leavesNothing(here);
    writeFileSync(join(here.path, "unstuck.yaml"), "subtasks: 5\n");
    assert.equal(here.unstuck("run", "--trust").code, 2, "no plan");
    leavesNothing(here);
    here.git("config", "core.sparseCheckout", "true");
    const sparse = here.unstuck(...goalArgs(WORK, "--with-changes"));
    assert.equal(sparse.code, 2, sparse.out);
    leavesNothing(here);
    here.git("config", "core.sparseCheckout", "false");
    const inside = here.unstuckWith({ UNSTUCK_HOME: join(here.path, "home") }, ...goalArgs(WORK));
    assert.equal(inside.code, 2, inside.out);
    assert.deepEqual(refsOf(here), []);
    here.git("checkout", "-q", "--", ".");
  } finally {
    here.remove();
  }
});
