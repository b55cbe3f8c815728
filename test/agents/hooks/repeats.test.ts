// proves: A9
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayLoop } from "../../../src/agents/hooks/repeats.ts";
import { verdictsAround } from "../../../src/core/stuck/detector.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { Level } from "../../../src/core/stuck/verdict.ts";

interface Turn {
  readonly tool?: string;
  readonly command: string;
  readonly output: string;
  readonly failed?: boolean;
}

const fail = (command: string, output: string): Turn => ({ command, output, failed: true });
const work = (command: string, output: string): Turn => ({ command, output });

function stepsOf(turns: readonly Turn[]): Step[] {
  return turns.flatMap(({ tool = "Bash", command, output, failed = false }, index): Step[] => [
    { kind: "tool_call", id: `c${index}`, tool, args: { command } },
    { kind: "tool_result", id: `c${index}`, output, isError: failed },
  ]);
}

/** Whether the last result is looked at more closely. */
function looked(...turns: readonly Turn[]): boolean {
  const steps = stepsOf(turns);
  const last = steps.pop();
  assert.ok(last !== undefined);
  return mayLoop(steps, last);
}

for (const [name, turns, expected] of [
  ["a first failure", [fail("make a", "boom in the first")], false],
  ["a second one", [fail("make a", "boom in a"), fail("make b", "boom in b")], false],
  [
    "a third in a row",
    [fail("make a", "boom a"), fail("make b", "boom b"), fail("make c", "boom c")],
    true,
  ],
  [
    "a third, after work that was new",
    [
      ...[fail("make a", "boom a"), fail("make b", "boom b")],
      ...[work("make c", "made c"), fail("make d", "boom d")],
    ],
    false,
  ],
  [
    "a third, after looks",
    [
      ...[fail("make a", "boom a"), work("cat a.txt", "text of a"), fail("make b", "boom b")],
      ...[work("ls src", "a b c"), fail("make d", "boom d")],
    ],
    true,
  ],
  [
    "a failure that says what an earlier one said",
    [
      ...[fail("npm test", "FAIL a > keeps its order"), work("make c", "made c")],
      fail("npm t", "ran\nFAIL a > keeps its order"),
    ],
    true,
  ],
  [
    "the same call again",
    [fail("make a", "boom 1"), work("make b", "made b"), fail("make a", "boom 2")],
    true,
  ],
  ["the same result again", [work("make a", "same"), work("make b", "same")], true],
  ["new work", [work("make a", "made a"), work("make b", "made b")], false],
] as const)
  test(`${expected ? "a closer look at" : "no closer look at"} ${name}`, () => {
    assert.equal(looked(...turns), expected);
  });

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

const turn = fc.record({
  tool: fc.constantFrom("Bash", "Bash", "Read", "Edit"),
  command: fc.constantFrom("npm test", "make a", "cat a.txt", "ls", "node x.js", "make b"),
  output: fc.constantFrom("FAIL a > works\nexpected 1", "boom here it is", "no such thing", "fine"),
  number: fc.nat(400),
});

test("failures that say so: where no closer look is taken, the loop guard has nothing to say", () => {
  let spoke = 0;
  fc.assert(
    fc.property(fc.array(turn, { minLength: 3, maxLength: 16 }), (drawn) => {
      const turns = drawn.map(({ number, output, ...rest }) => ({
        ...rest,
        failed: output !== "fine",
        output: number % 2 === 0 ? output : `${output} ${number}`,
      }));
      const steps = stepsOf(turns);
      for (const [index, step] of steps.entries()) {
        if (step.kind !== "tool_result") continue;
        const past = steps.slice(0, index);
        const { before, now } = verdictsAround(past, step);
        if (RANK[now.level] <= RANK[before.level]) continue;
        spoke += 1;
        assert.ok(mayLoop(past, step), now.pattern);
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(spoke > 50, `${spoke} verdicts`);
});
