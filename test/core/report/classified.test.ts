// proves: U8
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeFailure } from "../../../src/core/failure.ts";
import { classifiedFailure } from "../../../src/core/report/classified.ts";
import type { DecisionOf } from "../../../src/core/run/decision.ts";
import type { InputOf } from "../../../src/core/run/input.ts";
import { ended, failed, T0 } from "../../cli/terminal/events.ts";

function classified(
  because: readonly string[],
  error: string,
  evidence: InputOf<"attempt-ended">["evidence"] = {},
  origin: "agent" | "check" = "agent",
) {
  const event: DecisionOf<"failure-classified"> = {
    ...failed("a", 1, "rate_limited"),
    failure: makeFailure({ kind: "rate_limited", origin, because }),
    error,
  };
  const end = ended("a", 1, T0);
  assert.ok(end.kind === "received" && end.input.kind === "attempt-ended");
  return classifiedFailure(event, { ended: { ...end.input, evidence } });
}

const marked = (told: ReturnType<typeof classified>): readonly string[] =>
  told.lines.map(({ text, decides, afterGap }) =>
    [afterGap ? "…" : "", decides ? ">" : "", text].join(""),
  );

test("what it was taken for, in words, with the place that decided", () => {
  const told = classified(["stderr line 2: Error: 429", "exit code 1"], "");
  assert.deepEqual(
    [told.attempt, told.name, told.happened, told.where, told.confidence],
    [1, "rate limited", "hit a rate limit", "the agent", 1],
  );
  assert.deepEqual(told.reasons, [
    { place: "standard error, line 2", text: "Error: 429" },
    { text: "exit code 1" },
  ]);
});

const FAR = Array.from({ length: 80 }, (_, index) => `step ${index}`);

const CASES: readonly [string, ReturnType<typeof classified>, readonly string[]][] = [
  [
    "the line that decided is marked, one that only looks like it is not",
    classified(["stderr line 2: Error: 429"], "", {
      stderr: "Error: 4299\nError: 429\nsaw Error: 429 once",
    }),
    ["Error: 4299", ">Error: 429", "saw Error: 429 once"],
  ],
  [
    "both lines of a check's headline",
    classified(["✖ a is 2 | expected 2", "note"], "✖ a is 2\n  expected 2\n  got 3", {}, "check"),
    [">✖ a is 2", ">  expected 2", "  got 3"],
  ],
  [
    "of a long text what stands around it and its end",
    classified(["stdout line 11: step 10"], "", { stdout: FAR.join("\n") }),
    [
      ...["…step 7", "step 8", "step 9", ">step 10", "step 11", "step 12", "step 13"],
      ...["…step 77", "step 78", "step 79"],
    ],
  ],
  [
    "a line that is not kept is shown all the same",
    classified(["stderr line 9: quota"], "", { stderr: "something else" }),
    [">quota", "…something else"],
  ],
  [
    "a reason cut short",
    classified([`stderr line 1: ${"x".repeat(159)}…`], "", { stderr: "x".repeat(200) }),
    [`>${"x".repeat(200)}`],
  ],
  ["the error where nothing was printed", classified(["exit code 3"], "it ended"), ["it ended"]],
];

for (const [name, told, lines] of CASES)
  test(name, () => {
    assert.deepEqual(marked(told), lines);
  });

test("bounded and clean, and a deciding line is never left out", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3000 }), fc.array(fc.string()), (stderr, more) => {
      const line = stderr.split("\n").at(-1)?.trim() ?? "";
      const told = classified([`stderr line 1: ${line}`, ...more], "e", { stderr });
      assert.ok(told.lines.length <= 60 && told.reasons.length <= 5);
      assert.ok(
        told.lines.every(({ text }) => text.length <= 320 && !/[\x00-\x08\x1b]/.test(text)),
      );
      if (told.reasons[0]?.text !== "") assert.ok(told.lines.some(({ decides }) => decides));
    }),
  );
});
