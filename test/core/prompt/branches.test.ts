// proves: A6, J26
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  BRANCH_APPROACHES,
  branchesInOrder,
  branchGoal,
} from "../../../src/core/prompt/branches.ts";
import { mutate, type MutationInput } from "../../../src/core/prompt/mutation.ts";
import { MUTATIONS } from "../../../src/core/recovery.ts";
import { anyText } from "../repair/any-text.ts";

const INPUT: MutationInput = {
  goal: "Create login",
  checks: ["npm test"],
  files: [],
  failing: [{ name: "logs in", expected: "200", got: "404" }],
  failedApproaches: [],
};
const IDS = BRANCH_APPROACHES.map(({ id }) => id);
const goalOf = (id: string, tried: readonly string[] = []): string =>
  branchGoal(INPUT, { id, tried, together: [] });

test("branches: five approaches in the order they are given out", () => {
  assert.deepEqual(
    BRANCH_APPROACHES.map(({ id, approach }) => [id, approach]),
    [
      ["bottom-up", "Start with the smallest component"],
      ["research-first", "Research before implementing"],
      ["constrained", "Add specific constraints"],
      ["top-down", "Start with the overall structure"],
      ["example-driven", "Work from concrete examples"],
    ],
  );
  assert.ok(goalOf("bottom-up").startsWith(mutate("decompose", INPUT)));
  assert.match(goalOf("bottom-up"), /smallest component that other parts need, and build upwards/);
  assert.match(goalOf("research-first"), /^First research how to: Create login\n\nRead the code/);
  assert.equal(goalOf("constrained"), mutate("constrain", INPUT));
  assert.match(goalOf("top-down"), /^Create login\n\nStart from the top/);
  assert.equal(goalOf("example-driven"), mutate("examples", INPUT));
  assert.equal(goalOf("of a later version"), "Create login");
});

test("a way that was tried comes last, and one that resembles a mutation that was tried after new ones", () => {
  const order = (...tried: readonly string[]): string[] =>
    branchesInOrder(tried).map(({ id }) => id);
  assert.deepEqual(order(), IDS);
  assert.deepEqual(order("rephrase", "negative"), IDS);
  assert.deepEqual(order("rephrase", "decompose", "constrain"), [
    ...["research-first", "top-down", "example-driven", "bottom-up", "constrained"],
  ]);
  assert.deepEqual(order("bottom-up", "examples"), [
    ...["research-first", "constrained", "top-down", "example-driven", "bottom-up"],
  ]);
});

test("the words of a mutation that was tried are not said again; a way that was tried asks for another", () => {
  for (const [id, mutation] of [
    ["bottom-up", "decompose"],
    ["constrained", "constrain"],
    ["example-driven", "examples"],
  ] as const) {
    const own = mutate(mutation, INPUT).replace("Create login", "").trim().split("\n")[0] ?? "";
    assert.ok(goalOf(id).includes(own));
    const again = goalOf(id, [mutation]);
    assert.ok(again.startsWith("Create login\n\n") && !again.includes(own), again);
  }
  const another = goalOf("top-down", IDS);
  for (const { approach } of BRANCH_APPROACHES) assert.ok(another.includes(`- ${approach}`));
  assert.match(another, /find a way that is none of them/);
  assert.ok(!goalOf("top-down", ["bottom-up", ...MUTATIONS]).includes("none of them"));
});

test("each branch knows what the others do", () => {
  const text = branchGoal(INPUT, {
    id: "top-down",
    tried: [],
    together: ["bottom-up", "top-down"],
  });
  assert.ok(
    text.endsWith(
      "Others try these ways at the same time, so keep to yours:\n- Start with the smallest component",
    ),
  );
});

/** What is left of a text without the goal, a heading, and what every branch is told. */
const substance = (text: string, goal: string): Set<string> =>
  new Set(
    text
      .split(goal)
      .join("")
      .split("\nOthers try these ways")[0]
      ?.split(/[.:\n]+\s*/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length > 20),
  );

test("the goal stands in every branch as given, and any two differ by more than a heading", () => {
  const tried = fc.subarray([...MUTATIONS, ...IDS]);
  fc.assert(
    fc.property(anyText(60, 12), tried, (said, before) => {
      const goal = `<${said}>`;
      const texts = branchesInOrder(before)
        .slice(0, 3)
        .map(({ id }) => {
          const text = branchGoal({ ...INPUT, goal }, { id, tried: before, together: IDS });
          assert.ok(text.includes(goal), id);
          return substance(text, goal);
        });
      for (const [at, one] of texts.entries())
        for (const other of texts.slice(at + 1))
          assert.ok(
            [...one].some((sentence) => !other.has(sentence)) &&
              [...other].some((sentence) => !one.has(sentence)),
          );
    }),
  );
});
