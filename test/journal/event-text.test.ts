// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RunEvent } from "../../src/core/run/decision.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import { eventText, inputText, readEvent, readInput } from "../../src/journal/event-text.ts";
import { ROW_VERSION } from "../../src/journal/row-text.ts";
import {
  attemptEnded,
  attemptOverloaded,
  goodAnswer,
  POLICY,
  runStarted,
  scriptedPlan,
  serially,
  stopRequested,
} from "../engines/contract/script.ts";

const start = { subtask: "a", attempt: 1, kind: "start", id: "r/a/1" } as Parameters<
  typeof attemptOverloaded
>[0];
const INPUTS: readonly RunInput[] = [
  runStarted("r", scriptedPlan(["a", "b"], "beside"), 1),
  attemptOverloaded(start, 2),
  { kind: "timer-fired", subtask: "a", timer: 1, at: 3, chance: 0 },
  attemptEnded({ subtask: "b", attempt: 1 }, 4),
  goodAnswer({ ...start, subtask: "b", kind: "check", round: 1 }, 5) ?? assert.fail(),
  stopRequested(6),
];

test("what a run records comes back as it was", () => {
  const { events } = serially(INPUTS, POLICY);
  assert.ok(new Set(events.map(({ kind }) => kind)).size > 8);
  for (const event of events)
    assert.deepEqual(
      readEvent(ROW_VERSION, eventText(event), "row"),
      JSON.parse(JSON.stringify(event)),
    );
  for (const input of INPUTS)
    assert.deepEqual(readInput(ROW_VERSION, inputText(input), "row"), input);
});

test("an event or input without one of its needs is refused, written and read", () => {
  const { events } = serially(INPUTS, POLICY);
  const without = (value: object, field: string): unknown =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
  let refused = 0;
  for (const event of events)
    for (const field of ["kind", "subtask", "attempt", "input"].filter((name) => name in event)) {
      const broken = without(event, field);
      assert.throws(() => eventText(broken as RunEvent), { code: "invalid" });
      assert.throws(() => readEvent(1, JSON.stringify(broken), "row"), { code: "damaged" });
      refused += 1;
    }
  for (const input of INPUTS)
    for (const field of ["at", "chance"]) {
      const broken = without(input, field);
      assert.throws(() => inputText(broken as RunInput), { code: "invalid" });
      assert.throws(
        () => eventText({ kind: "received", input: broken as RunInput }),
        new RegExp(`lacks ${field}`),
      );
      refused += 1;
    }
  assert.ok(refused > 40, `${refused} broken ones were tried`);
});

for (const [title, value] of [
  ["a time that is no number", { ...stopRequested(1), at: "now" }],
  ["a time without end", { ...stopRequested(1), at: Infinity }],
  ["a subtask that is no text", { ...INPUTS[2], subtask: { toString: "a" } }],
  ["a kind of another world", { ...stopRequested(1), kind: "constructor" }],
  ["no object", "cancel-requested"],
  ["nothing", null],
  ["more text than any event needs", stopRequested(1, "x".repeat(17 * 1024 * 1024))],
] as const)
  test(`not recorded: ${title}`, () => {
    assert.throws(() => inputText(value as RunInput), { code: "invalid" });
  });

test("a row of a newer version says so, before it is looked at", () => {
  assert.throws(() => readEvent(ROW_VERSION + 1, "not even JSON", "Event 7 of run r"), {
    code: "newer-version",
    message: /Event 7 of run r .* newer Unstuck .* Update/,
  });
});

test("any text is an event or a clear error that names its place", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        assert.equal(typeof readEvent(ROW_VERSION, text, "Event 3").kind, "string");
      } catch (error) {
        assert.match(String(error), /^JournalError: Event 3 cannot be read: /);
      }
    }),
  );
});

test("rows of older versions are read in today's form", () => {
  const common = { subtask: "a", recoveries: [], because: "b", considered: [], usesRung: false };
  for (const [rule, chosenBy] of [
    ["guard:wait", { by: "guard", id: "wait" }],
    ["structure:re-ask", { by: "structure", id: "re-ask" }],
    ["feedback", { by: "rung", id: "feedback" }],
    ["guarded", { by: "rung", id: "guarded" }],
  ] as const)
    for (const version of [1, 2])
      assert.deepEqual(
        readEvent(version, JSON.stringify({ kind: "recovery-chosen", rule, ...common }), "Event 1"),
        { kind: "recovery-chosen", ...common, chosenBy },
      );
  const stop = { kind: "stop-requested", reason: "enough", at: 1, chance: 0 };
  const cancel = { ...stop, kind: "cancel-requested" };
  assert.deepEqual(readInput(1, JSON.stringify(stop), "Input 1"), cancel);
  assert.deepEqual(readEvent(1, JSON.stringify({ kind: "received", input: stop }), "Event 1"), {
    kind: "received",
    input: cancel,
  });
  assert.throws(() => readInput(2, JSON.stringify(stop), "Input 1"), { code: "damaged" });
  assert.throws(() => readEvent(1, "null", "Event 1"), { code: "damaged" });
});
