// proves: U6
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadRun, POINTS, snapshots, type Point } from "../../src/workspace/index.ts";
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
write(template, { "src/a.ts": "dirty\n", "own.ts": "own\n", ".env": "KEY=1" });
git(template, "add", "own.ts");

function newWorld(withChanges: boolean): World {
  const root = join(folder("copy"), "user");
  cpSync(template, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return { root, runDir: join(folder("run"), "run"), withChanges };
}

/** Plays all steps; a step that dies at `point` is played again, once. Gives the points it came by. */
async function play(world: World, steps: typeof STEPS, point: Point | null): Promise<Set<Point>> {
  const seen = new Set<Point>();
  let armed = point;
  for (const [, step] of steps) {
    const onPoint = (name: Point): void => {
      seen.add(name);
      if (name !== armed) return;
      armed = null;
      throw new Error("died here");
    };
    try {
      await step(world, { onPoint });
    } catch (error) {
      if ((error as Error).message !== "died here") throw error;
      await step(world, { onPoint });
    }
  }
  return seen;
}

/** Everything that must not depend on where the process died; one more rescue of a slot is fine. */
async function endState(world: World): Promise<Record<string, unknown>> {
  const run = value(await loadRun(world.runDir));
  const slots = join(world.runDir, "slots");
  const labels = value(await snapshots(run))
    .filter((each) => !/^(lease [12]\.rescue|apply\.rescue\.2)$/.test(each.label))
    .map((each) => `${each.label} ${each.tree}`);
  return {
    user: fingerprint(world.root),
    one: tree(join(slots, "1")),
    two: tree(join(slots, "2")),
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

for (const withChanges of [false, true])
  test(`died at any point and repeated: the same end (with changes: ${withChanges})`, async () => {
    const calm = newWorld(withChanges);
    const seen = await play(calm, STEPS, null);
    const expected = await endState(calm);
    const points = POINTS.filter((name) => !/^(apply|undo|clean):/.test(name));
    assert.deepEqual(
      points.filter((name) => !seen.has(name)),
      [],
    );
    const different = withChanges ? points.filter((name) => name.startsWith("open:")) : points;
    for (const point of different) {
      const world = newWorld(withChanges);
      await play(world, STEPS, point);
      assert.deepEqual(await endState(world), expected, point);
    }
  });

test("died in apply, undo or clean-up and repeated: the user's checkout is as it was", async () => {
  const calm = newWorld(true);
  const before = tree(calm.root);
  await play(calm, STEPS, null);
  const [apply, undo] = [USER_STEPS.slice(0, 1), USER_STEPS.slice(1)];
  await play(calm, apply, null);
  const applied = tree(calm.root);
  assert.equal(readFileSync(join(calm.root, "two.ts"), "utf8"), "2\n");
  for (const point of POINTS.filter((name) => /^(apply|undo|clean):/.test(name))) {
    const world = newWorld(true);
    await play(world, STEPS, null);
    const seen = await play(world, apply, point);
    assert.deepEqual(tree(world.root), applied, point);
    assert.equal(git(world.root, "rev-parse", "HEAD"), git(world.root, "rev-parse", "unstuck/r1"));
    for (const name of await play(world, undo, point)) seen.add(name);
    assert.deepEqual(tree(world.root), before, point);
    assert.equal(git(world.root, "rev-parse", "HEAD"), git(template, "rev-parse", "HEAD"));
    for (const name of await play(world, LAST, point)) seen.add(name);
    assert.equal(seen.has(point), true, point);
    assert.equal(existsSync(world.runDir), false, point);
    assert.equal(git(world.root, "for-each-ref", "refs/unstuck"), "", point);
  }
});

test("kill -9 of the whole process", async () => {
  const calm = newWorld(false);
  await play(calm, [...STEPS, ...USER_STEPS], null);
  const expected = await endState(calm);
  for (const point of ["open:cloned", "lease:written", "snapshot:staged", "apply:cleared"]) {
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

test("a git that a killed owner left at work is waited for", async () => {
  const run = await open(repository());
  const gitDir = join(run.runDir, "private", "9", "git");
  cpSync(join(run.runDir, "clean.git"), gitDir, { recursive: true });
  writeFileSync(join(gitDir, "index.lock"), "");
  const { PATH = "", HOME = "" } = process.env;
  const orphan = spawn("git", ["-c", "alias.linger=!sleep 1", "linger"], {
    env: { PATH, HOME, GIT_DIR: gitDir },
    stdio: "ignore",
  });
  await once(orphan, "spawn");
  await lease(run, { slot: "9" });
  assert.notEqual(orphan.exitCode, null);
});
