// proves: U7, D7, U16
import assert from "node:assert/strict";
import { spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Ran } from "../../cli/command.ts";
import { repository, type Repository } from "./repository.ts";
import { branchOf, eventsOf, isStarted, owner, pause, until } from "./runs.ts";

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh", "--no-grounding"];
const SLOW_WORK = { write: { "value.txt": "2\n" }, sleepMs: 1500, print: "done" };
const NO_MOUNT = "this machine does not let us mount a small disk";

/** The home on a disk of its own, or false where the system does not let us have one. */
function ownDisk(here: Repository, megabytes: number): boolean {
  mkdirSync(here.home);
  const words = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", here.home];
  return spawnSync("mount", words).status === 0;
}

const unmount = (here: Repository): void => void spawnSync("umount", ["-l", here.home]);

const ballast = (here: Repository): string => join(here.home, "ballast");
function fillDisk(here: Repository): void {
  const { bavail, bsize } = statfsSync(here.home);
  try {
    writeFileSync(ballast(here), "x".repeat(bavail * bsize));
  } catch (error) {
    // The run itself wrote meanwhile: full is full.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** Said in one line that a person can act on, not as a bug with a stack. */
function assertSaid(ran: Ran, words: RegExp): void {
  assert.ok(ran.code !== 0 && ran.code !== null, ran.out);
  assert.match(ran.err, words);
  assert.doesNotMatch(ran.err, /a bug in Unstuck|\n {4}at /);
}

const dispatched = (here: Repository): number =>
  eventsOf(here.events(), "attempt-dispatched").length;

const assertResult = (here: Repository): void =>
  assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");

test(
  "a disk that fills up during an attempt: the run waits, uncounted, and goes on when there is room",
  inLargeForm("run"),
  async (t) => {
    const here = repository();
    if (!ownDisk(here, 64)) return t.skip(NO_MOUNT);
    const agent = here.agent({ goal: [SLOW_WORK] });
    const { child, ended, kill } = owner(here.start(...GOAL, "--agent", agent));
    try {
      await until(here, isStarted);
      fillDisk(here);
      await Promise.race([ended, pause(4000)]);
      assert.equal(child.exitCode, null, "it waits, long after the agent has ended");
      rmSync(ballast(here));
      assert.equal(await ended, 0);
      const failures = eventsOf(here.events(), "failure-classified");
      assert.ok(failures.every(({ counted }) => counted === false));
      assertResult(here);
    } finally {
      await kill();
      unmount(here);
      here.remove();
    }
  },
);

test("a run that is begun on a full disk says so; with room it begins", (t) => {
  const here = repository();
  if (!ownDisk(here, 64)) return t.skip(NO_MOUNT);
  try {
    const agent = here.agent({ goal: [{ ...SLOW_WORK, sleepMs: 0 }] });
    fillDisk(here);
    assertSaid(here.unstuck(...GOAL, "--agent", agent), /disk|space/);
    rmSync(ballast(here));
    const ran = here.unstuck(...GOAL, "--agent", agent);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assertResult(here);
  } finally {
    unmount(here);
    here.remove();
  }
});

test(
  "a journal that cannot be written: every command says so, and the run goes on once it can",
  inLargeForm("run"),
  (t) => {
    const here = repository();
    if (!ownDisk(here, 80)) return t.skip(NO_MOUNT);
    const remount = (how: "ro" | "rw"): void =>
      assert.equal(spawnSync("mount", ["-o", `remount,${how}`, here.home]).status, 0);
    try {
      const agent = here.agent({
        goal: [
          { error: "Error: Invalid API key. Please run /login", exit: 1 },
          { ...SLOW_WORK, sleepMs: 0 },
        ],
      });
      assert.equal(here.unstuck(...GOAL, "--agent", agent).code, 3);
      const before = here.events();
      remount("ro");
      assertSaid(here.unstuck("resume"), /cannot be written/);
      assertSaid(here.unstuck("resolve", "goal/c1", "--retry", "now"), /cannot be written/);
      assertSaid(here.unstuck(...GOAL, "--agent", agent), /cannot be written/);
      remount("rw");
      assert.deepEqual(here.events(), before);
      assert.equal(here.unstuck("resolve", "goal/c1", "--retry", "now").code, 0);
      const ran = here.unstuck("resume");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assertResult(here);
    } finally {
      unmount(here);
      here.remove();
    }
  },
);

test("a journal that is no database is named and left as it is", () => {
  const here = repository();
  try {
    mkdirSync(here.home);
    const database = join(here.home, "unstuck.db");
    writeFileSync(database, "something a person wrote\n".repeat(100));
    const agent = here.agent({ goal: [SLOW_WORK] });
    assertSaid(here.unstuck(...GOAL, "--agent", agent), /unstuck\.db[^]*no database|damaged/);
    assertSaid(here.unstuck("status"), /unstuck\.db/);
    assert.equal(readFileSync(database, "utf8"), "something a person wrote\n".repeat(100));
  } finally {
    here.remove();
  }
});

test("a second owner is refused while the first lives, and the first is not disturbed", async () => {
  const here = repository();
  const agent = here.agent({ goal: [SLOW_WORK] });
  const { ended, kill } = owner(here.start(...GOAL, "--agent", agent));
  try {
    await until(here, isStarted);
    assertSaid(here.unstuck("resume"), /is being worked on by process \d+\. Attach to it/);
    assert.equal(here.unstuck("resume", "--all").out, "no run to resume\n");
    assert.equal(await ended, 0);
    assert.equal(dispatched(here), 1);
    assertResult(here);
  } finally {
    await kill();
    here.remove();
  }
});

test("a clock put back during a wait delays nothing", inLargeForm("run"), async () => {
  const here = repository();
  const jumped = join(here.path, "..", "jumped");
  const clock = join(here.path, "..", "clock.mjs");
  writeFileSync(
    clock,
    `import { existsSync } from "node:fs";\nconst real = Date.now;\n` +
      `Date.now = () => real() - (existsSync(${JSON.stringify(jumped)}) ? 3_600_000 : 0);\n`,
  );
  const agent = here.agent({
    goal: [
      { error: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', exit: 1 },
      { ...SLOW_WORK, sleepMs: 0 },
    ],
  });
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(clock).href}` };
  const began = Date.now();
  const { ended, kill } = owner(startWith(here, env, [...GOAL, "--agent", agent]));
  try {
    await until(here, (events) => eventsOf(events, "wait-scheduled").length > 0);
    writeFileSync(jumped, "");
    assert.equal(await ended, 0);
    assert.ok(Date.now() - began < 1_800_000, "the wait of 5 s did not become an hour");
    const times = here
      .events()
      .flatMap(({ event }) => (event["input"] as { at?: number } | undefined)?.at ?? []);
    assert.ok((times.at(-1) ?? 0) < (times[0] ?? 0), "the clock was put back");
    assert.equal(dispatched(here), 2);
    assertResult(here);
  } finally {
    await kill();
    here.remove();
  }
});

/** As `start`, with more in the environment. */
function startWith(
  here: Repository,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): ChildProcess {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return here.start(...words);
  } finally {
    process.env = before;
  }
}

for (const how of ["moved away", "deleted"] as const)
  test(
    `a repository ${how} during a run: a person is asked at once, and the work is still there`,
    how === "deleted" ? inLargeForm("run") : {},
    async () => {
      const here = repository();
      const elsewhere = `${here.path} elsewhere`;
      const agent = here.agent({ goal: [SLOW_WORK] });
      const { ended, kill } = owner(here.start(...GOAL, "--agent", agent));
      try {
        await until(here, isStarted);
        if (how === "moved away") renameSync(here.path, elsewhere);
        else rmSync(here.path, { recursive: true });
        mkdirSync(here.path);
        assert.equal(await ended, 3);
        assert.ok(dispatched(here) <= 2, `${dispatched(here)} agents were sent into the void`);
        assert.match(here.unstuck("inbox").out, /repository-gone: [^\n]*a repository is gone/);
        const [run = ""] = here.runs();
        const slot = join(here.home, "runs", run, "workspace", "slots", "1");
        assert.equal(readFileSync(join(slot, "value.txt"), "utf8"), "2\n");
        if (how === "deleted") return;
        rmSync(here.path, { recursive: true });
        renameSync(elsewhere, here.path);
        assert.equal(here.unstuck("resolve", "goal/c1", "--retry", "it is back").code, 0);
        const ran = here.unstuck("resume");
        assert.equal(ran.code, 0, ran.out + ran.err);
        assertResult(here);
      } finally {
        await kill();
        here.remove();
      }
    },
  );
