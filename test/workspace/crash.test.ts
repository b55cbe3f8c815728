// proves: U6
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { loadRun, POINTS, snapshots, type Point } from "./operations.ts";
import {
  fingerprint,
  folder,
  git,
  lease,
  open,
  repository,
  tree,
  value,
  write,
} from "./fixture.ts";
import { LAST, STEPS, USER_STEPS, type World } from "./scenario.ts";

const template = repository();
for (const way of ["clean", "smudge"])
  git(template, "config", `filter.rot.${way}`, "tr a-zA-Z n-za-mN-ZA-M");
write(template, { ".gitattributes": "*.rot filter=rot\n", "secret.rot": "secret\n" });
git(template, "submodule", "--quiet", "add", repository({ "lib.ts": "lib\n" }), "vendor/lib");
git(template, "add", "-A");
git(template, "commit", "-q", "-m", "a filter and a submodule");
write(template, { "src/a.ts": "dirty\n", "own.ts": "own\n", ".env": "KEY=1" });
git(template, "add", "own.ts");

function newWorld(withChanges: boolean): World {
  const root = join(folder("copy"), "user");
  cpSync(template, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return { root, runDir: join(folder("run"), "run"), withChanges };
}

/** Plays all steps; one that dies, once at each of `points`, is played again. Gives all points seen. */
async function play(
  world: World,
  steps: typeof STEPS,
  points: readonly Point[],
): Promise<Set<Point>> {
  const seen = new Set<Point>();
  const armed = new Set(points);
  const onPoint = (name: Point): void => {
    seen.add(name);
    if (armed.delete(name)) throw new Error("died here");
  };
  for (const [, step] of steps)
    for (let done = false; !done;)
      try {
        await step(world, { onPoint });
        done = true;
      } catch (error) {
        if ((error as Error).message !== "died here") throw error;
      }
  return seen;
}

/** Everything that must not depend on where the process died; one more rescue of a slot is fine. */
async function endState(world: World): Promise<Record<string, unknown>> {
  const run = value(await loadRun(world.runDir));
  const slots = join(world.runDir, "slots");
  const labels = value(await snapshots(run))
    .filter((each) => !/^(lease [12]\.rescue|(undo-)?apply-1\.rescue(\.\d)?)$/.test(each.label))
    .map((each) => `${each.label} ${each.tree}`);
  return {
    user: fingerprint(world.root),
    one: tree(join(slots, "1")),
    two: tree(join(slots, "2")),
    checked: tree(join(world.runDir, "checks", "101")),
    heads: ["1", "2"].map((slot) => git(join(slots, slot), "rev-parse", "HEAD")),
    refs: git(
      join(world.runDir, "clone.git"),
      "for-each-ref",
      "refs/heads",
      "refs/unstuck/subtask",
    ),
    labels: labels.sort(),
  };
}

const inTheRun = POINTS.filter((name) => !/^(apply|undo|clean):/.test(name));

// In the small form property.test.ts dies at some of them.
test("died at one point and repeated: the same end", inLargeForm("workspace"), async () => {
  const calm = newWorld(false);
  const seen = await play(calm, STEPS, []);
  const expected = await endState(calm);
  assert.deepEqual(
    inTheRun.filter((name) => !seen.has(name)),
    [],
  );
  for (const point of inTheRun) {
    const world = newWorld(false);
    await play(world, STEPS, [point]);
    assert.deepEqual(await endState(world), expected, point);
  }
});

test(
  "with changes, and died at every point in turn: the same end",
  inLargeForm("workspace"),
  async () => {
    const calm = newWorld(true);
    await play(calm, STEPS, []);
    const world = newWorld(true);
    await play(world, STEPS, POINTS);
    assert.deepEqual(await endState(world), await endState(calm));
  },
);

test("died in apply, undo and clean-up: the user's checkout is as it was", async () => {
  const calm = newWorld(true);
  const before = tree(calm.root);
  await play(calm, STEPS, []);
  const [apply, undo] = [USER_STEPS.slice(0, 1), USER_STEPS.slice(1)];
  await play(calm, apply, []);
  assert.equal(readFileSync(join(calm.root, "two.ts"), "utf8"), "2\n");
  const world = newWorld(true);
  await play(world, STEPS, []);
  const seen = await play(world, apply, POINTS);
  assert.deepEqual(tree(world.root), tree(calm.root));
  assert.equal(git(world.root, "rev-parse", "HEAD"), git(calm.root, "rev-parse", "HEAD"));
  for (const name of await play(world, undo, POINTS)) seen.add(name);
  assert.deepEqual(tree(world.root), before);
  assert.equal(git(world.root, "rev-parse", "HEAD"), git(template, "rev-parse", "HEAD"));
  for (const name of await play(world, LAST, POINTS)) seen.add(name);
  assert.deepEqual(
    POINTS.filter((name) => !inTheRun.includes(name) && !seen.has(name)),
    [],
  );
  assert.equal(existsSync(world.runDir), false);
  assert.equal(git(world.root, "for-each-ref", "refs/unstuck"), "");
});

test("kill -9 of the whole process", inLargeForm("workspace"), async () => {
  const calm = newWorld(false);
  await play(calm, [...STEPS, ...USER_STEPS], []);
  const expected = await endState(calm);
  for (const point of ["open:cloned", "lease:written", "apply:written"]) {
    const world = newWorld(false);
    const file = join(folder("journal"), "journal.json");
    writeFileSync(file, JSON.stringify({ world, done: 0 }));
    const script = join(import.meta.dirname, "scenario.ts");
    const first = spawnSync(process.execPath, [script, file, point], { encoding: "utf8" });
    assert.equal(first.signal, "SIGKILL", first.stderr);
    const second = spawnSync(process.execPath, [script, file, "none"], { encoding: "utf8" });
    assert.equal(second.status, 0, second.stderr);
    const ended = await endState(world);
    for (const part of ["one", "two", "refs", "heads", "labels"])
      assert.deepEqual(ended[part], expected[part], `${point} ${part}`);
    assert.deepEqual(tree(world.root), tree(calm.root));
  }
});

for (const variable of ["GIT_DIR", "UNSTUCK_GIT_DIR"])
  test(`a git that a killed owner left at work is waited for, known by ${variable}`, () =>
    awaitsOrphan(variable));

async function awaitsOrphan(variable: string): Promise<void> {
  const run = await open(repository());
  const gitDir = join(run.runDir, "private", "9", "git");
  cpSync(join(run.runDir, "clean.git"), gitDir, { recursive: true });
  writeFileSync(join(gitDir, "index.lock"), "");
  const { PATH = "", HOME = "" } = process.env;
  const orphan = spawn("git", ["-c", "alias.linger=!sleep 1", "linger"], {
    cwd: run.root,
    env: { PATH, HOME, [variable]: gitDir },
    stdio: "ignore",
  });
  await once(orphan, "spawn");
  await lease(run, { slot: "9" });
  assert.notEqual(orphan.exitCode, null);
}
