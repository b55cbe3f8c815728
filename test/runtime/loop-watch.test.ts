// proves: A9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Step } from "../../src/core/stuck/step.ts";
import { createLoopWatch } from "../../src/runtime/loop-watch.ts";

/** What the watch says after each step. */
function said(steps: readonly Step[]): (string | undefined)[] {
  const watch = createLoopWatch();
  return steps.map((step) => watch(step)?.level);
}

let calls = 0;
function call(command: string, output = "nothing"): Step[] {
  calls += 1;
  const id = `c${calls}`;
  return [
    { kind: "tool_call", id, tool: "Bash", args: { command } },
    { kind: "tool_result", id, output },
  ];
}
const same = (times: number): Step[] => Array.from({ length: times }, () => call("ls")).flat();
const words = (text: string): Step => ({ kind: "message", text });

test("after a nudge the call that was under way counts for nothing; the next one decides", () => {
  assert.deepEqual(said(same(5)), [
    ...[undefined, undefined, undefined, undefined, undefined],
    "nudge",
    ...[undefined, undefined],
    "stuck",
    undefined,
  ]);
});

test("an agent that heeds the nudge is not stopped, whatever it says before its next call", () => {
  const spoken = said([...same(4), words("I see, I go in circles."), ...call("cat a", "text")]);
  assert.deepEqual(
    spoken.filter((level) => level !== undefined),
    ["nudge"],
  );
});

test("words without a call do not stop it; the same call after them does", () => {
  const spoken = said([...same(4), words("Hm."), words("Once more."), ...same(1)]);
  assert.deepEqual(spoken.slice(-4), [undefined, undefined, "stuck", undefined]);
});

test("a turn that ends after the nudge without another call is a loop", () => {
  assert.deepEqual(said([...same(4), { kind: "turn_end" }]).at(-1), "stuck");
});

test("an agent that only repeats itself in words is not given a further call", () => {
  const spoken = said(Array.from({ length: 12 }, () => words("I will look at the file again.")));
  assert.ok(spoken.includes("stuck"), spoken.join(" "));
});
