// proves: U19, U16
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import type { Line, Style } from "../../../src/operations/text.ts";
import { planLines } from "../../../src/cli/screen/plan-tree.ts";

const LIMITS = { attemptMs: 3_600_000, unreported: [] };
const subtask = (id: string, dependsOn: readonly string[] = [], checks = [`check ${id}`]) => ({
  ...{ id, prompt: `do ${id}`, dependsOn, checks },
});
const shown = (plan: Parameters<typeof planLines>[0], columns = 80): string =>
  planLines(plan, columns).map(plain).join("\n");

test("a subtask stands under the last one it waits for, and the one that looks around is no part of the tree", () => {
  const text = shown({
    goal: "all of it",
    subtasks: [
      { ...subtask("look", [], []), readOnly: true },
      ...[subtask("a", ["look"]), subtask("b", ["look"]), subtask("c", ["look", "a", "b"])],
    ],
    commands: [
      { what: "agent", run: "claude" },
      { what: "setup", run: "npm ci", from: "package-lock.json" },
      { what: "check", run: "check a" },
    ],
    limits: { ...LIMITS, attempts: 18, usd: 5 },
  });
  assert.equal(
    text,
    [
      "Plan: all of it",
      "",
      "First an agent looks around and reports. It changes nothing.",
      "",
      ...["a", "  do a", "  check  check a", ""],
      ...["b", "  do b", "  check  check b", ""],
      ...["└ c", "    after a, b", "    do c", "    check  check c", ""],
      "Also runs",
      "  agent  claude",
      "  setup  npm ci",
      "         asked for by package-lock.json",
      "",
      "Limits",
      "  at most 18 attempts for 3 subtasks, each up to 1h 00m",
      "  at most $5.00",
    ].join("\n"),
  );
});

test("what limits there are is said, and what is not limited", () => {
  const of = (limits: object): string =>
    shown({ goal: "g", subtasks: [subtask("a")], commands: [], limits: { ...LIMITS, ...limits } });
  assert.match(
    of({}),
    /no limit on attempts \(1 subtask\), each[^]*no limit on cost: add --budget 20/,
  );
  assert.match(of({ usd: 3, unreported: ["my-agent"] }), /no limit on cost: my-agent does not/);
  assert.match(
    of({ timeMs: 60_000, tokens: 5 }),
    /at most 1m 00s of agent time\n {2}at most 5 tokens/,
  );
});

const piecesOf = (lines: readonly Line[], wanted: Style): readonly string[] =>
  lines.flatMap((line) => line.flatMap(([text, style]) => (style === wanted ? [text] : [])));

test("at any width no line is too wide, every command is whole, and order is that of the dependencies", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$/);
  const plan = fc.uniqueArray(id, { minLength: 1, maxLength: 12 }).chain((ids) =>
    fc.tuple(
      ...ids.map((one, index) =>
        fc.record({
          id: fc.constant(one),
          prompt: fc.string({ maxLength: 400 }),
          dependsOn: fc.subarray(ids.slice(0, index)),
          checks: fc.array(fc.stringMatching(/^[!-~]{1,200}$/), { minLength: 1, maxLength: 3 }),
        }),
      ),
    ),
  );
  fc.assert(
    fc.property(plan, fc.integer({ min: 40, max: 200 }), (subtasks, columns) => {
      const lines = planLines({ goal: "g", subtasks, commands: [], limits: LIMITS }, columns);
      for (const line of lines) assert.ok(lineWidth(line) <= columns, plain(line));
      const whole = piecesOf(lines, "cyan").join("");
      for (const run of subtasks.flatMap(({ checks }) => checks))
        assert.ok(whole.includes(run), run);
      const order = piecesOf(lines, "bold");
      for (const { id: one, dependsOn } of subtasks)
        for (const other of dependsOn)
          assert.ok(order.indexOf(other) < order.indexOf(one), `${one} after ${other}`);
      assert.ok(subtasks.every((each) => order.includes(each.id)));
    }),
    { numRuns: 60 },
  );
});
