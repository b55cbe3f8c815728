// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import { plan, subtask, Driver } from "../core/run/driver.ts";
import type { Command } from "../../src/core/run/command.ts";
import { endedIn, treeFor } from "../../src/runtime/attempt-slot.ts";
import type { RunUnderway } from "../../src/runtime/ports.ts";
import { makeRoom } from "../../src/runtime/slots.ts";

type Start = Extract<Command, { readonly kind: "start" }>;

/** A worker's part in a run of two subtasks, with these trees on its disk. */
function worker(driver: Driver, standing: Set<string>): RunUnderway {
  const standingTrees = {
    slots: () => Promise.resolve([...standing]),
    release: (slot: string) => Promise.resolve({ ok: standing.delete(slot) }),
  };
  const part = {
    ...{ run: "r1", firstSlot: 201, running: new Map(), state: () => driver.state },
    ...{ ports: { standingTrees }, plan: { plan: { concurrency: 1 } } },
  };
  return part as unknown as RunUnderway;
}

const twoSubtasks = (): Driver =>
  new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));

const startOf = ({ commands }: Driver, id: string): Start => {
  const start = commands.findLast((one) => one.kind === "start" && one.subtask === id);
  assert.ok(start?.kind === "start");
  return start;
};

const startedIn = (driver: Driver, id: string, slot: string): void => {
  const attempt = driver.running(id);
  const identity = { attemptId: `r1/${id}/${attempt}`, groupId: 1, startTime: "1", bootId: "b" };
  driver.give({ kind: "attempt-started", subtask: id, attempt, slot, identity });
};

test("a tree that was begun on another worker is not released while an attempt goes on in it here", async () => {
  const driver = twoSubtasks();
  const standing = new Set<string>();
  const here = worker(driver, standing);
  // What this worker holds is read before the other one chooses its slots.
  assert.equal(treeFor(here, startOf(driver, "a")).slot, "201");
  for (const [id, slot] of [
    ["a", "401"],
    ["b", "402"],
  ] as const)
    startedIn(driver, id, slot);

  for (const id of ["a", "b"]) {
    const { slot } = treeFor(here, startOf(driver, id));
    await makeRoom(here, slot);
    standing.add(slot);
  }
  assert.deepEqual([...standing], ["401", "402"]);
});

test("nor while its checks run here; once nobody works in it, it is", async () => {
  const driver = twoSubtasks();
  const standing = new Set<string>();
  const here = worker(driver, standing);
  assert.equal(treeFor(here, startOf(driver, "b")).slot, "201");
  startedIn(driver, "a", "401");
  startedIn(driver, "b", "402");
  driver.ended("a");
  const checked = endedIn(here, "a", 1);
  assert.deepEqual(checked, { subtask: "a", attempt: 1, slot: "401" });
  await makeRoom(here, "401");
  standing.add("401");
  await makeRoom(here, treeFor(here, startOf(driver, "b")).slot);
  standing.add("402");
  assert.deepEqual([...standing], ["401", "402"]);

  driver.give({
    ...{ kind: "checks-ended", subtask: "a", attempt: 1, round: 1 },
    result: { kind: "passed" },
  });
  driver.give({
    ...{ kind: "merge-ended", subtask: "a", attempt: 1 },
    result: { kind: "merged", commit: "c1" },
  });
  await makeRoom(here, "402");
  assert.deepEqual([...standing], ["402"]);
});
