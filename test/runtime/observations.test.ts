// proves: A2, J5
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Step } from "../../src/core/stuck/step.ts";
import type { AgentResult } from "../../src/runtime/agent-result.ts";
import { attemptRemains } from "../../src/runtime/attempt-end.ts";
import { noteObservation } from "../../src/runtime/call-watch.ts";

const result = (output: string, more: object = {}): Step => ({
  ...{ kind: "tool_result", output },
  ...more,
});

function seenIn(...steps: readonly Step[]): number[] {
  const known = new Set<number>();
  for (const step of steps) noteObservation(known, step);
  return [...known];
}

test("an observation is what a tool told, once for each text, without what varies from run to run", () => {
  assert.equal(seenIn(result("a"), result("b"), result("a")).length, 2);
  const took = (ms: number) => result(`2 tests failed in ${ms} ms, pid ${ms}`);
  assert.equal(seenIn(took(12), took(3409)).length, 1);
  assert.equal(seenIn(result("2 failed"), result("3 failed")).length, 2);
  assert.equal(seenIn(result("no such file", { isError: true })).length, 1);
});

test("no observation: words, calls, empty results, calls that were refused", () => {
  const words: Step = { kind: "message", text: "I see something new" };
  const call: Step = { kind: "tool_call", tool: "Read", args: { path: "a" } };
  assert.deepEqual(seenIn(words, call, result(" \n"), result("refused", { veto: true })), []);
});

test("observations are bounded", () => {
  const steps = Array.from({ length: 2000 }, (_, index) => result(`line ${index}`));
  assert.equal(seenIn(...steps).length, 300);
});

const TREE = {
  ...{ treeBefore: "t", treeAfter: "t", changedLines: 0, files: [], protectedFiles: [] },
};
const said = (stdout: string): AgentResult => ({
  end: { kind: "exited", code: 0 },
  ...{ stdout, stderr: "", leftBehind: 0, survivors: [], promptBy: "argument" },
  transcript: { path: "", bytes: 0, sha256: "", complete: true },
  durations: { activeMs: 0, sleptMs: 0 },
});

test("what an attempt observed and marked is new only where no attempt of the subtask had it", () => {
  const tags = "<progress>read it</progress><progress>Read  it</progress><progress>x</progress>";
  const first = attemptRemains(said(tags), TREE, { lastOutput: "", seen: [] }, [1, 2]);
  assert.deepEqual([first.observed, first.marked?.length], [[1, 2], 2]);
  assert.equal(first.signals.markers, 1, "two texts, a half each");
  const seen = [...(first.observed ?? []), ...(first.marked ?? [])];
  const again = attemptRemains(said(tags), TREE, { lastOutput: "", seen }, [2, 1]);
  assert.deepEqual(
    [again.observed, again.marked, again.signals.markers],
    [undefined, undefined, 0],
  );
  const more = `${tags}<progress>wrote it</progress>`;
  const third = attemptRemains(said(more), TREE, { lastOutput: "", seen }, [2, 3]);
  assert.deepEqual([third.observed, third.marked?.length, third.signals.markers], [[3], 1, 0.5]);
});
