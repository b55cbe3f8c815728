// proves: V30, V35
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Repository } from "../run/repository.ts";
import { assertSnapshot } from "../faults/snapshot.ts";
import { finishedRun, type FinishedRun } from "./finished-run.ts";
import { noSmallDisk, onSmallDisk, type SmallDisk } from "./small-disk.ts";

const skip = noSmallDisk();

function assertSaid(name: string, here: Repository, ...args: string[]): void {
  const masks = { [here.path]: "<repository>", [here.home]: "<home>" };
  assertSnapshot(name, [{ command: `unstuck ${args.join(" ")}`, ...here.unstuck(...args) }], masks);
}

const COUNT = 30;
/** Neither git nor a file system makes it smaller. */
const content = (seed: number, lines = 2000): string => {
  let state = seed;
  const next = (): number => (state = (state * 1103515245 + 12345) & 0x7fffffff);
  return Array.from({ length: lines }, () => next().toString(36)).join("\n");
};
const files = (from: number, lines?: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [`file ${at}.txt`, `${content(from + at, lines)}\n`]),
  );
const FILES = files(1);
const WORK = { write: { ...files(1000, 4000), "new.txt": "new\n" }, remove: ["file 3.txt"] };

/** All that must not have changed: files, index, branches, and nothing left in the object store. */
function stateOf(here: Repository): unknown {
  const { path } = here;
  const packs = readdirSync(join(path, ".git/objects/pack"));
  return {
    status: here.git("status", "--porcelain"),
    refs: here.git("for-each-ref"),
    files: Object.keys(FILES).map((name) => readFileSync(join(path, name), "utf8")),
    left: packs.filter((name) => name.startsWith("tmp_")),
    fsck: here.git("fsck", "--connectivity-only", "--no-dangling"),
  };
}

function withDisk(body: (finished: FinishedRun, disk: SmallDisk) => void): void {
  const finished = finishedRun(FILES, WORK);
  const disk = onSmallDisk(finished.here.path, 8);
  try {
    body(finished, disk);
  } finally {
    disk.remove();
    finished.here.remove();
  }
}

/** A filter that fills the disk when git writes files: almost, the first time, or wholly, whenever it does. */
function fillingFilter(here: Repository, when: "once" | "always"): void {
  const { bavail, bsize } = statfsSync(here.path);
  const blocks = Math.floor((bavail * bsize) / 4096) - 40;
  const count = when === "once" ? ` count=${blocks}` : "";
  const fill = `dd if=/dev/zero of=.git/full-$$ bs=4k${count} 2>/dev/null`;
  const words =
    when === "once" ? `test -e .git/full-was || { touch .git/full-was; ${fill}; }` : fill;
  here.git("config", "filter.fill.smudge", `sh -c '${words}; cat'`);
  here.git("config", "filter.fill.clean", "cat");
  writeFileSync(join(here.path, ".git/info/attributes"), "*.txt filter=fill\n");
}

function endFilling(here: Repository): void {
  rmSync(join(here.path, ".git/info/attributes"));
  for (const name of readdirSync(join(here.path, ".git")))
    if (name.startsWith("full-")) rmSync(join(here.path, ".git", name));
}

test(
  "V30: without room apply and undo change nothing and take none of what is left",
  { skip },
  () =>
    withDisk(({ here, run, done }, disk) => {
      const before = stateOf(here);
      disk.fill(300_000);
      assertSaid("apply-disk-full", here, "apply", run);
      assert.deepEqual(stateOf(here), before);
      disk.free();
      disk.remount("ro");
      assertSaid("apply-read-only", here, "apply", run);
      disk.remount("rw");
      assert.deepEqual(stateOf(here), before);
      done("apply", run);
      const applied = here.git("rev-parse", "HEAD");
      disk.fill(300_000);
      assertSaid("undo-disk-full", here, "undo", run);
      assert.equal(here.git("status", "--porcelain") + here.git("rev-parse", "HEAD"), applied);
      disk.free();
      done("undo", run);
      assert.deepEqual(stateOf(here), before);
    }),
);

test("V30: a disk that fills while apply writes: back as it was, by itself", { skip }, () =>
  withDisk(({ here, run, done }) => {
    const before = stateOf(here);
    fillingFilter(here, "once");
    assertSaid("apply-fills-disk", here, "apply", run);
    endFilling(here);
    assert.deepEqual(stateOf(here), before);
    assert.match(done("apply", run), /: 31 files/);
  }),
);

test(
  "V30: where that fails too, one line names the command that mends it, and it does",
  inLargeForm("apply", skip),
  () =>
    withDisk(({ here, run, done }) => {
      const before = stateOf(here);
      fillingFilter(here, "always");
      assertSaid("apply-half-changed", here, "apply", run);
      endFilling(here);
      done("undo", run);
      assert.deepEqual(stateOf(here), before);
    }),
);

test(
  "V30: a result that has no room stays unpublished, is said in one line, and comes with resume",
  { skip },
  () => {
    let disk: SmallDisk | undefined;
    const here = finishedRun({ "value.txt": "1\n" }, { write: { "value.txt": "2\n" } }).here;
    try {
      const agent = here.agent({ goal: [{ write: files(5000), print: "done" }] });
      disk = onSmallDisk(here.path, 6);
      disk.fill(350_000);
      const goal = ["run", "--goal", "many", "--check", "true", "--no-grounding"];
      const ran = here.unstuck(...goal, "--agent", agent);
      assert.equal(ran.code, 1, ran.out + ran.err);
      assert.match(
        ran.err,
        /^unstuck: the result of run .* could not be published: disk-full.*unstuck resume \S+$/m,
      );
      assert.ok(!ran.err.includes("a bug"), ran.err);
      const [run = ""] = here.runs();
      assertSaid("publish-disk-full", here, "resume", run);
      const left = readdirSync(join(here.path, ".git/objects/pack")).filter((n) =>
        n.startsWith("tmp_"),
      );
      assert.deepEqual(left, []);
      disk.free();
      assert.equal(here.unstuck("resume", run).code, 0);
      assert.equal(here.git("show", `unstuck/${run}:file 1.txt`), files(5000)["file 1.txt"]);
    } finally {
      disk?.remove();
      here.remove();
    }
  },
);

test("V35: a stale index.lock is said in one line", () => {
  const { here, run } = finishedRun({ "value.txt": "1\n" }, { write: { "value.txt": "2\n" } });
  try {
    writeFileSync(join(here.path, ".git/index.lock"), "");
    assertSaid("stale-index-lock", here, "apply", run);
    assertSaid("stale-index-lock-undo", here, "undo", run);
  } finally {
    here.remove();
  }
});
