/**
 * One whole run in small steps, each of which may die at a named point and be repeated, as the runtime
 * will do it from its journal. Imports the workspace and the fixture. Run as a program it plays the steps
 * of a world given as JSON and kills itself with SIGKILL at a point, to prove the same for real deaths.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as workspace from "./operations.ts";
import type { Control, Result, Run, Worktree } from "./operations.ts";

export interface World {
  readonly root: string;
  readonly runDir: string;
  readonly withChanges: boolean;
}

type Step = (world: World, control: Control) => Promise<unknown>;

const AT = 1_700_000_000_000;

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.kind}: ${result.refusal.detail}`);
  return result.value;
}

const put = (worktree: Worktree, files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(worktree.path, name), text);
};

async function at(world: World, slot = "1"): Promise<{ run: Run; worktree: Worktree }> {
  const run = must(await workspace.loadRun(world.runDir));
  return { run, worktree: workspace.slotWorktree(run, slot) };
}

const lease =
  (id: string, slot: string): Step =>
  async (world, control) => {
    const { run } = await at(world);
    const plan = { slot, commit: run.base, id, at: AT, carry: [".env"] };
    must(await workspace.leaseSlot(run, plan, control));
  };

const edit =
  (slot: string, files: Record<string, string>): Step =>
  async (world) => {
    put((await at(world, slot)).worktree, files);
  };

const snapshot =
  (label: string, slot: string, start = false): Step =>
  async (world, control) => {
    const { run, worktree } = await at(world, slot);
    must(await workspace.snapshot(run, worktree, { label, at: AT, start }, control));
  };

const restore =
  (id: string, label: string, slot: string): Step =>
  async (world, control) => {
    const { run, worktree } = await at(world, slot);
    must(await workspace.restore(run, worktree, { id, at: AT, snapshot: label }, control));
  };

const releaseSlot =
  (slot: string): Step =>
  async (world, control) => {
    const { run } = await at(world, slot);
    must(await workspace.releaseSlot(run, { slot, at: AT }, control));
  };

/** As an attempt that goes on does: the lease it had, then what stood there. */
const takeAgain =
  (id: string, slot: string): Step =>
  async (world, control) => {
    await lease(id, slot)(world, control);
    const { run, worktree } = await at(world, slot);
    must(await workspace.bringSlotBack(run, worktree, control));
  };

const commit =
  (subtask: string, label: string): Step =>
  async (world, control) => {
    const { run } = await at(world);
    const plan = { subtask, snapshot: label, parent: run.base, message: subtask, at: AT };
    must(await workspace.goodCommit(run, plan, control));
  };

const mergeIn =
  (subtask: string): Step =>
  async (world, control) => {
    const { run } = await at(world);
    const into = await workspace.resultTip(run);
    const good = (await workspace.lastGood(run, subtask)) ?? "";
    const merge = { into, commit: good, message: `merge ${subtask}`, at: AT };
    const merged = must(await workspace.merge(run, merge, control));
    if (!merged.clean) throw new Error("conflict");
    must(await workspace.advance(run, { commit: merged.commit, expected: into }, control));
  };

const rollback: Step = async (world, control) => {
  const { run, worktree } = await at(world);
  const tip = (await workspace.lastGood(run, "one")) ?? "";
  must(
    await workspace.rollback(run, worktree, { id: "back", at: AT, commit: run.base, tip }, control),
  );
};

const check: Step = async (world, control) => {
  const { run } = await at(world);
  const tip = await workspace.resultTip(run);
  const plan = { number: 101, tree: tip, head: tip, caches: ["target"], cold: false, ready: "one" };
  const prepare = async (worktree: Worktree): Promise<void> => put(worktree, { ".env": "made" });
  must(await workspace.fillCheckTree(run, { ...plan, prepare }, control));
};

export const STEPS: readonly (readonly [string, Step])[] = [
  [
    "open",
    async ({ root, runDir, withChanges }, control) => {
      const base = withChanges ? "with-changes" : "head";
      must(await workspace.openRun({ id: "r1", repository: root, runDir, base, at: AT }, control));
    },
  ],
  ["lease 1", lease("lease 1", "1")],
  ["before", snapshot("one/1/before", "1", true)],
  [
    "work 1",
    edit("1", { "one.ts": "1\n", "sub.ts": "sub\n", "big.log": "ignored", "one.rot": "one\n" }),
  ],
  ["work in a submodule", edit("1", { "vendor/lib/new.ts": "new\n" })],
  ["after", snapshot("one/1/after", "1")],
  ["commit 1", commit("one", "one/1/after")],
  ["mess", edit("1", { "one.ts": "broken\n", "mess.ts": "mess\n", "one.rot": "mess\n" })],
  ["restore", restore("restore", "one/1/after", "1")],
  ["mess 2", edit("1", { "mess2.ts": "mess\n" })],
  ["rollback", rollback],
  ["lease 2", lease("lease 2", "2")],
  ["work 2", edit("2", { "two.ts": "2\n" })],
  ["after 2", snapshot("two/1/after", "2")],
  ["more work 2", edit("2", { "more.ts": "more\n" })],
  ["give back 2", releaseSlot("2")],
  ["take 2 again", takeAgain("lease 2", "2")],
  ["commit 2", commit("two", "two/1/after")],
  ["merge 1", mergeIn("one")],
  ["merge 2", mergeIn("two")],
  ["check", check],
  ["lease 3", lease("lease 3", "1")],
  [
    "publish",
    async (world, control) => must(await workspace.publish((await at(world)).run, control)),
  ],
];

export const USER_STEPS: readonly (readonly [string, Step])[] = [
  [
    "apply",
    async (world, control) =>
      must(await workspace.apply((await at(world)).run, { at: AT }, control)),
  ],
  [
    "undo",
    async (world, control) => {
      must(await workspace.undoApply((await at(world)).run, { at: AT }, control));
    },
  ],
];

export const LAST: readonly (readonly [string, Step])[] = [
  [
    "clean up",
    async (world, control) => {
      const run = await workspace.loadRun(world.runDir);
      if (run.ok) must(await workspace.cleanUp(run.value, control));
      else rmSync(world.runDir, { recursive: true, force: true });
    },
  ],
];

if (process.argv[1] === import.meta.filename) {
  const [, , file = "", point = ""] = process.argv;
  const journal = JSON.parse(readFileSync(file, "utf8")) as { world: World; done: number };
  const steps = [...STEPS, ...USER_STEPS];
  for (let index = journal.done; index < steps.length; index += 1) {
    await steps[index]?.[1](journal.world, {
      onPoint: (name) => {
        if (name === point) process.kill(process.pid, "SIGKILL");
      },
    });
    writeFileSync(`${file}.new`, JSON.stringify({ ...journal, done: index + 1 }));
    renameSync(`${file}.new`, file);
  }
}
