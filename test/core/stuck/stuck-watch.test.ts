// proves: A1, A11, B10
// The three levels joined: steps, progress across attempts, circular fixes, and five equal outputs
// (A11 in part).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createStuckWatch } from "../../../src/core/stuck/stuck-watch.ts";
import type { AttemptEnd, WatchMemory } from "../../../src/core/stuck/stuck-watch.ts";
import { ran, times } from "./steps.ts";

const end = (attempt: number, more: Partial<AttemptEnd> = {}): AttemptEnd => ({
  attempt,
  failed: true,
  counted: true,
  score: 0,
  startTree: `t${attempt - 1}`,
  endTree: `t${attempt}`,
  output: `output ${"abcdefgh"[attempt % 8]}`,
  ...more,
});

test("inside an attempt, and anew in the next", () => {
  const watch = createStuckWatch();
  const steps = times(3, () => ran("Bash", { command: "ls" }, "a"));
  for (const step of steps) watch.step(step);
  watch.endAttempt(end(1));
  const levels = steps.map((step) => watch.step(step).level);
  assert.equal(levels.at(-1), "nudge");
});

test("no progress: warning at two, stuck at three, anew with progress", () => {
  const watch = createStuckWatch();
  const statuses = [0, 0.1, 0, 0.5, 0].map(
    (score, n) => watch.endAttempt(end(n + 1, { score })).status,
  );
  assert.deepEqual(statuses, ["progressing", "warning", "stuck", "progressing", "progressing"]);
});

test("infrastructure never raises a count", () => {
  const watch = createStuckWatch();
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    const verdict = watch.endAttempt(
      end(attempt, { counted: false, signature: "s", output: "503" }),
    );
    assert.deepEqual(
      [verdict.status, verdict.circular, verdict.runaway],
      ["progressing", [], false],
    );
  }
});

test("a circular fix is seen", () => {
  const watch = createStuckWatch();
  const verdicts = [1, 2, 3].map((attempt) =>
    watch.endAttempt(end(attempt, { signature: "same" })),
  );
  assert.deepEqual(
    verdicts.map(({ circular }) => circular.length > 0),
    [false, false, true],
  );
});

test("five equal outputs in a row are a runaway, times in them apart", () => {
  const watch = createStuckWatch();
  const runaway = [1, 2, 3, 4, 5].map(
    (n) => watch.endAttempt(end(n, { output: `done at 10:20:3${n} in ${n}s`, score: 1 })).runaway,
  );
  assert.deepEqual(runaway, [false, false, false, false, true]);
  assert.equal(watch.endAttempt(end(6, { output: "something else" })).runaway, false);
});

test("a person's words start anew", () => {
  const watch = createStuckWatch();
  for (const attempt of [1, 2])
    watch.endAttempt(end(attempt, { signature: "same", output: "same" }));
  watch.personSpoke();
  const { status, circular, equalOutputs } = watch.endAttempt(
    end(3, { signature: "same", output: "same" }),
  );
  assert.deepEqual([status, circular, equalOutputs], ["progressing", [], 1]);
});

test("what must outlive a restart is plain JSON", () => {
  const first = createStuckWatch();
  first.endAttempt(end(1, { signature: "same" }));
  first.endAttempt(end(2, { signature: "same" }));
  const memory = JSON.parse(JSON.stringify(first.memory())) as WatchMemory;
  const verdict = createStuckWatch({ memory }).endAttempt(end(3, { signature: "same" }));
  assert.equal(verdict.status, "stuck");
  assert.equal(verdict.circular.length, 1);
});
