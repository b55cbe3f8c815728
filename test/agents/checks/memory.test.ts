// proves: U5, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMemory } from "../../../src/agents/checks/check-memory.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";

const ran = (outcome: CheckOutcome, stdout = "") => ({
  outcome,
  stdout,
  stderr: "",
  durationMs: 1,
});
const PASSED = ran({ kind: "passed" });
const FAILED = ran({ kind: "failed", items: ["a"], complete: true }, "not ok a");
const UNABLE = ran({ kind: "could-not-run", why: "killed", detail: "" });

test("a tree and a check name a verdict", () => {
  const memory = checkMemory();
  memory.keep("t1", "npm test", { run: PASSED, cold: false });
  assert.equal(memory.recall("t1", "npm test", false)?.outcome.kind, "passed");
  assert.equal(memory.recall("t2", "npm test", false), undefined);
  assert.equal(memory.recall("t1", "npm run lint", false), undefined);
});

test("where no cache may have helped, only a cold verdict counts", () => {
  const memory = checkMemory();
  memory.keep("t", "c", { run: PASSED, cold: false });
  assert.equal(memory.recall("t", "c", true), undefined);
  memory.keep("t", "c", { run: PASSED, cold: true });
  assert.ok(memory.recall("t", "c", true) !== undefined);
});

test("what could not run is never remembered, nor a pass after a failure on the same tree", () => {
  const memory = checkMemory();
  memory.keep("t", "c", { run: UNABLE, cold: true });
  assert.equal(memory.recall("t", "c", false), undefined);
  memory.keep("t", "c", { run: FAILED, cold: true });
  memory.keep("t", "c", { run: PASSED, cold: true });
  assert.equal(memory.recall("t", "c", false), undefined);
});

test("a failure is confirmed once the same tree has failed twice", () => {
  const memory = checkMemory();
  memory.keep("t", "c", { run: FAILED, cold: true });
  assert.equal(memory.recall("t", "c", false)?.confirmed, undefined);
  memory.keep("t", "c", { run: FAILED, cold: true });
  assert.equal(memory.recall("t", "c", false)?.confirmed, true);
  assert.equal(memory.recall("t", "c", false)?.stdout, "not ok a");
});

test("it stays small", () => {
  const memory = checkMemory();
  for (let tree = 0; tree < 2000; tree += 1)
    memory.keep(String(tree), "c", {
      run: ran({ kind: "passed" }, "x".repeat(100_000)),
      cold: true,
    });
  assert.equal(memory.recall("0", "c", false), undefined);
  assert.ok((memory.recall("1999", "c", false)?.stdout.length ?? 0) <= 40_000);
});
