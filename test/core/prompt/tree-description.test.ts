// proves: J18, J24, B3
import assert from "node:assert/strict";
import { test } from "node:test";
import { treeDescription } from "../../../src/core/prompt/tree-description.ts";
import type { AttemptRecord, AttemptSpec } from "../../../src/core/run/attempt.ts";
import { NO_PROGRESS } from "../run/driver.ts";

const record = (attempt: number, more: Partial<AttemptRecord>): AttemptRecord => ({
  ...{ attempt, at: 0, entry: { agent: "a", tier: 1 }, counted: true, success: false },
  ...{ approach: "", treeBefore: "t", treeAfter: `t${attempt}`, signals: NO_PROGRESS, failing: [] },
  ...more,
});
const told = (
  attempts: readonly AttemptRecord[],
  tree: AttemptSpec["tree"] = { kind: "keep" },
  branch?: string,
): string =>
  treeDescription(
    {
      attempts,
      branches: ["top-down", "bottom-up"].map((id) => ({
        ...{ id, approach: "", iterationsLeft: 1, bestScore: 0, bestAttempt: undefined },
        ended: false,
      })),
    },
    { tree, prompt: branch === undefined ? {} : { branch: { id: branch, approach: "" } } },
  );

test("nothing is said of the tree before there was an attempt", () => {
  assert.equal(told([]), "");
  assert.equal(told([], { kind: "good", commit: "c" }), "");
});

test("a kept tree: the files that were changed in it, since the last roll-back", () => {
  const before = record(1, { files: ["a.ts"] });
  const after = record(2, { files: ["b.ts"], recovery: "fresh" });
  const last = record(3, { files: ["b.ts", "c.ts"], recovery: "feedback" });
  assert.match(told([before]), /still holds what was changed so far, in `a\.ts`\.$/);
  assert.match(told([before, after, last]), /, in `b\.ts`, `c\.ts`\.$/);
  assert.match(told([record(1, { treeAfter: "t" })]), /^No attempt has changed a file so far/);
  assert.match(told([record(1, {})]), /^The working tree still holds what was changed so far\.$/);
  const [still, moved] = [record(1, { treeAfter: "t" }), record(2, {})];
  assert.match(told([still, moved]), /^The working tree still holds what was changed so far\.$/);
  assert.equal(told([record(1, { branch: "top-down" })]), "", "of the main line nothing is known");
  const many = Array.from({ length: 30 }, (_, n) => `f${n}`);
  assert.match(told([record(1, { files: many })]), /`f19` and 10 more\.$/);
  assert.match(told([record(1, { files: ["a`\nb"] })]), /in `a' b`\.$/);
});

test("a roll-back: the commit, and what is gone with it", () => {
  const commit = "0123456789abcdef";
  const lost = told([record(1, { files: ["a.ts"] })], { kind: "good", commit });
  assert.match(lost, /^The working tree was rolled back to commit 0123456789, /);
  assert.match(lost, /Gone with it are their changes to `a\.ts`\.$/);
  assert.ok(!told([record(1, {})], { kind: "good", commit }).includes("Gone"));
});

test("the tree of one attempt, and work merged with that of others", () => {
  assert.match(told([record(1, {})], { kind: "attempt", attempt: 4 }), /as attempt 4 left it/);
  assert.match(told([record(1, {})], { kind: "rebased", attempt: 2 }), /conflict markers/);
});

test("a branch has a tree of its own: nothing of others is in it", () => {
  const main = record(1, { files: ["a.ts"] });
  const other = record(2, { files: ["b.ts"], branch: "bottom-up" });
  assert.match(
    told([main, other], { kind: "keep" }, "top-down"),
    /^You work in a tree of your own/,
  );
  assert.match(told([main, other], { kind: "keep" }, "bottom-up"), /, in `b\.ts`\.$/);
  assert.match(told([main, other]), /, in `a\.ts`\.$/);
});
