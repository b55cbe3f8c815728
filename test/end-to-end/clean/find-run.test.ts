// proves: U16
import assert from "node:assert/strict";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import { repository } from "../run/repository.ts";
import { beside, runGoal } from "./places.ts";

/** One run for those that only look at it. */
const here = repository();
after(() => here.remove());
const run = runGoal(here);
const other = beside(here, "other", true);
const nowhere = beside(here, "nowhere", false);

/** All find their run in the same way; those that change something come first. */
const COMMANDS = ["apply", "undo", "resume", "diff", "stop", "explain", "report", "events"];

test("V6: without a name a command means the latest run of this repository, never one of another", () => {
  for (const command of FULL ? COMMANDS : COMMANDS.slice(0, 4)) {
    const { code, err } = other.unstuck(command);
    assert.equal(code, 2, `${command}: ${err}`);
    assert.match(
      err,
      /no run in this repository.*1 run of other repositories.*unstuck status --all/,
    );
    const outside = nowhere.unstuck(command);
    assert.equal(outside.code, 2, `${command}: ${outside.err}`);
    assert.match(outside.err, /not in a git repository.*unstuck status --all/);
  }
  assert.equal(here.git("log", "--format=%s", "main").trim(), "start");
  assert.equal(other.unstuck("diff", run.slice(-6)).code, 0, "an id reaches any repository");
  assert.match(here.unstuck("diff").out, /value\.txt/);
});

test("V6: status and inbox list this repository, say what is elsewhere, and list all where asked", () => {
  assert.match(
    here.unstuck("status").out,
    new RegExp(`^${run} +verified .*apply: unstuck apply ${run}$`, "m"),
  );
  const listed = other.unstuck("status").out;
  assert.match(
    listed,
    /no runs in this repository[^]*1 run of other repositories: unstuck status --all/,
  );
  assert.doesNotMatch(listed, new RegExp(run));
  const root = realpathSync(here.path);
  for (const all of [other.unstuck("status", "--all"), nowhere.unstuck("status")])
    assert.ok(all.out.includes(run) && all.out.includes(root), all.out);
  const {
    runs: [row],
  } = JSON.parse(other.unstuck("status", "--all", "--json").out) as {
    runs: { id: string; repository: string; branch: string }[];
  };
  assert.deepEqual([row?.id, row?.repository, row?.branch], [run, root, "main"]);
  assert.match(other.unstuck("status", "--json").out, /^\{"runs":\[\],/);
});

test(
  "V6: a question of another repository is not answered by a name that is not its run's",
  inLargeForm("clean"),
  () => {
    const here = repository();
    try {
      const agent = "sh -c 'echo \"API key is not valid. Please run /login\" >&2; exit 1'";
      const asked = here.unstuck(
        "run",
        "--goal",
        "x",
        "--check",
        "false",
        "--no-grounding",
        "--agent",
        agent,
      );
      assert.equal(asked.code, 3, asked.err + asked.out);
      const other = beside(here, "other", true);
      assert.match(here.unstuck("inbox").out, /goal\/c1|run\/c1|c1/);
      assert.match(
        other.unstuck("inbox").out,
        /No open questions here\.[^]*1 question in other repositories: unstuck inbox --all/,
      );
      assert.match(other.unstuck("inbox", "--all").out, /c1[^]*a repository/);
      const { run, id } = JSON.parse(here.unstuck("inbox", "--json").out) as {
        run: string;
        id: string;
      };
      const refused = other.unstuck("resolve", id, "--skip");
      assert.equal(refused.code, 2, refused.out);
      assert.match(refused.err, /no open question.*--run/);
      assert.equal(other.unstuck("resolve", id, "--skip", "--run", run).code, 0);
    } finally {
      here.remove();
    }
  },
);

test("V6: a linked worktree takes the main checkout's run where it has none of its own, and says so", () => {
  here.git("worktree", "add", "-q", "-b", "side", join(here.path, "..", "side"));
  const side = beside(here, "side", false);
  const shown = side.unstuck("diff");
  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.err, new RegExp(`run ${run} .*${realpathSync(here.path)}`));
  writeFileSync(join(side.path, "value.txt"), "1\n");
  assert.match(side.unstuck("status").out, new RegExp(run));
});
